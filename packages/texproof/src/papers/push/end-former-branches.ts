import { setImmediate as nextTurn } from 'node:timers/promises'

import type { NewJournalEntry } from '../../store/repositories/push-journal.ts'
import type { PapersContext } from '../request/queue-documents.ts'

/**
 * Runs before git creates branches: what was built for deleted branches of the same names must never be shown for the new
 * ones, even if the process stops in between. If git then refuses to create a branch, no branch loses a PDF.
 */
export async function endFormerBranches(
  { repositoryId, updates }: NewJournalEntry,
  { git, store }: Pick<PapersContext, 'git' | 'store'>,
): Promise<void> {
  const created = updates.filter(({ ref, oldCommitId }) => oldCommitId === null && ref.startsWith('refs/heads/'))
  if (created.length === 0) return
  // Before the refs are read: a build that exists while its branch does not is of an earlier one, even if another push
  // creates the branch now.
  const lastIds = await store.builds.listLastIds(repositoryId)
  const built = created.flatMap(({ ref }) => {
    const id = lastIds.get(ref)
    return id === undefined ? [] : [{ id, repositoryId, ref }]
  })
  if (built.length === 0) return
  const current = await git.findRefs(
    repositoryId,
    built.map(({ ref }) => ref),
  )
  for (const last of built.filter(({ ref }) => !current.has(ref))) {
    await store.builds.endBranch(last)
    await nextTurn() // With SQLite, thousands of changes would be a single turn of the event loop.
  }
}
