/**
 * Moves refs on behalf of the host: all or none, each only if it still has the expected value.
 *
 * A branch that is deleted in the browser is kept for a while under `refs/texproof/`, so that its commits are not
 * garbage collected. Clients do not see those refs: `git-settings.ts` hides them from fetches, and everything but
 * branches and tags from pushes.
 */
import { refuseRefName } from '../../domain/git/ref-names.ts'
import { isObjectId } from '../is-object-id.ts'
import { removeStaleLocks } from './stale-locks.ts'
import { runGit, type GitRun } from '../process/run-git.ts'
import { isLocked, isMoved } from './locked-refs.ts'
import { syncRefs } from './sync-refs.ts'

/** One ref to move. */
export interface RefChange {
  /** Full name. */
  readonly ref: string
  /** The expected commit; null = the ref must not exist. */
  readonly from: string | null
  /** The new commit; null = the ref is deleted. */
  readonly to: string | null
}

const TIMEOUT_MS = 30_000

/**
 * Moves the refs durably; false if one did not have the expected value, or its name conflicts with another ref.
 *
 * @throws Error for an invalid name, for a ref whose lock is held, and for one that git cannot read.
 */
export async function changeRefs(
  gitDir: string,
  {
    changes,
    searchPath,
    removeLocks = removeStaleLocks,
  }: {
    readonly changes: readonly RefChange[]
    readonly searchPath: string
    readonly removeLocks?: typeof removeStaleLocks
  },
): Promise<boolean> {
  const since = Date.now()
  const run = await retryUnlocked(
    () => removeLocks(gitDir),
    () =>
      runGit(['update-ref', '-z', '--stdin'], {
        gitDir,
        searchPath,
        input: changes.map(encodeChange).join(''),
        // The signal comes first, so that git can remove its locks.
        signal: AbortSignal.timeout(TIMEOUT_MS),
        timeoutMs: 2 * TIMEOUT_MS,
        maxOutputBytes: 4_096,
      }),
  )
  if (run.kind !== 'exited') throw new Error(`change refs: git ended early (${run.kind})`)
  if (run.exitCode === 0) {
    await syncRefs(gitDir, { since })
    return true
  }
  // git exits with 128 for a ref that has moved, exists or cannot exist, but also for a lock or a full disk.
  if (run.exitCode === 128 && isMoved(run.stderr)) return false
  throw new Error(`change refs: git ended with ${run.exitCode}: ${run.stderr.trim()}`)
}

/** Runs git again if a stale lock of a crashed process blocked it. */
async function retryUnlocked(
  removeLocks: () => Promise<readonly string[]>,
  change: () => Promise<GitRun>,
): Promise<GitRun> {
  const run = await change()
  if (run.kind !== 'exited' || !isLocked(run.stderr)) return run
  return (await removeLocks()).length === 0 ? run : change()
}

function encodeChange({ ref, from, to }: RefChange): string {
  const isKept = /^refs\/texproof\/deleted\/\d+$/.test(ref)
  const refusal = isKept ? null : refuseRefName(ref)
  if (refusal !== null) throw new Error(`change refs: ${refusal}`)
  for (const id of [from, to]) if (id !== null && !isObjectId(id)) throw new Error('change refs: no object id')
  if (from === null) return to === null ? '' : `create ${ref}\0${to}\0`
  return to === null ? `delete ${ref}\0${from}\0` : `update ${ref}\0${to}\0${from}\0`
}
