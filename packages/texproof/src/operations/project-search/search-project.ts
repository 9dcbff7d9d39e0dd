import type { TaskOutcome } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { Deps } from '../deps.ts'
import { readDrafts } from '../edit/drafts.ts'
import { readBranchTexts, writeDrafts } from './branch-texts.ts'
import type { TextBranch, WrittenDraft } from './branch-texts.ts'
import type { replaceInFiles, searchFiles, SearchQuery, SearchResult } from './search-files.ts'

/** Why there is no result. */
export type SearchFailure = { readonly kind: 'too-slow' } | { readonly kind: 'busy' }

/** `isComplete` = all files were searched. */
export type ProjectSearchResult = (SearchResult & { readonly isComplete: boolean }) | SearchFailure

/** Result of a replacement in one file. */
export interface ReplacedFile {
  readonly path: string
  readonly count: number
  readonly outcome: WrittenDraft['outcome']
}

/** The user whose pattern runs, and who writes. */
interface SearchingUser {
  readonly userId: string
}

const SEARCH = defineTask<typeof searchFiles>(import.meta.resolve('./search-files.ts'), 'searchFiles')
const REPLACE = defineTask<typeof replaceInFiles>(import.meta.resolve('./search-files.ts'), 'replaceInFiles')
const TIME_LIMIT_MS = 2_000

/** Files that one replacement changes: each opens a room. */
export const maxReplacedFiles = 100

/** Searches the files of a branch with its drafts. */
export async function searchProject(
  deps: Deps,
  branch: TextBranch,
  { userId, query }: SearchingUser & { readonly query: SearchQuery },
): Promise<ProjectSearchResult> {
  const { files, isComplete } = await readBranchTexts(deps, branch)
  // The pattern decides the cost: searches of one user wait for each other, even in the projects of others.
  const outcome = await deps.parsers.run(SEARCH, { files, query }, { ownerId: userId, timeLimitMs: TIME_LIMIT_MS })
  return outcome.kind === 'done' ? { ...outcome.value, isComplete } : toFailure(outcome)
}

/** Replaces all matches in files whose text still has the given version, as drafts. */
export async function replaceInProject(
  deps: Deps,
  branch: TextBranch,
  {
    userId,
    query,
    versions,
  }: SearchingUser & { readonly query: SearchQuery; readonly versions: ReadonlyMap<string, string> },
): Promise<{ readonly kind: 'replaced'; readonly files: readonly ReplacedFile[] } | SearchFailure> {
  const drafts = await readDrafts(deps, branch, [...versions.keys()].slice(0, maxReplacedFiles))
  const files = drafts.map(({ path, text }) => ({ path, text }))
  const outcome = await deps.parsers.run(REPLACE, { files, query }, { ownerId: userId, timeLimitMs: TIME_LIMIT_MS })
  if (outcome.kind !== 'done') return toFailure(outcome)
  const replaced = new Map(outcome.value.map((file) => [file.path, file]))
  const texts = drafts.flatMap((draft) => {
    const file = replaced.get(draft.path)
    const isShown = file !== undefined && file.version === versions.get(draft.path)
    return isShown && file.text !== null ? [{ draft, text: file.text }] : []
  })
  const outcomes = new Map((await writeDrafts(deps, userId, texts)).map(({ path, outcome: how }) => [path, how]))
  return {
    kind: 'replaced',
    files: [...versions.keys()].map((path): ReplacedFile => {
      const file = replaced.get(path)
      const refusal = file?.text === null ? 'too-long' : 'conflict'
      return { path, count: file?.count ?? 0, outcome: outcomes.get(path) ?? refusal }
    }),
  }
}

function toFailure({ kind }: Exclude<TaskOutcome<unknown>, { readonly kind: 'done' }>): SearchFailure {
  return kind === 'timed-out' || kind === 'out-of-memory' ? { kind: 'too-slow' } : { kind: 'busy' }
}
