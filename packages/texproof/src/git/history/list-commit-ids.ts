import { runGit, type QueryOptions } from '../process/run-git.ts'

/** Which stretch of a history. */
export interface HistoryWindow {
  readonly offset: number
  readonly limit: number
  /** Only commits that changed this file or folder; every commit when absent. */
  readonly path?: string
  /** Only commits that this one does not reach. */
  readonly since?: string
}

/** Ids of the commits that `commitId` reaches, newest first; null when it is none, or git took too long. */
export async function listCommitIds(
  gitDir: string,
  options: HistoryWindow & QueryOptions & { readonly commitId: string },
): Promise<readonly string[] | null> {
  const { commitId, offset, limit, path, since, searchPath, signal } = options
  const range = since === undefined ? [commitId] : [commitId, `^${since}`]
  const paths = path === undefined ? [] : [path]
  const args = ['--literal-pathspecs', 'rev-list', `--skip=${offset}`, `--max-count=${limit}`, ...range, '--', ...paths]
  const run = await runGit(args, { gitDir, searchPath, signal, timeoutMs: 10_000, maxOutputBytes: 70 * limit })
  if (run.kind !== 'exited' || run.exitCode !== 0) return null
  return run.stdout.toString('latin1').split('\n').slice(0, -1)
}
