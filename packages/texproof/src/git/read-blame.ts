import { parseBlame, type BlamedLine } from './parse-blame.ts'
import { runGit } from './run-git.ts'
import type { WalkOptions } from './share-walks.ts'

/** Which lines came from where; `too-large` also when git took too long. */
export type Blame =
  | { readonly kind: 'lines'; readonly lines: readonly BlamedLine[] }
  | { readonly kind: 'too-large' | 'missing' }

const maxBlameBytes = 8 * 1024 * 1024

/** Reads for every line of a file the commit that wrote it. */
export async function readBlame(
  gitDir: string,
  options: WalkOptions & { readonly commitId: string; readonly path: string },
): Promise<Blame> {
  const { commitId, path, searchPath, signal } = options
  const run = await runGit(['blame', '--porcelain', commitId, '--', path], {
    gitDir,
    searchPath,
    signal,
    // The name of a file stands in what we parse: as it is.
    settings: [['core.quotePath', 'false']],
    timeoutMs: 10_000,
    maxOutputBytes: maxBlameBytes,
  })
  if (run.kind !== 'exited') return { kind: 'too-large' }
  return run.exitCode === 0 ? { kind: 'lines', lines: parseBlame(run.stdout.toString('utf8')) } : { kind: 'missing' }
}
