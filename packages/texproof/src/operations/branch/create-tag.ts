import { refuseRefName } from '../../domain/git/ref-names.ts'
import type { Config } from '../../config/read-config.ts'
import type { Repository, User } from '../../domain/types.ts'
import { commitAuthor } from '../edit/commit-on-branch.ts'
import type { PushStores } from '../push/push-stores.ts'

/** A tag to create. The caller has checked that the actor may write. */
export interface NewTag {
  readonly repository: Repository
  readonly actor: User
  /** Short name. */
  readonly name: string
  readonly message: string
  readonly commitId: string
}

/** Why a tag was not created. `problem` is a message for the user. */
export interface TagRefusal {
  readonly field: 'name' | 'message' | 'from'
  readonly problem: string
}

const maxMessageLength = 5_000

/** Creates an annotated tag and queues its builds, like a push. Returns null on success. */
export async function createTag(
  stores: PushStores & { readonly config: Pick<Config, 'baseUrl' | 'quotas'> },
  { repository, actor, name, message, commitId }: NewTag,
): Promise<TagRefusal | null> {
  const { git, papers, config } = stores
  const refusal = checkTagName(name, await git.listTags(repository.id))
  if (refusal !== null) return { field: 'name', problem: refusal }
  // The address of the name would show its branch, which moves.
  if ((await git.findBranch(repository.id, name)) !== null)
    return { field: 'name', problem: `A branch "${name}" already exists, and both would have the same address.` }
  if (message.trim() === '') return { field: 'message', problem: 'Describe the version, for example "Submitted".' }
  if (message.length > maxMessageLength)
    return { field: 'message', problem: `Use at most ${maxMessageLength.toLocaleString('en')} characters.` }
  if ((await git.findCommit(repository.id, commitId)) === null)
    return { field: 'from', problem: 'The commit no longer exists.' }
  const tag = { name, commitId, message, tagger: commitAuthor(actor, config) }
  const objectId = await git.createTagObject(repository.id, tag)
  const ref = `refs/tags/${name}`
  const updates = [{ ref, oldCommitId: null, newCommitId: objectId }]
  const { outcome: isMade } = await papers.moveRefs({ repositoryId: repository.id, userId: actor.id, updates }, () =>
    git.changeRefs(repository.id, [{ ref, from: null, to: objectId }]),
  )
  const moved = 'The tags were changed at the same time. Review them and try again.'
  return isMade ? null : { field: 'name', problem: moved }
}

function checkTagName(name: string, tags: readonly { readonly name: string }[]): string | null {
  if (name === '') return 'Enter a tag name.'
  const refusal = refuseRefName(`refs/tags/${name}`)
  if (refusal !== null) return `Invalid tag name "${name}": ${refusal}.`
  if (tags.some((tag) => tag.name === name)) return `A tag "${name}" already exists.`
  const other = tags.find((tag) => tag.name.startsWith(`${name}/`) || name.startsWith(`${tag.name}/`))
  return other === undefined ? null : `"${name}" conflicts with the tag "${other.name}".`
}
