import type { Deps } from '../../operations/deps.ts'
import type { Patch } from '../../git/history/read-patch.ts'
import { createOutcomeCache } from '../../base/outcome-cache.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { TaskOutcome } from '../../base/open-parsers.ts'
import type { Repository } from '../../domain/types.ts'
import type { ChangeStyle } from './change-view.ts'
import type { CommitProblems } from '../../domain/build.ts'
import { findCommitProblems } from '../../papers/find-commit-problems.ts'
import type { RenderedChange, renderChange } from './render-change.ts'

/** The commits to compare, and the display options. */
export interface ChangeRange {
  /** null = everything is new. */
  readonly fromCommitId: string | null
  readonly toCommitId: string
  readonly style: ChangeStyle
}

/** A change as a page shows it; `too-large` includes timeouts of git. */
export type FoundChange =
  | { readonly kind: 'rendered'; readonly rendered: RenderedChange }
  | { readonly kind: 'too-large' | 'busy' }

const RENDER = defineTask<typeof renderChange>(import.meta.resolve('./render-change.ts'), 'renderChange')

const changes = createOutcomeCache<RenderedChange>({ maxSize: 16 * 1024 * 1024, sizeOf: sizeOfChange })

/** Finds the changes between two commits. */
export async function findChange(
  { git, parsers }: Pick<Deps, 'git' | 'parsers'>,
  repository: Repository,
  range: ChangeRange,
): Promise<FoundChange> {
  const patch = await readPatch(git, repository.id, range)
  if (patch.kind !== 'text') return { kind: 'too-large' }
  const { isSplit, file } = range.style
  const source = { files: patch.files, bytes: patch.bytes, isWhole: patch.isWhole, isSplit, file }
  const render = (hasWords: boolean): Promise<TaskOutcome<RenderedChange>> =>
    changes.find(JSON.stringify([repository.id, range, hasWords]), () =>
      parsers.run(RENDER, { ...source, hasWords }, { ownerId: repository.owner.id }),
    )
  const marked = await render(true)
  const isHopeless = marked.kind === 'done' || marked.kind === 'busy'
  const outcome = isHopeless ? marked : await render(false)
  if (outcome.kind === 'done') return { kind: 'rendered', rendered: outcome.value }
  return { kind: outcome.kind === 'busy' ? 'busy' : 'too-large' }
}

/** If one file is requested, its change alone, however long the others are. */
async function readPatch(
  git: Deps['git'],
  repositoryId: number,
  { fromCommitId, toCommitId, style }: ChangeRange,
): Promise<Patch> {
  const range = { fromCommitId, toCommitId, ignoresSpaces: style.ignoresSpaces }
  const patch = await git.readPatch(repositoryId, range)
  const asked = patch.kind === 'text' ? patch.files.find(({ path }) => path === style.file) : undefined
  if (asked === undefined) return patch
  return git.readPatch(repositoryId, { ...range, paths: [...new Set([asked.oldPath, asked.path])] })
}

/** The rows, and once more as the text of a page. */
function sizeOfChange({ files }: RenderedChange): number {
  const rows = files.flatMap(({ hunks }) => hunks?.flatMap((hunk) => hunk.rows) ?? [])
  return rows.reduce((sum, { html }) => sum + 100 + 2 * html.length, 1000 * files.length)
}

/** The problems of the documents built from a commit. */
export async function findChangeProblems(
  { store }: Pick<Deps, 'store'>,
  repository: Repository,
  commitId: string,
): Promise<CommitProblems> {
  return findCommitProblems({ store }, await store.builds.listOfCommit(repository.id, commitId))
}
