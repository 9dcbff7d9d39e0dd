/**
 * Drafts: what has been typed in the editor and not committed. A file of a branch has one draft, which all users who may
 * write to the repository see and edit. It ends with a commit or explicitly, never otherwise.
 */
import { posix } from 'node:path'

import { maxPathBytes } from '../../domain/git/check-file-path.ts'
import { readSourceText } from '../../domain/text/source-text.ts'
import type { Repository } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { RoomFile, RoomPlace, SharedDraft } from '../../live/rooms.ts'
import type { DraftKey, DraftSummary } from '../../store/repositories/drafts.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import type { RepositoryRequest } from '../repository/find-readable-repository.ts'
import { findWritableRepository } from '../repository/find-writable-repository.ts'
import { findFile } from './find-file.ts'
import { inGroups } from './in-groups.ts'
import { maxEditedBytes } from './merge-edit.ts'

/** Drafts on the home page at most. */
const MAX_LISTED = 10
/** Drafts of a branch that are read at most. Each opens a room: fewer than a host may have. */
const MAX_READ = 400

/** A draft, and the file at the head of the branch. */
export function draftPlace({ git }: { readonly git: GitStore }, key: DraftKey): RoomPlace {
  return {
    key,
    findHead: async () => (await git.findBranch(key.repositoryId, key.branch))?.commitId ?? null,
    readFile: () => readFileOfBranch(git, key),
    findNewPath: (fromCommitId, toCommitId) => findNewPath(git, key, { fromCommitId, toCommitId }),
  }
}

/** Where a renamed file is: the only new file with its contents, or with its contents and its name in another folder. */
async function findNewPath(
  git: GitStore,
  { repositoryId, path: oldPath }: DraftKey,
  range: { readonly fromCommitId: string; readonly toCommitId: string },
): Promise<string | null> {
  const changes = (await git.listChanges(repositoryId, { ...range, path: '' })) ?? []
  const objectId = changes.find(({ path }) => path === oldPath)?.before?.objectId
  const added = changes.filter(({ before, after }) => before === null && after?.objectId === objectId)
  const sameName = added.filter(({ path }) => posix.basename(path) === posix.basename(oldPath))
  return [added, sameName].find(({ length }) => length === 1)?.[0]?.path ?? null
}

/**
 * Ends a draft: the text becomes the text of the branch. `draft` = what was committed; null = discard whatever it is.
 * `branch` = where it was committed. @default the branch of the draft
 * `newPath` = the path of the file in the commit. @default the path of the draft
 */
export async function endDraft(
  deps: Pick<Deps, 'git' | 'rooms'>,
  key: DraftKey,
  {
    draft,
    by,
    branch = key.branch,
    newPath = key.path,
  }: {
    readonly draft: SharedDraft | null
    readonly by: string
    readonly branch?: string
    readonly newPath?: string
  },
): Promise<void> {
  const place = draftPlace(deps, key)
  const file = await place.readFile()
  // The commit has renamed the file, or it never existed.
  const missing = { commitId: draft?.openedId ?? '', text: draft?.text ?? '' }
  await deps.rooms.settle(place, {
    draft,
    by,
    branch: branch === key.branch ? null : branch,
    newPath: newPath === key.path ? null : newPath,
    file: file ?? missing,
    isDiscarded: draft === null,
  })
}

/**
 * The drafts of a branch: path → text. If they are too many, those that were changed last. Files that are not text are omitted.
 */
export async function readDraftsOfBranch(
  deps: Pick<Deps, 'git' | 'rooms' | 'store'>,
  { repositoryId, branch }: Omit<DraftKey, 'path'>,
): Promise<ReadonlyMap<string, string>> {
  const listed = await deps.store.drafts.listOfBranch({ repositoryId, branch })
  const newest = listed.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, MAX_READ)
  const texts = await inGroups(newest, async ({ path }) => {
    const text = await deps.rooms.readText(draftPlace(deps, { repositoryId, branch, path }))
    return { path, text }
  })
  return new Map(texts.flatMap(({ path, text }) => (text === null ? [] : [[path, text]])))
}

/** The drafts of files, with their revisions. Files that are not text are omitted. */
export async function readDrafts(
  deps: Pick<Deps, 'git' | 'rooms'>,
  { repositoryId, branch }: Omit<DraftKey, 'path'>,
  paths: readonly string[],
): Promise<readonly SharedDraft[]> {
  const drafts = await inGroups(paths, (path) => deps.rooms.read(draftPlace(deps, { repositoryId, branch, path })))
  return drafts.filter((draft) => draft !== null)
}

/** A draft of a repository that its author may still write to. */
export interface ListedDraft {
  readonly draft: DraftSummary
  readonly repository: Repository
}

/** The newest drafts of a user, for the home page. */
export async function listDrafts(store: Store, caller: NonNullable<RepositoryRequest['caller']>) {
  const drafts = await store.drafts.listOfUser(caller.user.id, MAX_LISTED)
  const listed = await Promise.all(
    drafts.map(async (draft): Promise<ListedDraft[]> => {
      const found = await store.repositories.findById(draft.repositoryId)
      if (found === null) return []
      const writable = await findWritableRepository(store, { caller, owner: found.owner.login, name: found.name })
      return writable.kind === 'ok' ? [{ draft, repository: writable.repository }] : []
    }),
  )
  return listed.flat()
}

/** A longer path, which a push may contain, does not fit into an index of PostgreSQL: its file has no draft. */
async function readFileOfBranch(git: GitStore, { repositoryId, branch, path }: DraftKey): Promise<RoomFile | null> {
  if (Buffer.byteLength(path) > maxPathBytes) return null
  const head = await git.findBranch(repositoryId, branch)
  if (head === null) return null
  const file = await findFile(git, repositoryId, { commitId: head.commitId, path })
  if (file === null || (file.kind !== 'file' && file.kind !== 'executable')) return null
  const bytes = await git.readBlob(repositoryId, file.objectId, { maxBytes: maxEditedBytes })
  const text = bytes === null ? null : readSourceText(bytes)
  return text === null ? null : { commitId: head.commitId, text }
}
