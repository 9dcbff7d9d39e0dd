/**
 * Compiles documents from Debian's TeX documentation: `npm run test:corpus -- --published [WORD …]`.
 *
 * Every PDF that latexmk makes must be made, with the same number of pages unless the table gives a reason. Only a
 * document for which latexmk fails, too, may have errors. A document that needs what is not installed here is skipped, and
 * its packages are listed. `--measure` runs latexmk instead and prints the rows of the
 * table. Words select documents by their path.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { openProjectCompiler } from '../../../src/api/project.ts'
import type { CompileResult } from '../../../src/base/types.ts'
import { LATEXMK_SWITCHES } from '../../support/run-latexmk.ts'
import { findPackageFile } from './find-package-file.ts'
import { readProject } from './read-project.ts'
import { readPublished, type PublishedDocument } from './read-published.ts'

const TIMEOUT_MS = 300_000
const run = promisify(execFile)

/** Compiles the selected documents and prints a line for each; true when all are as the table says. */
export async function runPublished(words: readonly string[], isMeasuring: boolean): Promise<boolean> {
  const chosen = (await readPublished()).filter(({ path }) => words.length === 0 || words.some((w) => path.includes(w)))
  const compiler = await openProjectCompiler({ sandbox: 'auto' })
  const queue = [...chosen]
  let failures = 0
  let falseErrors = 0
  let skipped = 0
  const work = async (): Promise<void> => {
    for (let document = queue.shift(); document !== undefined; document = queue.shift()) {
      const project = await readProject(await findPackageFile(document.debianPackage, document.path))
      if (isMeasuring) {
        console.log(rowOf(document, await measureLatexmk(project, document)))
        continue
      }
      const outcome = await compiler.compile({ ...project, engine: document.engine, timeoutMs: TIMEOUT_MS })
      const missing = listMissing(outcome.result)
      if (missing.length > 0) {
        skipped += 1
        console.log(`skip ${document.path}: requires ${missing.join(', ')}`)
        continue
      }
      const pages = await countPages(outcome.result.pdf)
      const unwanted = document.isBroken ? [] : outcome.result.errors
      const expected = document.exception?.pages ?? document.pages
      // The count of some documents depends on the fonts of the machine: latexmk is asked again before they fail.
      const isPageCount = pages === expected || pages === (await measureLatexmk(project, document)).pages
      const isGood = isPageCount && unwanted.length === 0
      if (!isGood) failures += 1
      falseErrors += unwanted.length
      console.log(
        `${isGood ? 'ok  ' : 'FAIL'} ${document.path}${isGood ? noteOnPages(pages, expected) : describe(document, pages, outcome.result)}`,
      )
    }
  }
  await Promise.all([work(), work()])
  await compiler.close()
  const healthy = chosen.filter(({ isBroken }) => !isBroken).length
  if (!isMeasuring) {
    const compared = chosen.length - skipped
    console.log(`${compared - failures} of ${compared} published documents as expected, ${skipped} skipped`)
    console.log(`${falseErrors} false errors in ${healthy} documents without errors`)
  }
  return failures === 0
}

/** Packages that provide the missing fonts and files of a document. */
function listMissing({ errors }: CompileResult): readonly string[] {
  return [...new Set(errors.flatMap(({ package: missing }) => missing?.debian ?? missing?.texlive ?? []))]
}

function rowOf(document: PublishedDocument, { pages, exitCode }: LatexmkRun): string {
  const { debianPackage, path, kind, engine, exception } = document
  const end = exitCode === 0 ? '' : 'fails'
  return [debianPackage, path, kind, engine, pages, end, exception?.pages ?? '', exception?.reason ?? ''].join('\t')
}

function noteOnPages(pages: number, expected: number): string {
  return pages === expected ? '' : `: ${pages} pages instead of ${expected}, with latexmk, too`
}

function describe(
  { engine, pages: expected, isBroken }: PublishedDocument,
  pages: number,
  result: CompileResult,
): string {
  const listed = result.errors.map(({ file, line, message }) => `\n       ${file ?? '?'}:${line ?? '?'}: ${message}`)
  const ending = isBroken ? 'latexmk fails, too' : 'no errors expected'
  return `\n       ${engine}, ${pages} pages instead of ${expected}; ${ending}${listed.join('')}`
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

interface LatexmkRun {
  readonly pages: number
  readonly exitCode: number
}

async function measureLatexmk(
  { rootFile, files }: Awaited<ReturnType<typeof readProject>>,
  { engine }: PublishedDocument,
): Promise<LatexmkRun> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  try {
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
    const switches = [
      '-norc',
      '-f',
      '-interaction=nonstopmode',
      '-latexoption=-no-shell-escape',
      ...LATEXMK_SWITCHES[engine],
    ]
    const options = { cwd: folder, timeout: TIMEOUT_MS, maxBuffer: 64 << 20 }
    const exitCode = await run('latexmk', [...switches, rootFile], options).then(
      () => 0,
      (error: { code?: number }) => error.code ?? 1,
    )
    // Documents with errors have PDFs, too.
    const pdf = await readFile(join(folder, rootFile.replace(/\.tex$/, '.pdf'))).catch(() => null)
    return { pages: await countPages(pdf), exitCode }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
