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
import { runGit, type GitRun } from '../process/run-git.ts'
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
 * @throws Error when git fails.
 */
export async function revertTornRefs(
  gitDir: string,
  { moves, searchPath }: { readonly moves: readonly PlannedMove[]; readonly searchPath: string },
): Promise<void> {
  const since = Date.now()
  const run = (args: readonly string[]): Promise<GitRun> =>
    runGit(args, { gitDir, searchPath, timeoutMs: 30_000, maxOutputBytes: 4_096 })

  for (const { ref, oldCommitId, newCommitId } of moves) {
    if (refuseRefName(ref) !== null || newCommitId === null) continue
    const file = path.join(gitDir, ref)
    const text = await readFile(file, 'latin1').catch(whenAbsent(null))
    if (text === null) continue
    const isEmpty = /^[\0\s]*$/.test(text)
    if (!isEmpty && (text.trim() !== newCommitId || !(await isMissing(newCommitId)))) continue
    if (isEmpty || oldCommitId === null) await rm(file)
    if (oldCommitId !== null) await restore(ref, oldCommitId)
  }
  await syncRefs(gitDir, { since })

  async function isMissing(id: string): Promise<boolean> {
    if (!isObjectId(id)) return false
    const found = await run(['cat-file', '-e', id])
    return found.kind === 'exited' && found.exitCode === 1
  }

  async function restore(ref: string, commitId: string): Promise<void> {
    const moved = await run(['update-ref', ref, commitId])
    if (moved.kind !== 'exited' || moved.exitCode !== 0) throw new Error(`revert ${ref}`, { cause: moved })
  }
}
