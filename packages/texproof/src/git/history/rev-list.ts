/**
 * Queries that use `git rev-list` and `git merge-base`. Queries of `git rev-list` return null if a commit is missing, or git
 * timed out. All throw if this machine failed.
 */
import { isMachineFault } from '../refs/locked-refs.ts'
import { GitTimeout, runGit, type QueryOptions } from '../process/run-git.ts'
import { pathspecsOf } from './pathspecs.ts'

/** A part of a history. */
export interface HistoryWindow {
  readonly offset: number
  readonly limit: number
  /** File or folder that the commits must change; all commits if absent. */
  readonly path?: string
  /** Commit whose ancestors are excluded, with itself. */
  readonly since?: string
}

/** Distance of two commits: the number of commits that only one of them reaches. */
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
  const paths = path === undefined ? [] : pathspecsOf(path)
  const args = ['rev-list', `--skip=${offset}`, `--max-count=${limit}`, ...range, '--', ...paths]
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

/**
 * The merge base of two commits; null if they have none, or one is missing.
 *
 * @throws GitTimeout, or Error when git cannot read the history: a failure must not look like an unrelated history.
 */
export async function findMergeBase(
  gitDir: string,
  { commitIds, ...how }: QueryOptions & { readonly commitIds: readonly [string, string] },
): Promise<string | null> {
  const run = await runGit(['merge-base', ...commitIds], { gitDir, maxOutputBytes: 256, timeoutMs: 10_000, ...how })
  if (run.kind !== 'exited') throw new GitTimeout(`find a merge base: ${run.kind}`)
  if (run.exitCode === 0) return run.stdout.toString('latin1').trim()
  const isMissing = /^fatal: Not a valid commit name/m.test(run.stderr) && !isMachineFault(run.stderr)
  if (run.exitCode === 1 || isMissing) return null
  throw new Error(`find a merge base: git ended with ${run.exitCode}: ${run.stderr.trim()}`)
}

async function query(
  gitDir: string,
  args: readonly string[],
  options: QueryOptions & { readonly timeoutMs: number; readonly maxOutputBytes?: number },
): Promise<string | null> {
  const run = await runGit(args, { gitDir, maxOutputBytes: 256, ...options })
  if (run.kind !== 'exited') return null
  if (run.exitCode === 0) return run.stdout.toString('latin1')
  if (isMachineFault(run.stderr)) throw new Error(`read a history: ${run.stderr.trim()}`)
  return null
}
