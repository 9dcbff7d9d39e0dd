/**
 * Moves refs on behalf of the host: all of them or none, each only if it is still where the caller saw it.
 *
 * A branch that is deleted in the browser is kept for a while under `refs/texproof/`, so that its commits are not
 * collected. No client sees those refs: `git-settings.ts` hides them from fetches, and from pushes everything but
 * branches and tags.
 */
import { refuseRefName } from '../../domain/git/ref-names.ts'
import { isObjectId } from '../is-object-id.ts'
import { removeStaleLocks } from './stale-locks.ts'
import { runGit, type GitRun } from '../process/run-git.ts'
import { isLocked } from './locked-refs.ts'
import { syncRefs } from './sync-refs.ts'

/** One ref to move. */
export interface RefChange {
  /** Full name. */
  readonly ref: string
  /** Where it must be now; null = it must not be there. */
  readonly from: string | null
  /** Where it goes; null = it goes away. */
  readonly to: string | null
}

const TIMEOUT_MS = 30_000

/**
 * Moves the refs, durably; false when one of them was not where it should be, or its name stands in the way of another's.
 *
 * @throws Error for an invalid name, and for a ref whose lock is held.
 */
export async function changeRefs(
  gitDir: string,
  { changes, searchPath }: { readonly changes: readonly RefChange[]; readonly searchPath: string },
): Promise<boolean> {
  const since = Date.now()
  const run = await retryUnlocked(gitDir, () =>
    runGit(['update-ref', '-z', '--stdin'], {
      gitDir,
      searchPath,
      input: changes.map(encodeChange).join(''),
      // The signal comes first: it lets git remove its locks.
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
  // 128 is git's answer to a ref that has moved, exists or cannot exist, but also to a lock or a full disk.
  if (run.exitCode === 128 && movedRef.test(run.stderr)) return false
  throw new Error(`change refs: git ended with ${run.exitCode}: ${run.stderr.trim()}`)
}

/** Runs git again when a lock was in its way and turns out to be one that a crash has left. */
async function retryUnlocked(gitDir: string, change: () => Promise<GitRun>): Promise<GitRun> {
  const run = await change()
  if (run.kind !== 'exited' || !isLocked(run.stderr)) return run
  return (await removeStaleLocks(gitDir)).length === 0 ? run : change()
}

/** Messages of refs/files-backend.c and refs.c. */
const movedRef =
  /is at [0-9a-f]+ but expected|reference already exists|reference is missing|unable to resolve reference|but expected|exists; cannot create|cannot process .* at the same time|trying to write non-commit|nonexistent object|is not a valid|there (?:is|are) still (?:logs|refs) under|non-empty directory/

function encodeChange({ ref, from, to }: RefChange): string {
  const isKept = /^refs\/texproof\/deleted\/\d+$/.test(ref)
  const refusal = isKept ? null : refuseRefName(ref)
  if (refusal !== null) throw new Error(`change refs: ${refusal}`)
  for (const id of [from, to]) if (id !== null && !isObjectId(id)) throw new Error('change refs: no object id')
  if (from === null) return to === null ? '' : `create ${ref}\0${to}\0`
  return to === null ? `delete ${ref}\0${from}\0` : `update ${ref}\0${to}\0${from}\0`
}
