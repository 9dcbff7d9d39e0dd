import { defineTask } from '../../base/thread-task.ts'
import type { Deps } from '../deps.ts'
import { readDrafts } from '../edit/drafts.ts'
import { readBranchTexts, writeDrafts } from './branch-texts.ts'
import type { TextBranch, WrittenDraft } from './branch-texts.ts'
import type { Renaming, renameInFiles } from './rename-in-files.ts'
import { maxReplacedFiles } from './search-project.ts'

/** `failed` = files that still have the old name. `incomplete` = the branch has too many files to find all uses. */
export type RenameOutcome =
  | {
      readonly kind: 'renamed'
      readonly count: number
      readonly fileCount: number
      readonly failed: readonly WrittenDraft[]
    }
  | { readonly kind: 'taken' | 'not-found' | 'too-many-files' | 'incomplete' | 'busy' }

const RENAME = defineTask<typeof renameInFiles>(import.meta.resolve('./rename-in-files.ts'), 'renameInFiles')
const SOURCE = /\.(?:tex|ltx|sty|cls|bib|tikz)$/i
/** Attempts, because other users may type in a file meanwhile. */
const MAX_ATTEMPTS = 3

/** Renames a label or a citation key in all sources of a branch with its drafts, as drafts. */
export async function renameInProject(
  deps: Deps,
  branch: TextBranch,
  { userId, renaming }: { readonly userId: string; readonly renaming: Renaming },
): Promise<RenameOutcome> {
  const { files, isComplete } = await readBranchTexts(deps, branch, (path) => SOURCE.test(path))
  if (!isComplete) return { kind: 'incomplete' }
  const found = await deps.parsers.run(RENAME, { files, renaming }, { ownerId: userId })
  if (found.kind !== 'done') return { kind: 'busy' }
  if (found.value.kind === 'taken') return { kind: 'taken' }
  let pending = found.value.files.map(({ path }) => path)
  if (pending.length === 0) return { kind: 'not-found' }
  if (pending.length > maxReplacedFiles) return { kind: 'too-many-files' }
  const [fileCount, failed]: [number, WrittenDraft[]] = [pending.length, []]
  let count = 0
  for (let attempt = 1; pending.length > 0 && attempt <= MAX_ATTEMPTS; attempt += 1) {
    const drafts = await readDrafts(deps, branch, pending)
    const renamed = await deps.parsers.run(RENAME, { files: drafts, renaming }, { ownerId: userId })
    if (renamed.kind !== 'done' || renamed.value.kind === 'taken') break
    const results = new Map(renamed.value.files.map((file) => [file.path, file]))
    const texts = drafts.flatMap((draft) => {
      const result = results.get(draft.path)
      return result === undefined ? [] : [{ draft, text: result.text }]
    })
    const written = await writeDrafts(deps, userId, texts)
    for (const { path, outcome } of written) if (outcome === 'saved') count += results.get(path)?.count ?? 0
    failed.push(...written.filter(({ outcome }) => outcome !== 'saved' && outcome !== 'conflict'))
    pending = written.filter(({ outcome }) => outcome === 'conflict').map(({ path }) => path)
  }
  failed.push(...pending.map((path): WrittenDraft => ({ path, outcome: 'conflict' })))
  return { kind: 'renamed', count, fileCount: fileCount - failed.length, failed }
}
