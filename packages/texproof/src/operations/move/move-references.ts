/** References to a file or folder that moves: finds them in the sources of a branch, and updates commits and drafts. */
import { defineTask } from '../../base/thread-task.ts'
import type { Repository } from '../../domain/types.ts'
import type { FileChange, GitStore, TreeFile } from '../../git/types.ts'
import type { Deps } from '../deps.ts'
import { readDrafts } from '../edit/drafts.ts'
import { writeDrafts } from '../project-search/branch-texts.ts'
import { movedPath } from './moved-path.ts'
import type { Move } from './moved-path.ts'
import type { MovedSources, SourceBytes, UpdatedSource, updateReferences } from './update-references.ts'
import { isSettingsFile } from './update-settings.ts'

/** The sources of a commit, and those that change. */
export interface ReferenceUpdates extends MovedSources {
  readonly ownerId: string
  readonly updated: readonly UpdatedSource[]
  readonly executables: ReadonlySet<string>
}

const UPDATE = defineTask<typeof updateReferences>(import.meta.resolve('./update-references.ts'), 'updateReferences')
const MAX_FILES = 5_000
const MAX_SOURCES = 1_000
const MAX_SOURCE_BYTES = 1024 ** 2
const MAX_TOTAL_BYTES = 16_000_000
const READS_AT_ONCE = 16
/** Each opens a room. */
const MAX_DRAFTS = 100

/** Changes to the sources of a commit; null if they are too many or too large to read. */
export async function findUpdates(
  { git, parsers }: Pick<Deps, 'git' | 'parsers'>,
  { id, owner }: Repository,
  { headId, move }: { readonly headId: string; readonly move: Move },
): Promise<ReferenceUpdates | null> {
  const listed = await git.listFiles(id, headId, { maxFiles: MAX_FILES })
  const files = listed && (await readSources(git, id, listed))
  if (listed === null || files === null) return null
  const sources = { files, paths: listed.map(({ path }) => path), move }
  const outcome = await parsers.run(UPDATE, sources, { ownerId: owner.id })
  if (outcome.kind !== 'done') return null
  const executables = new Set(listed.filter(({ kind }) => kind === 'executable').map(({ path }) => path))
  return { ...sources, ownerId: owner.id, updated: outcome.value, executables }
}

/** The updates as changes of a commit that also moves the entry. */
export function toChanges({ updated, move, executables }: ReferenceUpdates): readonly FileChange[] {
  return updated.map(({ path, bytes }) => ({
    kind: 'write',
    path: movedPath(path, move),
    bytes,
    isExecutable: executables.has(path),
  }))
}

/** Updates the drafts too, and shows the new text to everyone who has a changed file open. */
export async function updateDrafts(
  deps: Pick<Deps, 'git' | 'parsers' | 'rooms' | 'store'>,
  { repository, branch }: { readonly repository: Repository; readonly branch: string },
  { userId, updates }: { readonly userId: string; readonly updates: ReferenceUpdates },
): Promise<void> {
  const { files, paths, move, ownerId, updated } = updates
  const listed = await deps.store.drafts.listOfBranch({ repositoryId: repository.id, branch })
  const drafted = listed.map(({ path }) => path).filter(canName)
  const wanted = [...new Set([...drafted, ...updated.map(({ path }) => movedPath(path, move))])].slice(0, MAX_DRAFTS)
  // Reading an unchanged text moves it to the new commit.
  const drafts = await readDrafts(deps, { repositoryId: repository.id, branch }, wanted)
  const texts = new Map(drafts.map(({ path, text }) => [path, Buffer.from(text)]))
  const others = files.filter(({ path }) => !texts.has(path))
  const all = [...others, ...[...texts].map(([path, bytes]): SourceBytes => ({ path, bytes }))]
  const outcome = await deps.parsers.run(UPDATE, { files: all, paths, move }, { ownerId })
  if (outcome.kind !== 'done') return
  const results = new Map(outcome.value.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]))
  const changed = drafts.flatMap((draft) => {
    const text = results.get(draft.path)
    return text === undefined ? [] : [{ draft, text }]
  })
  await writeDrafts(deps, userId, changed)
}

/** Whether the file can name others. */
function canName(path: string): boolean {
  return /\.(?:tex|ltx|sty|cls|tikz|pgf)$/i.test(path) || isSettingsFile(path)
}

async function readSources(
  git: Pick<GitStore, 'readBlob'>,
  repositoryId: number,
  listed: readonly TreeFile[],
): Promise<readonly SourceBytes[] | null> {
  const wanted = listed.filter(
    ({ path, kind, size }) => (kind === 'file' || kind === 'executable') && size <= MAX_SOURCE_BYTES && canName(path),
  )
  const totalBytes = wanted.reduce((total, { size }) => total + size, 0)
  if (wanted.length > MAX_SOURCES || totalBytes > MAX_TOTAL_BYTES) return null
  const files: SourceBytes[] = []
  for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
    const group = wanted.slice(at, at + READS_AT_ONCE)
    const read = group.map(async ({ path, objectId, size }) => {
      const bytes = await git.readBlob(repositoryId, objectId, { maxBytes: size })
      return bytes === null ? [] : [{ path, bytes }]
    })
    files.push(...(await Promise.all(read)).flat())
  }
  return files
}
