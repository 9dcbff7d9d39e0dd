import { runGit } from '../process/run-git.ts'

/** Time limit that is enough for a history of a million commits. */
const TIMEOUT_MS = 60 * 60_000

/**
 * Checks like a fetch that a repository has everything its refs reach. Returns null, or git's report of missing
 * objects. Throws when it is aborted.
 */
export async function checkConnectivity(
  gitDir: string,
  { searchPath, signal }: { readonly searchPath: string; readonly signal?: AbortSignal | undefined },
): Promise<string | null> {
  const args = ['rev-list', '--objects', '--quiet', '--all']
  const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: 4_096, ...(signal === undefined ? {} : { signal }) }
  const run = await runGit(args, { gitDir, searchPath, ...limits })
  signal?.throwIfAborted()
  if (run.kind !== 'exited') return `git did not end its walk (${run.kind})`
  return run.exitCode === 0 ? null : run.stderr.trim().replaceAll('\n', ', ') || `git ended with ${run.exitCode}`
}
