import { runGit, type QueryOptions } from '../process/run-git.ts'

/** The newest commit that two commits have in common; null when they share none, or git took too long. */
export async function findMergeBase(
  gitDir: string,
  { commitIds, searchPath, signal }: QueryOptions & { readonly commitIds: readonly [string, string] },
): Promise<string | null> {
  const limits = { timeoutMs: 10_000, maxOutputBytes: 256 }
  const run = await runGit(['merge-base', ...commitIds], { gitDir, searchPath, signal, ...limits })
  if (run.kind !== 'exited' || run.exitCode !== 0) return null
  return run.stdout.toString('latin1').trim()
}
