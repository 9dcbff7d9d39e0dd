import { runGit, type QueryOptions } from '../process/run-git.ts'
import { MAX_READING_BYTES } from '../process/spawn-git.ts'

/** The output of `git blame --porcelain`, for `parseBlame`; `too-large` includes timeouts. */
export type Blame = { readonly kind: 'text'; readonly bytes: Buffer } | { readonly kind: 'too-large' | 'missing' }

const maxBlameBytes = 8 * 1024 * 1024

/** Finds the commit that wrote each line of a file. */
export async function readBlame(
  gitDir: string,
  options: QueryOptions & { readonly commitId: string; readonly path: string },
): Promise<Blame> {
  const { commitId, path, searchPath, signal } = options
  const run = await runGit(['blame', '--porcelain', commitId, '--', path], {
    gitDir,
    searchPath,
    signal,
    // File names in the output must not be quoted.
    settings: [['core.quotePath', 'false']],
    timeoutMs: 10_000,
    maxMemoryBytes: MAX_READING_BYTES,
    maxOutputBytes: maxBlameBytes,
  })
  if (run.kind !== 'exited') return { kind: 'too-large' }
  return run.exitCode === 0 ? { kind: 'text', bytes: run.stdout } : { kind: 'missing' }
}
