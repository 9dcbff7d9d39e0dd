import { runGit } from '../process/run-git.ts'

/** Walks a history of a million commits. */
const TIMEOUT_MS = 60 * 60_000

/**
 * Whether everything that the refs of a repository reach is in it, as a fetch makes sure of it; null when so, else what
 * git says is missing. What stops it by the signal is thrown.
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
