import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'

import { openProjectCompiler, type ProjectCompiler } from '../../src/api/project.ts'

let cacheDir: string
let compiler: ProjectCompiler

before(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'platex-kept-fonts-'))
  await chmod(cacheDir, 0o711)
  compiler = await openProjectCompiler({ sandbox: 'auto', cacheDir })
})
after(async () => {
  await compiler.close()
  await rm(cacheDir, { recursive: true, force: true })
})

/** The names of parsed fonts in the cache. */
async function listFonts(shape: string): Promise<readonly string[]> {
  const entries = await readdir(cacheDir, { recursive: true })
  const names = entries.filter((path) => path.startsWith('fonts-') && path.includes(`/texgyrebonum-${shape}.`))
  return names.map((path) => basename(path)).sort()
}

async function compile(font: string, by = compiler) {
  const source = `\\font\\own="[${font}]" \\documentclass{article}\\begin{document}\\own Tides.\\end{document}\n`
  const files = new Map([['main.tex', Buffer.from(source)]])
  const { result } = await by.compile({ rootFile: 'main.tex', files, engine: 'lualatex', timeoutMs: 120_000 })
  return [result.pages, result.errors.length]
}

test('a font that a document used is parsed once more, into the cache, by a run without the document', async () => {
  assert.deepEqual([await listFonts('regular'), await compile('texgyrebonum-regular.otf')], [[], [1, 0]])
  await compiler.whenFontsKept()
  assert.deepEqual(
    [await listFonts('regular'), await compile('texgyrebonum-regular.otf')],
    [
      ['texgyrebonum-regular.lua', 'texgyrebonum-regular.luc'],
      [1, 0],
    ],
  )
})

test('a document that meets its time limit after it has read a new font is to be compiled again', async () => {
  const source = String.raw`\documentclass{article}
\font\own="[texgyrechorus-mediumitalic.otf]" \own
\begin{document}Tides.\newpage\loop\iftrue\repeat\end{document}`
  const files = new Map([['main.tex', Buffer.from(source)]])
  const job = { rootFile: 'main.tex', files, engine: 'lualatex', timeoutMs: 8_000 } as const
  const { result } = await compiler.compile(job)
  assert.deepEqual(
    [result.pdf, result.warnings.map(({ message }) => message.replace(/:.*/, ''))],
    [
      null,
      [
        'LuaLaTeX loaded the fonts of this document for the first time, which is slow. They are now being prepared in the background',
      ],
    ],
  )
})

test('a closed compiler parses no more fonts', async () => {
  const closed = await openProjectCompiler({ sandbox: 'auto', cacheDir })
  await closed.close()
  assert.deepEqual(await compile('texgyrebonum-bold.otf', closed), [1, 0])
  await closed.whenFontsKept()
  assert.deepEqual(await listFonts('bold'), [])
})
