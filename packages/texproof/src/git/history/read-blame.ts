import { runGit, type QueryOptions } from '../process/run-git.ts'

/** What `git blame --porcelain` prints, for `parseBlame`; `too-large` also when git took too long. */
export type Blame = { readonly kind: 'text'; readonly bytes: Buffer } | { readonly kind: 'too-large' | 'missing' }

const maxBlameBytes = 8 * 1024 * 1024

/** Reads for every line of a file the commit that wrote it. */
export async function readBlame(
  gitDir: string,
  options: QueryOptions & { readonly commitId: string; readonly path: string },
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
  return run.exitCode === 0 ? { kind: 'text', bytes: run.stdout } : { kind: 'missing' }
}
