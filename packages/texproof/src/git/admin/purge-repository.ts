/**
 * Removes the commits that no branch and no tag reaches, with all objects that only they reach. Otherwise, git keeps
 * them: commits of deleted branches, and those replaced by a force push, stay readable by id.
 *
 * No push may run at the same time: a push relies on existing objects, which must not disappear.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'

import { DiskFull, findDiskRoom, readStorageFailure } from '../../base/storage-failure.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { indexHistory } from './index-history.ts'
import { runGit } from '../process/run-git.ts'
import { syncRefs } from '../refs/sync-refs.ts'

/** An unreachable commit. */
export interface UnreachableCommit {
  readonly id: string
  /** Day of the commit, `2026-11-20`. */
  readonly date: string
  readonly subject: string
}

export interface PurgeOptions {
  readonly searchPath: string
  readonly signal?: AbortSignal
}

const hiddenRefs = 'refs/texproof/*'
const timeoutMs = 6 * 3_600_000
const maxOutputBytes = 512 * 1024 * 1024
/** Number of ids that fit on a command line. */
const describedAtOnce = 500

/** Commits that no branch and no tag reaches, sorted by id. */
export async function listUnreachableCommits(
  gitDir: string,
  options: PurgeOptions,
): Promise<readonly UnreachableCommit[]> {
  const objects = await readLines(
    gitDir,
    ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objecttype) %(objectname)'],
    options,
  )
  const reachable = new Set(await readLines(gitDir, ['rev-list', `--exclude=${hiddenRefs}`, '--all'], options))
  const ids = objects
    .filter((line) => line.startsWith('commit '))
    .map((line) => line.slice('commit '.length))
    .filter((id) => !reachable.has(id))
    .toSorted()
  const commits: UnreachableCommit[] = []
  for (let start = 0; start < ids.length; start += describedAtOnce)
    commits.push(...(await describe(gitDir, ids.slice(start, start + describedAtOnce), options)))
  return commits
}

/**
 * Checks that the disk has room for a purge. Git writes what it keeps into a new pack before it removes the old ones; if it
 * fails halfway, the incomplete pack fills the disk for everyone.
 *
 * @throws DiskFull; Error when git fails.
 */
export async function requirePurgeRoom(gitDir: string, options: PurgeOptions): Promise<void> {
  const kept = await run(gitDir, ['rev-list', '--disk-usage', '--objects', `--exclude=${hiddenRefs}`, '--all'], options)
  const [needed, room] = [Number(kept), await findDiskRoom(gitDir)]
  if (needed <= room) return
  const free = formatBytes(Math.max(0, room))
  throw new DiskFull(`a purge rewrites the repository, which needs ${formatBytes(needed)}; ${free} can be used`)
}

/** Removes internal refs, reflogs, objects and the commit graph permanently. */
export async function purgeRepository(gitDir: string, options: PurgeOptions): Promise<void> {
  const since = Date.now()
  for (const ref of await readLines(gitDir, ['for-each-ref', '--format=%(refname)', 'refs/texproof/'], options))
    await run(gitDir, ['update-ref', '-d', '--', ref], options)
  // No ref may come back after its objects.
  await syncRefs(gitDir, { since })
  await run(gitDir, ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all'], options)
  await run(gitDir, ['gc', '--prune=now', '--quiet'], options)
  for (const name of ['commit-graph', 'commit-graphs'])
    await rm(path.join(gitDir, 'objects/info', name), { recursive: true, force: true })
  await run(gitDir, indexHistory, options)
  await syncRefs(gitDir, { since })
}

async function describe(
  gitDir: string,
  ids: readonly string[],
  options: PurgeOptions,
): Promise<readonly UnreachableCommit[]> {
  const args = ['log', '--no-walk=unsorted', '--format=%H %cs %s', '--end-of-options', ...ids]
  const lines = await readLines(gitDir, args, options)
  return lines.map((line) => {
    const [id = '', date = ''] = line.split(' ', 2)
    return { id, date, subject: line.slice(id.length + date.length + 2) }
  })
}

async function readLines(gitDir: string, args: readonly string[], options: PurgeOptions): Promise<readonly string[]> {
  return (await run(gitDir, args, options)).split('\n').filter((line) => line !== '')
}

/** @throws DiskFull; Error when git fails; the signal's reason when it was aborted. */
async function run(gitDir: string, args: readonly string[], options: PurgeOptions): Promise<string> {
  const outcome = await runGit(args, { gitDir, timeoutMs, maxOutputBytes, ...options })
  options.signal?.throwIfAborted()
  if (outcome.kind === 'exited' && outcome.exitCode === 0) return outcome.stdout.toString()
  if (outcome.kind === 'exited' && readStorageFailure(outcome.stderr) === 'full')
    throw new DiskFull(outcome.stderr.trim())
  const detail = outcome.kind === 'exited' ? outcome.stderr.trim() : outcome.kind
  throw new Error(`purge repository: git ${args[0] ?? ''}: ${detail}`)
}
