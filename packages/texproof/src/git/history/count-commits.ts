import { runGit, type QueryOptions } from '../process/run-git.ts'

/** More commits than this are not counted: the walk would keep a page waiting. */
export const maxCountedCommits = 10_000

/**
 * Commits that branches and tags reach, each counted once; one more than `maxCountedCommits` where there are more, null
 * when git took too long.
 */
export async function countCommits(gitDir: string, options: QueryOptions): Promise<number | null> {
  const limits = { timeoutMs: 5_000, maxOutputBytes: 256 }
  const args = ['rev-list', '--count', `--max-count=${maxCountedCommits + 1}`, '--branches', '--tags']
  const run = await runGit(args, { gitDir, ...options, ...limits })
  return run.kind === 'exited' && run.exitCode === 0 ? Number(run.stdout.toString('latin1')) : null
}
