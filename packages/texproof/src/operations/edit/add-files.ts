import type { FileChange } from '../../git/types.ts'
import { commitOnBranch } from './commit-on-branch.ts'
import type { CommitOutcome, CommitStores, CommitTarget } from './commit-on-branch.ts'
import { findFile } from './find-file.ts'
import { checkFileLocation } from './check-file-location.ts'

/** Files to commit to a branch. */
export interface AddedFiles extends CommitTarget {
  /** Path → bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Whether existing files are replaced, if the user has seen their current version. */
  readonly replaces: boolean
}

/** The outcome. `there` = the branch has the same files already. */
export type AddOutcome = CommitOutcome | AddStop

type AddStop =
  | { readonly kind: 'there' }
  | { readonly kind: 'refused'; readonly field: 'path'; readonly problem: string }

/** Limits of one commit: number of files, bytes of one file and bytes of all files. */
export const addLimits = { files: 50, fileBytes: 10 * 1024 ** 2, totalBytes: 25 * 1024 ** 2 }

/** Commits new files, and new versions of existing ones. */
export function addFiles(stores: CommitStores, added: AddedFiles): Promise<AddOutcome> {
  return commitOnBranch<AddStop>(stores, added, async (headId) => {
    const changes: FileChange[] = []
    for (const [path, bytes] of added.files) {
      const change = await composeChange(stores, added, { path, bytes, headId })
      if (typeof change === 'string') return { kind: 'refused', field: 'path', problem: change }
      if (change !== null) changes.push(change)
    }
    return changes.length === 0 ? { kind: 'there' } : { kind: 'changes', changes }
  })
}

/** Returns null if the branch has the same file; else the change, or the reason of a refusal. */
async function composeChange(
  { git }: CommitStores,
  { repository: { id: repositoryId }, openedId, replaces }: AddedFiles,
  { path, bytes, headId }: { readonly path: string; readonly bytes: Uint8Array; readonly headId: string | null },
): Promise<FileChange | string | null> {
  const place = await checkFileLocation(git, { repositoryId, commitId: headId, path })
  if (place.kind === 'refused') return place.problem
  if (place.kind === 'free') return { kind: 'write', path, bytes, isExecutable: false }
  const { objectId, kind } = place.file
  const there = await git.readBlob(repositoryId, objectId, { maxBytes: addLimits.fileBytes })
  if (there !== null && Buffer.compare(there, bytes) === 0) return null
  if (!replaces) return `A file "${path}" already exists. Edit it, or choose another name.`
  const seen = openedId === null ? null : await findFile(git, repositoryId, { commitId: openedId, path })
  if (seen?.objectId !== objectId)
    return `"${path}" has changed since you opened this page. Nothing was uploaded. Review the file, then upload yours again to replace it.`
  return { kind: 'write', path, bytes, isExecutable: kind === 'executable' }
}
