import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { Repository } from '../../domain/types.ts'
import type { FileChange } from '../../git/types.ts'
import { readBlobs } from '../../papers/build/read-tree-files.ts'
import type { CreateRepositoryOutcome, RepositoryDetails } from './create-repository.ts'
import { createWithFiles, type CreateRefusal, type CreateStores } from './create-with-files.ts'

/** Maximum number of files of a template. */
const MAX_FILES = 3_000
const MAX_BYTES = 100 * 1024 ** 2

/**
 * Creates a repository from the default branch of a template: its files as one first commit, without its history. Links
 * and submodules are not copied. The caller has checked that the owner may read the template.
 */
export async function copyTemplate(
  stores: CreateStores,
  details: Omit<RepositoryDetails, 'firstCommit'>,
  template: Repository,
): Promise<CreateRepositoryOutcome | CreateRefusal> {
  const { git } = stores
  const name = `${template.owner.login}/${template.name}`
  const head = await git.findBranch(template.id, template.defaultBranch)
  if (head === null) return refuse(`${name} has no files yet.`)
  const listed = await git.listFiles(template.id, head.commitId, { maxFiles: MAX_FILES })
  if (listed === null) return refuse(`${name} has more than ${MAX_FILES} files, the limit for a template.`)
  const files = listed.filter(({ kind }) => kind === 'file' || kind === 'executable')
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
    return refuse(`${name} is larger than ${formatBytes(MAX_BYTES)}, the limit for a template.`)
  const blobs = await readBlobs(git, template.id, files)
  const changes = files.flatMap(({ path, kind, objectId }): readonly FileChange[] => {
    const bytes = blobs.get(objectId)
    return bytes === undefined ? [] : [{ kind: 'write', path, bytes, isExecutable: kind === 'executable' }]
  })
  return createWithFiles(stores, details, { changes, message: `Create from ${name}` })
}

function refuse(problem: string): CreateRefusal {
  return { kind: 'refused', problem }
}
