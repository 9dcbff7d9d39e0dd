/** The drafts of other files that one commit can contain. */
import type { SharedDraft } from '../../live/rooms.ts'
import type { DraftKey } from '../../store/repositories/drafts.ts'
import type { Deps } from '../deps.ts'
import { readDrafts } from './drafts.ts'

/** A draft of another file of the branch. */
export interface OtherDraft {
  readonly path: string
  /** Whether the user has changed it since the last commit. */
  readonly isOwn: boolean
}

/** Files of one commit. */
const MAX_FILES = 100

/** The changed drafts of a branch, except the draft of one file, sorted by path. */
export async function listOtherDrafts(
  { store }: Pick<Deps, 'store'>,
  { repositoryId, branch, path }: DraftKey,
  userId: string,
): Promise<readonly OtherDraft[]> {
  const drafts = await store.drafts.listOfBranch({ repositoryId, branch })
  const own = new Set(await store.drafts.listIdsOfAuthor({ repositoryId, branch }, userId))
  return drafts
    .filter((draft) => draft.path !== path)
    .slice(0, MAX_FILES)
    .map((draft) => ({ path: draft.path, isOwn: own.has(draft.id) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** The chosen drafts that still have changes. */
export async function readOtherDrafts(
  deps: Pick<Deps, 'git' | 'rooms' | 'store'>,
  { repositoryId, branch, path }: DraftKey,
  paths: readonly string[],
): Promise<readonly SharedDraft[]> {
  const chosen = new Set(paths)
  const listed = await deps.store.drafts.listOfBranch({ repositoryId, branch })
  const wanted = listed.map((draft) => draft.path).filter((each) => each !== path && chosen.has(each))
  const drafts = await readDrafts(deps, { repositoryId, branch }, wanted.slice(0, MAX_FILES))
  return drafts.filter(({ isChanged }) => isChanged)
}
