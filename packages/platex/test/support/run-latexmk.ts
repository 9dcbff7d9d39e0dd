import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ProjectEngine } from '../../src/base/types.ts'

/** The switches of latexmk for each engine. */
export const LATEXMK_SWITCHES: Readonly<Record<ProjectEngine, readonly string[]>> = {
  pdflatex: ['-pdf'],
  xelatex: ['-pdfxe'],
  lualatex: ['-pdflua'],
  latex: ['-pdfps'],
  platex: japanese('platex'),
  uplatex: japanese('uplatex'),
  tectonic: ['-pdf'],
}

function japanese(program: string): readonly string[] {
  return ['-pdfdvi', `-latex=${program} %O %S`, '-e', '$dvipdf = "dvipdfmx %O -o %D %S"']
}

const SWITCHES = ['-norc', '-f', '-interaction=nonstopmode', '-latexoption=-no-shell-escape']

const run = promisify(execFile)

/**
 * Runs latexmk in a folder, outside the sandbox, and returns how often it ran each rule: `pdflatex`, `bibtex`.
 *
 * Errors of the document are not failures.
 */
export async function runLatexmk(
  folder: string,
  { engine, epoch }: { readonly engine: ProjectEngine; readonly epoch: number },
): Promise<ReadonlyMap<string, number>> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch), FORCE_SOURCE_DATE: '1', LC_ALL: 'C.UTF-8' }
  const args = [...SWITCHES, ...LATEXMK_SWITCHES[engine], 'main.tex']
  const said = await run('latexmk', args, { cwd: folder, env, timeout: 180_000, maxBuffer: 64 << 20 }).catch(
    (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout ?? '', stderr: error.stderr ?? '' }),
  )
  const counts = new Map<string, number>()
  // Anywhere in a line: the last output of a program may have no line ending.
  for (const [, rule = ''] of `${said.stdout}${said.stderr}`.matchAll(/Run number \d+ of rule '(\w+)/g))
    counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}

/** Writes the files of a document into a folder. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
}
