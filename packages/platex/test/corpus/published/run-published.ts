/**
 * Compiles documents that others wrote, from Debian's TeX documentation: `npm run test:corpus -- --published [WORD …]`.
 *
 * Every PDF that latexmk makes must be made, with as many pages, unless the table names a reason. `--measure` asks
 * latexmk again and prints the rows of the table instead of judging. Words choose documents whose path holds them.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { openProjectCompiler } from '../../../src/api/project.ts'
import type { CompileResult } from '../../../src/base/types.ts'
import { findPackageFile } from './find-package-file.ts'
import { readProject } from './read-project.ts'
import { readPublished, type PublishedDocument } from './read-published.ts'

const TIMEOUT_MS = 300_000
const SWITCHES = { pdflatex: '-pdf', xelatex: '-pdfxe', lualatex: '-pdflua', tectonic: '-pdf' } as const
const run = promisify(execFile)

/** Compiles the chosen documents and prints a line for each; true when every one is as the table says. */
export async function runPublished(words: readonly string[], isMeasuring: boolean): Promise<boolean> {
  const chosen = (await readPublished()).filter(({ path }) => words.length === 0 || words.some((w) => path.includes(w)))
  const compiler = await openProjectCompiler({ sandbox: 'auto' })
  const queue = [...chosen]
  let failures = 0
  const work = async (): Promise<void> => {
    for (let document = queue.shift(); document !== undefined; document = queue.shift()) {
      const project = await readProject(await findPackageFile(document.debianPackage, document.path))
      if (isMeasuring) {
        console.log(rowOf(document, await measureLatexmk(project, document)))
        continue
      }
      const outcome = await compiler.compile({ ...project, engine: document.engine, timeoutMs: TIMEOUT_MS })
      const pages = await countPages(outcome.result.pdf)
      const isGood = pages === (document.exception?.pages ?? document.pages)
      if (!isGood) failures += 1
      console.log(
        `${isGood ? 'ok  ' : 'FAIL'} ${document.path}${isGood ? '' : describe(document, pages, outcome.result)}`,
      )
    }
  }
  await Promise.all([work(), work()])
  await compiler.close()
  if (!isMeasuring) console.log(`${chosen.length - failures} of ${chosen.length} published documents as expected`)
  return failures === 0
}

function rowOf(document: PublishedDocument, pages: number): string {
  const { debianPackage, path, kind, engine, exception } = document
  return [debianPackage, path, kind, engine, pages, exception?.pages ?? '', exception?.reason ?? ''].join('\t')
}

function describe(document: PublishedDocument, pages: number, result: CompileResult): string {
  const first = result.errors[0]
  const error = first === undefined ? 'no error' : `${first.file ?? '?'}:${first.line ?? '?'}: ${first.message}`
  return `\n       ${document.engine}, ${pages} pages in place of ${document.pages}; ${error}`
}

/** Pages of a PDF; 0 when there is none. */
async function countPages(pdf: Uint8Array | null): Promise<number> {
  if (pdf === null) return 0
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  try {
    const file = join(folder, 'main.pdf')
    await writeFile(file, pdf)
    const { stdout } = await run('pdfinfo', [file])
    return Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1] ?? 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureLatexmk(
  { rootFile, files }: Awaited<ReturnType<typeof readProject>>,
  { engine }: PublishedDocument,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  try {
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
    const switches = ['-norc', '-f', '-interaction=nonstopmode', '-latexoption=-no-shell-escape', SWITCHES[engine]]
    // Its exit code says nothing: documents with errors have PDFs too.
    await run('latexmk', [...switches, rootFile], { cwd: folder, timeout: TIMEOUT_MS, maxBuffer: 64 << 20 }).catch(
      () => null,
    )
    return await countPages(await readFile(join(folder, rootFile.replace(/\.tex$/, '.pdf'))).catch(() => null))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
