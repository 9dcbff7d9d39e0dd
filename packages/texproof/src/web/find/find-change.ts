import type { Deps } from '../../deps.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath } from '../../papers/addresses.ts'
import type { ChangeProblems, ChangeStyle } from '../components/change-view.ts'
import { isBoxWarning } from '../components/problem-list.ts'
import { readChange, type FileChange } from '../content/read-change.ts'

/** Which change, and how a reader wants to see it. */
export interface ChangeRange {
  /** null = from nothing. */
  readonly fromCommitId: string | null
  readonly toCommitId: string
  readonly style: ChangeStyle
}

/** Reads what changed between two commits; null when git took too long, or there are too many files to name. */
export async function findChange(
  { git }: Pick<Deps, 'git'>,
  repository: Repository,
  { fromCommitId, toCommitId, style }: ChangeRange,
): Promise<readonly FileChange[] | null> {
  const range = { fromCommitId, toCommitId, ignoresSpaces: style.ignoresSpaces }
  const patch = await git.readPatch(repository.id, range)
  if (patch.kind !== 'text') return null
  const asked = style.file === null ? undefined : patch.files.find(({ path }) => path === style.file)
  if (asked === undefined) return readChange(patch)
  const paths = [...new Set([asked.oldPath, asked.path])]
  const alone = await git.readPatch(repository.id, { ...range, paths })
  return alone.kind === 'text' ? readChange(alone) : null
}

/** What the build of a commit complained of; null when there was none. */
export async function findChangeProblems(
  { store }: Pick<Deps, 'store'>,
  repository: Repository,
  commitId: string,
): Promise<ChangeProblems | null> {
  const builds = await store.builds.listOfCommit(repository.id, commitId)
  const [build] = builds
  if (build === undefined) return null
  const problems = builds.flatMap(({ errors, warnings }) => [
    ...errors,
    ...warnings.filter((warning) => !isBoxWarning(warning)),
  ])
  return { problems, build: { href: buildPath(repository, build.number), number: build.number } }
}
