import type { GitStore } from '../../git/types.ts'
import type { CloseReason, Rooms, SharedDraft } from '../../live/rooms.ts'
import type { Store } from '../../store/store.ts'
import { draftPlace, readDraftsOfBranch } from '../edit/drafts.ts'
import { inGroups } from '../edit/in-groups.ts'
import { chooseSources, readSources } from '../project-index/read-sources.ts'
import type { SourceText } from '../project-index/scan-source-file.ts'

/** A branch whose texts are read and changed. */
export interface TextBranch {
  readonly repositoryId: number
  readonly branch: string
  /** null = the branch has no commit. */
  readonly headId: string | null
}

/** A text that replaces a draft, unless that has changed since it was read. */
export interface NewText {
  readonly draft: SharedDraft
  readonly text: string
}

/** How a draft was written. `conflict` = the text has changed meanwhile. */
export interface WrittenDraft {
  readonly path: string
  readonly outcome: 'saved' | 'conflict' | CloseReason
}

interface TextTools {
  readonly git: GitStore
  readonly rooms: Rooms
  readonly store: Store
}

const MAX_FILES = 3_000
const MAX_SOURCES = 1_000
const MAX_TOTAL_BYTES = 16_000_000
/** Binary files, which are not read. */
const BINARY =
  /\.(?:pdf|ps|png|jpe?g|gif|webp|tiff?|bmp|ico|heic|mp[34]|mov|wav|zip|gz|tgz|bz2|xz|7z|rar|ttf|otf|woff2?|pfb|docx?|xlsx?|pptx?|od[tsp]|sqlite|parquet)$/i

/** Texts sorted by path. `isComplete` = the branch has no other files that are wanted. */
export interface BranchTexts {
  readonly files: readonly SourceText[]
  readonly isComplete: boolean
}

/** The texts of a branch with its drafts. Of a branch with too many files, only the texts of the drafts. */
export async function readBranchTexts(
  deps: TextTools,
  { repositoryId, branch, headId }: TextBranch,
  isWanted: (path: string) => boolean = (path) => !BINARY.test(path),
): Promise<BranchTexts> {
  const drafts = await readDraftsOfBranch(deps, { repositoryId, branch })
  const listed = headId === null ? [] : await deps.git.listFiles(repositoryId, headId, { maxFiles: MAX_FILES })
  const wanted = {
    isWanted: (path: string) => isWanted(path) && !drafts.has(path),
    maxSources: MAX_SOURCES,
    maxTotalBytes: MAX_TOTAL_BYTES,
  }
  const { sources, isComplete } = chooseSources(listed ?? [], wanted)
  const committed = await readSources(deps.git, repositoryId, { listed: sources, ...wanted })
  const drafted = [...drafts].filter(([path]) => isWanted(path)).map(([path, text]) => ({ path, text }))
  return {
    files: [...committed, ...drafted].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    isComplete: isComplete && listed !== null,
  }
}

/** Writes texts as drafts of a user. Everyone who has a file open sees its new text. */
export function writeDrafts(
  deps: Pick<TextTools, 'git' | 'rooms'>,
  userId: string,
  texts: readonly NewText[],
): Promise<readonly WrittenDraft[]> {
  return inGroups(texts, async ({ draft, text }) => {
    const { repositoryId, branch, path, epoch, revision: baseRevision } = draft
    const place = draftPlace(deps, { repositoryId, branch, path })
    const outcome = await deps.rooms.replace(place, { userId, text, baseRevision, epoch })
    return { path, outcome: outcome.kind === 'refused' ? outcome.reason : outcome.kind }
  })
}
