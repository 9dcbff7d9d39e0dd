import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { unzipSync } from 'fflate'

import { runTexproof } from '../support/programs/run-texproof.ts'

let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'texproof-pack-cli-'))
  await mkdir(join(folder, 'tides'))
  const source = '\\documentclass{article}\n\\begin{document}\nTides % hidden\n\\end{document}\n'
  await writeFile(join(folder, 'tides', 'main.tex'), source)
  await writeFile(join(folder, 'tides', 'notes.txt'), 'Not used.')
})
after(() => rm(folder, { recursive: true, force: true }))

test('texproof pack writes a verified package and prints the preflight report', async () => {
  const output = join(folder, 'tides.zip')
  const args = [join(folder, 'tides'), '--for', 'arxiv', '--strip-comments', '-o', output]
  const { exitCode, stdout, stderr } = await runTexproof(['pack', ...args])
  const files = unzipSync(await readFile(output))
  assert.deepEqual(
    [
      exitCode,
      stdout,
      stderr.trimEnd().split('\n').slice(-2),
      Object.keys(files),
      Buffer.from(files['main.tex'] ?? []).toString(),
    ],
    [
      0,
      '',
      ['Verified: the package builds on its own and produces the same page.', `Wrote ${output}: 2 files, 1 left out`],
      ['00README.json', 'main.tex'],
      '\\documentclass{article}\n\\begin{document}\nTides %\n\\end{document}\n',
    ],
  )
})

test('texproof pack writes no package of a document that does not build, or without a target', async () => {
  const broken = join(folder, 'broken.tex')
  await writeFile(broken, '\\documentclass{article}\\input{none}')
  const before = await readdir(folder)
  const outcomes = [await runTexproof(['pack', broken, '--for', 'arxiv']), await runTexproof(['pack', broken])]
  assert.deepEqual(
    [
      outcomes.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n').find((line) => /: /.test(line))]),
      await readdir(folder),
    ],
    [
      [
        [1, "texproof: broken.tex does not build: File `none.tex' not found. Fix it first."],
        [2, 'texproof: required option "--for <target>" not specified'],
      ],
      before,
    ],
  )
})
