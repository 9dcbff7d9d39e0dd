/**
 * Reverts refs of a push that a power failure has cut off. Such a push was not acknowledged, but some of its directory
 * entries can be on disk before others:
 *
 * - The refs of a large push are synced together, after their files were renamed (`serve-pack.ts`), so a name may be on
 *   disk before its content. git refuses another push to a ref that it cannot read.
 * - git renames the pack, then the ref. Another push can sync the folder of the ref between the two.
 */
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { refuseRefName } from '../../domain/git/ref-names.ts'
import { isObjectId } from '../is-object-id.ts'
import { runGit } from '../process/run-git.ts'
import { replaceLocked } from './replace-locked.ts'
import { syncRefs } from './sync-refs.ts'

/** A ref that a push was to move. */
export interface PlannedMove {
  /** Full name. */
  readonly ref: string
  /** null = the ref is created. */
  readonly oldCommitId: string | null
  /** null = the ref is deleted. */
  readonly newCommitId: string | null
}

/**
 * Gives refs their old value, or removes new ones, if their files are empty or name the new object although it is
 * missing; the others stay. Empty files contain only whitespace and NULs. Nothing else may move refs meanwhile.
 *
 * A ref is replaced in one step: a branch whose file was removed first would be lost if its old value cannot be written.
 *
 * @throws Error when git cannot tell whether an object exists, or a file cannot be written: then the refs must not count
 * as moved.
 */
export async function revertTornRefs(
  gitDir: string,
  { moves, searchPath }: { readonly moves: readonly PlannedMove[]; readonly searchPath: string },
): Promise<void> {
  const since = Date.now()
  for (const { ref, oldCommitId, newCommitId } of moves) {
    if (refuseRefName(ref) !== null || newCommitId === null) continue
    const file = path.join(gitDir, ref)
    const text = await readFile(file, 'latin1').catch(whenAbsent(null))
    if (text === null) continue
    const isEmpty = /^[\0\s]*$/.test(text)
    if (!isEmpty && (text.trim() !== newCommitId || (await isPresent(newCommitId)))) continue
    if (oldCommitId === null) await rm(file)
    else if (await isPresent(oldCommitId)) await replaceLocked(file, `${oldCommitId}\n`)
    else throw new Error(`revert ${ref}: its old commit ${oldCommitId} is missing`)
  }
  await syncRefs(gitDir, { since })

  async function isPresent(id: string): Promise<boolean> {
    if (!isObjectId(id)) return false
    const args = ['cat-file', '-e', id]
    const found = await runGit(args, { gitDir, searchPath, timeoutMs: 30_000, maxOutputBytes: 4_096 })
    // git exits with 128 for an object that it cannot read.
    if (found.kind === 'exited' && found.exitCode <= 1) return found.exitCode === 0
    throw new Error(`look for ${id}`, { cause: found })
  }
}
