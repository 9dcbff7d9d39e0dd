import { createOutcomeCache } from '../../base/outcome-cache.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { readTitle } from './read-title.ts'
import { findFile } from '../../operations/edit/find-file.ts'

const MAX_SOURCE_BYTES = 512 * 1024

const READ = defineTask<typeof readTitle>(import.meta.resolve('./read-title.ts'), 'readTitle')

/** Title of the root document of a tree, which never changes. */
const titles = createOutcomeCache<string | null>({
  maxSize: 2 * 1024 * 1024,
  sizeOf: (title) => 200 + (title?.length ?? 0),
})

/** The title of the paper that a build made, from its source; null when its source does not say one plainly. */
export async function findTitle(
  { git, parsers }: Pick<Deps, 'git' | 'parsers'>,
  repository: Repository,
  { treeId, commitId, rootFile }: Build,
): Promise<string | null> {
  const outcome = await titles.find(`${repository.id} ${treeId} ${rootFile}`, async () => {
    const file = await findFile(git, repository.id, { commitId, path: rootFile })
    const bytes = file && (await git.readBlob(repository.id, file.objectId, { maxBytes: MAX_SOURCE_BYTES }))
    if (!bytes) return { kind: 'done', value: null }
    return parsers.run(READ, new Uint8Array(bytes), { ownerId: repository.owner.id })
  })
  return outcome.kind === 'done' ? outcome.value : null
}
