import { runGit } from './run-git.ts'

/** Commits that branches and tags reach, each counted once; null when git took too long. */
export async function countCommits(gitDir: string, options: { readonly searchPath: string }): Promise<number | null> {
  const limits = { timeoutMs: 5_000, maxOutputBytes: 256 }
  const run = await runGit(['rev-list', '--count', '--branches', '--tags'], { gitDir, ...options, ...limits })
  return run.kind === 'exited' && run.exitCode === 0 ? Number(run.stdout.toString('latin1')) : null
}
