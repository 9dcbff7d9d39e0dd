/** Queries that use `git rev-list` and `git merge-base`. They return null if a commit is missing, or git timed out. */
import { runGit, type QueryOptions } from '../process/run-git.ts'

/** A part of a history. */
export interface HistoryWindow {
  readonly offset: number
  readonly limit: number
  /** Only commits that changed this file or folder; all commits if absent. */
  readonly path?: string
  /** Only commits that are not reachable from this one. */
  readonly since?: string
}

/** How far two commits are apart: the number of commits that only one of them reaches. */
export interface Distance {
  readonly ahead: number
  readonly behind: number
}

/** Two commits to compare. */
export interface CommitPair {
  readonly baseId: string
  readonly commitId: string
}

/** Further commits are not counted: the walk would delay the page. */
export const maxCountedCommits = 10_000

/** Ids of the commits that `commitId` reaches, newest first. */
export async function listCommitIds(
  gitDir: string,
  options: HistoryWindow & QueryOptions & { readonly commitId: string },
): Promise<readonly string[] | null> {
  const { commitId, offset, limit, path, since, ...how } = options
  const range = since === undefined ? [commitId] : [commitId, `^${since}`]
  const paths = path === undefined ? [] : [path]
  const args = ['--literal-pathspecs', 'rev-list', `--skip=${offset}`, `--max-count=${limit}`, ...range, '--', ...paths]
  const found = await query(gitDir, args, { ...how, timeoutMs: 10_000, maxOutputBytes: 70 * limit })
  return found?.split('\n').slice(0, -1) ?? null
}

/** Number of commits that branches and tags reach, each counted once; at most `maxCountedCommits` + 1. */
export async function countCommits(gitDir: string, how: QueryOptions): Promise<number | null> {
  const args = ['rev-list', '--count', `--max-count=${maxCountedCommits + 1}`, '--branches', '--tags']
  const found = await query(gitDir, args, { ...how, timeoutMs: 5_000 })
  return found === null ? null : Number(found)
}

/** The distance of `commitId` from `baseId`. */
export async function countDistance(
  gitDir: string,
  { baseId, commitId, ...how }: CommitPair & QueryOptions,
): Promise<Distance | null> {
  const args = ['rev-list', '--left-right', '--count', `${baseId}...${commitId}`, '--']
  const found = await query(gitDir, args, { ...how, timeoutMs: 5_000 })
  const [behind, ahead] = found?.trim().split('\t').map(Number) ?? []
  return ahead === undefined || behind === undefined ? null : { ahead, behind }
}

/** The merge base of two commits; null also if they have none. */
export async function findMergeBase(
  gitDir: string,
  { commitIds, ...how }: QueryOptions & { readonly commitIds: readonly [string, string] },
): Promise<string | null> {
  return (await query(gitDir, ['merge-base', ...commitIds], { ...how, timeoutMs: 10_000 }))?.trim() ?? null
}

async function query(
  gitDir: string,
  args: readonly string[],
  options: QueryOptions & { readonly timeoutMs: number; readonly maxOutputBytes?: number },
): Promise<string | null> {
  const run = await runGit(args, { gitDir, maxOutputBytes: 256, ...options })
  return run.kind === 'exited' && run.exitCode === 0 ? run.stdout.toString('latin1') : null
}
