import { checkFilePath } from '../../domain/git/check-file-path.ts'
import type { Deps } from '../deps.ts'
import { checkFileLocation } from '../edit/check-file-location.ts'
import { commitOnBranch } from '../edit/commit-on-branch.ts'
import type { CommitOutcome, CommitStores, CommitTarget } from '../edit/commit-on-branch.ts'
import { findFile } from '../edit/find-file.ts'
import { findUpdates, toChanges, updateDrafts } from './move-references.ts'
import type { ReferenceUpdates } from './move-references.ts'

/** A file or folder to rename or move. */
export interface MovedEntry extends CommitTarget {
  readonly openedId: string
  readonly path: string
  readonly newPath: string
  /** Whether the commit also updates the paths in LaTeX sources. */
  readonly updatesReferences: boolean
}

/** The outcome. `there` = it is moved already. `changed` = it changed or was deleted since the user saw it. */
export type MoveOutcome = Exclude<CommitOutcome, { readonly kind: 'committed' }> | MovedOutcome | MoveStop

/** `referenceCount` = paths that were updated in sources; null = they could not be, or were not to be. */
type MovedOutcome = Extract<CommitOutcome, { readonly kind: 'committed' }> & { readonly referenceCount: number | null }

type MoveStop =
  | { readonly kind: 'there' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'refused'; readonly field: 'path'; readonly problem: string }

type MoveStores = CommitStores & Pick<Deps, 'git' | 'parsers' | 'rooms' | 'store'>

/** Larger trees are moved in a clone: every new path is checked. */
const MAX_FILES = 5_000

/** Commits a file or folder under a new path, if it has not changed since the user saw it. */
export async function moveEntry(stores: MoveStores, moved: MovedEntry): Promise<MoveOutcome> {
  const { repository, caller, openedId, path, newPath } = moved
  const find = (commitId: string, at: string) => findFile(stores.git, repository.id, { commitId, path: at })
  let updates: ReferenceUpdates | null = null
  const outcome = await commitOnBranch<MoveStop>(stores, moved, async (head) => {
    const headId = head ?? openedId
    if (newPath === path) return refuse('Enter a new path.')
    const [seen, now] = await Promise.all([find(openedId, path), find(headId, path)])
    if (seen === null) return { kind: 'changed' }
    if (now === null) {
      const there = await find(headId, newPath)
      return { kind: there?.objectId === seen.objectId ? 'there' : 'changed' }
    }
    if (now.objectId !== seen.objectId) return { kind: 'changed' }
    const problem = await checkMove(stores, moved, { headId, isFolder: now.kind === 'folder' })
    if (problem !== null) return refuse(problem)
    const move = { path, newPath }
    updates = moved.updatesReferences ? await findUpdates(stores, repository, { headId, move }) : null
    return { kind: 'changes', changes: [{ kind: 'rename', ...move }, ...(updates === null ? [] : toChanges(updates))] }
  })
  if (outcome.kind !== 'committed') return outcome
  if (updates === null) return { ...outcome, referenceCount: null }
  if (moved.newBranch === null) await updateDrafts(stores, moved, { userId: caller.user.id, updates })
  return { ...outcome, referenceCount: countReferences(updates) }
}

function countReferences({ updated }: ReferenceUpdates): number {
  return updated.reduce((total, { count }) => total + count, 0)
}

/** Why it cannot be moved; null if it can. */
async function checkMove(
  { git, store }: MoveStores,
  { repository: { id: repositoryId }, branch, path, newPath }: MovedEntry,
  { headId, isFolder }: { readonly headId: string; readonly isFolder: boolean },
): Promise<string | null> {
  if (newPath.startsWith(`${path}/`)) return `"${newPath}" is inside "${path}". Choose another folder.`
  const place = await checkFileLocation(git, { repositoryId, commitId: headId, path: newPath })
  if (place.kind === 'refused') return place.problem
  if (place.kind === 'file') return `A file "${newPath}" already exists. Choose another name.`
  const isMoved = (file: string): boolean => file === path || file.startsWith(`${path}/`)
  const drafts = await store.drafts.listOfBranch({ repositoryId, branch })
  const draft = drafts.find((each) => isMoved(each.path))
  if (draft !== undefined) return `"${draft.path}" has a draft. Commit or discard it first.`
  if (!isFolder) return null
  const files = await git.listFiles(repositoryId, headId, { maxFiles: MAX_FILES })
  if (files === null) return 'The branch has too many files. Move the folder in a clone and push.'
  const problems = files.filter((file) => isMoved(file.path)).map((file) => newPath + file.path.slice(path.length))
  return problems.map(checkFilePath).find((problem) => problem !== null) ?? null
}

function refuse(problem: string) {
  return { kind: 'refused', field: 'path', problem } as const
}
