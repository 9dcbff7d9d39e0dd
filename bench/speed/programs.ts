/** The programs to compare with: latexmk and one plain pass of an engine, each in its own folder, without a sandbox. */
import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'

import type { CorpusDocument } from '../../packages/platex/test/support/read-corpus.ts'
import { LATEXMK_SWITCHES, writeFiles } from '../../packages/platex/test/support/run-latexmk.ts'

/** Creates a folder with the files of a document. */
export async function makeCheckout(parent: string, files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(parent, 'checkout-'))
  await writeFiles(folder, files)
  return folder
}

/** Milliseconds of latexmk in a folder, which keeps the files of earlier runs. */
export function timeLatexmk({ engine }: Pick<CorpusDocument, 'engine'>, folder: string): Promise<number> {
  const args = ['-norc', '-f', '-silent', '-interaction=nonstopmode', ...LATEXMK_SWITCHES[engine], 'main.tex']
  return timeProgram('latexmk', args, folder)
}

/** Milliseconds of one engine pass in a folder. */
export function timePlainPass({ engine }: Pick<CorpusDocument, 'engine'>, folder: string): Promise<number> {
  return timeProgram(engine, ['-interaction=nonstopmode', '-file-line-error', '-no-shell-escape', 'main.tex'], folder)
}

function timeProgram(program: string, args: readonly string[], cwd: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', () => resolve(performance.now() - startedAt))
  })
}

/** Milliseconds of some work. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}
