import { posix } from 'node:path'

import { createOutcomeCache } from '../../base/outcome-cache.ts'
import type { TaskOutcome } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { Deps } from '../../operations/deps.ts'
import type { BuildRecord } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { readTitle } from './read-title.ts'
import { findFile } from '../../operations/edit/find-file.ts'

const MAX_SOURCE_BYTES = 512 * 1024
/** The title is near the beginning: in the root file, or in one of the first included files. */
const MAX_FILES = 12

const READ = defineTask<typeof readTitle>(import.meta.resolve('./read-title.ts'), 'readTitle')

/** Titles by tree, which never changes. */
const titles = createOutcomeCache<string | null>({
  maxSize: 2 * 1024 * 1024,
  sizeOf: (title) => 200 + (title?.length ?? 0),
})

/** The title of the paper of a build, from its sources; null if they do not state it as plain text. */
export async function findTitle(
  deps: Pick<Deps, 'git' | 'parsers'>,
  repository: Repository,
  build: BuildRecord,
): Promise<string | null> {
  const key = `${repository.id} ${build.treeId} ${build.rootFile}`
  const outcome = await titles.find(key, () => searchTitle(deps, repository, build))
  return outcome.kind === 'done' ? outcome.value : null
}

/** Reads the root file, then its included files, until a title is found. */
async function searchTitle(
  { git, parsers }: Pick<Deps, 'git' | 'parsers'>,
  repository: Repository,
  { commitId, rootFile }: BuildRecord,
): Promise<TaskOutcome<string | null>> {
  const rootFolder = posix.dirname(rootFile)
  const paths = new Set([rootFile])
  // A Set may grow during iteration: each file found is read in order, once.
  for (const path of paths) {
    const file = await findFile(git, repository.id, { commitId, path })
    const bytes = file && (await git.readBlob(repository.id, file.objectId, { maxBytes: MAX_SOURCE_BYTES }))
    if (!bytes) continue
    const source = { bytes: new Uint8Array(bytes), isRoot: path === rootFile }
    const scan = await parsers.run(READ, source, { ownerId: repository.owner.id })
    if (scan.kind !== 'done') return scan
    if (scan.value.title !== null) return { kind: 'done', value: scan.value.title }
    for (const name of scan.value.includes) if (paths.size < MAX_FILES) paths.add(sourcePath(rootFolder, name))
  }
  return { kind: 'done', value: null }
}

/** TeX resolves names from the folder of the root file, and adds `.tex` to names without extension. */
function sourcePath(rootFolder: string, name: string): string {
  return posix.join(rootFolder, /\.[A-Za-z]{1,9}$/.test(name) ? name : `${name}.tex`)
}
