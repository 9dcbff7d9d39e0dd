/**
 * Commits changes made in the browser. If another push wins, the changes are composed again for the newest commit of
 * the branch, so that no work is overwritten, and users do not have to retry.
 */
import { DiskFull, findDiskRoom } from '../../base/storage-failure.ts'
import { authorName } from '../../domain/git/author-name.ts'
import { checkBranchName } from '../../domain/git/check-branch-name.ts'
import type { Caller, Repository, User } from '../../domain/types.ts'
import type { Config } from '../../config/read-config.ts'
import type { FileChange, GitPerson } from '../../git/types.ts'
import { findWritableRepository } from '../repository/find-writable-repository.ts'
import { findSizeLimit } from '../push/find-size-limit.ts'
import type { PushStores } from '../push/push-stores.ts'

export interface CommitStores extends PushStores {
  readonly config: Pick<Config, 'baseUrl' | 'dataDir' | 'maxPushBytes' | 'quotas'>
}

/** Where to commit. */
export interface CommitTarget {
  readonly repository: Repository
  readonly caller: Caller
  /** Short name of an existing branch, or of the first branch of an empty repository. */
  readonly branch: string
  /** Short name of a branch to create; null = commit to `branch`. */
  readonly newBranch: string | null
  /** The commit at which the page was opened, where a new branch starts; null in an empty repository. */
  readonly openedId: string | null
  readonly message: string
  /** Credited in the message. @default none */
  readonly coAuthors?: readonly User[]
}

/** Computes the changes relative to a commit, or the reason not to commit. */
export type ComposeChanges<Stop> = (
  headId: string | null,
) => Promise<Stop | { readonly kind: 'changes'; readonly changes: readonly FileChange[] }>

/** The commit, or why it was refused. `problem` is a message for the user. */
export type CommitOutcome =
  | { readonly kind: 'committed'; readonly commitId: string; readonly branch: string }
  | { readonly kind: 'refused'; readonly field: 'branch' | 'message' | null; readonly problem: string }

const maxMessageLength = 5_000
/** Number of times that another push may win. */
const maxTries = 12

/** Creates the commit and queues its builds, like a push. `compose` decides last whether to commit. */
export async function commitOnBranch<Stop extends { readonly kind: string }>(
  stores: CommitStores,
  target: CommitTarget,
  compose: ComposeChanges<Stop>,
): Promise<CommitOutcome | Stop> {
  if (target.message.length > maxMessageLength)
    return refuse('message', `The commit message has more than ${maxMessageLength.toLocaleString('en')} characters.`)
  const stop = target.newBranch === null ? null : await checkNewBranch(stores, target, target.newBranch, compose)
  if (stop !== null) return stop
  for (let tries = 0; tries < maxTries; tries += 1) {
    const begin = await findBegin(stores, target)
    if (begin === 'gone')
      return refuse('branch', `The branch "${target.branch}" no longer exists. Commit to a new branch instead.`)
    const composed = await compose(begin)
    if (!isChanges(composed)) return composed
    const unreadable = refuseUnreadableNames(composed.changes.flatMap(pathsOf))
    if (unreadable !== null) return unreadable
    const outcome = await putOnBranch(stores, target, { parentId: begin, changes: composed.changes })
    if (outcome !== 'moved') return outcome
  }
  return refuse(null, 'The branch changes too often to commit. Try again in a moment.')
}

/**
 * Refuses names that are not UTF-8. They are read with U+FFFD in place of the invalid bytes, so that a change of such a path
 * would miss the file, or add a second one.
 */
export function refuseUnreadableNames(paths: readonly string[]): CommitOutcome | null {
  const path = paths.find((each) => each.includes('\uFFFD'))
  if (path === undefined) return null
  return refuse(
    null,
    `The name of "${path}" is not valid UTF-8: \uFFFD stands for what cannot be read. Nothing was committed. Clone the repository, rename the file with git, and push.`,
  )
}

function pathsOf(change: FileChange): readonly string[] {
  return change.kind === 'rename' ? [change.path, change.newPath] : [change.path]
}

/**
 * Why the branch cannot be created. If the same form was submitted twice, the first submission has created it, and
 * `compose` returns the outcome.
 */
async function checkNewBranch<Stop extends { readonly kind: string }>(
  { git }: CommitStores,
  { repository, branch, openedId }: CommitTarget,
  name: string,
  compose: ComposeChanges<Stop>,
): Promise<CommitOutcome | Stop | null> {
  if (openedId !== null && (await git.findCommit(repository.id, openedId)) === null)
    return refuse('branch', 'The start commit of the new branch no longer exists. Commit to the existing branch.')
  const branches = await git.listBranches(repository.id)
  // A commit without a parent would be a second history, which has none of the files.
  if (openedId === null && branches.length > 0)
    return refuse(
      'branch',
      `The new branch has no commit to start at: "${branch}" had none when you opened this page. Open the page again.`,
    )
  const problem = checkBranchName(name, { branches, tags: await git.listTags(repository.id) })
  if (problem === null) return null
  const made = await git.findBranch(repository.id, name)
  const commit = made === null ? null : await git.findCommit(repository.id, made.commitId)
  const composed = commit !== null && commit.parentIds[0] === openedId ? await compose(commit.commitId) : null
  return composed !== null && composed.kind === 'there' && !isChanges(composed) ? composed : refuse('branch', problem)
}

/** The parent commit; null = the first commit of an empty repository. */
async function findBegin(
  { git }: CommitStores,
  { repository, branch, newBranch, openedId }: CommitTarget,
): Promise<string | null | 'gone'> {
  if (newBranch !== null) return openedId
  const head = await git.findBranch(repository.id, branch)
  if (head !== null) return head.commitId
  return openedId === null && (await git.listBranches(repository.id)).length === 0 ? null : 'gone'
}

async function putOnBranch(
  stores: CommitStores,
  target: CommitTarget,
  { parentId, changes }: { readonly parentId: string | null; readonly changes: readonly FileChange[] },
): Promise<CommitOutcome | 'moved'> {
  const { store, git, papers, config } = stores
  const { repository, caller, newBranch } = target
  const branch = newBranch ?? target.branch
  // The permission may have been revoked since the page was opened.
  const asked = { caller, owner: repository.owner.login, name: repository.name }
  const writable = await findWritableRepository(store, asked)
  if (writable.kind !== 'ok') return refuse(null, describeRefusal(writable, repository))
  const limit = await findSizeLimit({ store, config }, repository.owner)
  if (limit === null)
    return refuse(null, `The storage quota of ${repository.owner.login} is used up. See Settings, Usage.`)
  const diskRoom = await findDiskRoom(config.dataDir)
  if (diskRoom <= 0) throw new DiskFull('commit in the browser')
  const ref = `refs/heads/${branch}`
  const from = newBranch === null ? parentId : null
  let ended = null as CommitOutcome | null
  const pushed = await git.pushCommit(repository.id, {
    ref,
    from,
    parentId,
    changes,
    message: withCoAuthors(target, config),
    author: commitAuthor(caller.user, config),
    maxBytes: limit.maxBytes,
    around: async (commitId, push) => {
      const updates = [
        {
          ref,
          oldCommitId: from,
          newCommitId: commitId,
        },
      ]
      return (
        await papers.moveRefs(
          {
            repositoryId: repository.id,
            userId: caller.user.id,
            updates,
          },
          async () => {
            // The commit may have waited for its turn. From here on, a purge of an archived repository waits for it.
            const still = await findWritableRepository(store, asked)
            if (still.kind === 'ok') return push()
            ended = refuse(null, describeRefusal(still, repository))
            return { kind: 'moved' } as const
          },
        )
      ).outcome
    },
  })
  if (ended !== null) return ended
  if (pushed.kind === 'moved') {
    // Another push has created the branch in the meantime.
    return newBranch === null ? 'moved' : refuse('branch', `A branch "${newBranch}" already exists.`)
  }
  if (pushed.kind === 'too-large') return refuse(null, `The commit exceeds ${limit.name}. Nothing was changed.`)
  if (pushed.kind === 'refused') return refuse(null, `Git rejected this commit: ${pushed.reason}. Nothing was changed.`)
  return { kind: 'committed', commitId: pushed.commitId, branch }
}

function describeRefusal(
  refused: Exclude<Awaited<ReturnType<typeof findWritableRepository>>, { readonly kind: 'ok' }>,
  { owner, name }: Repository,
): string {
  const address = `${owner.login}/${name}`
  if (refused.kind === 'not-found') return `${address} was deleted or renamed, or you no longer have access.`
  switch (refused.reason) {
    case 'archived':
      return `${address} has been archived and is read-only.`
    case 'mirror':
      return `${address} is a mirror and is read-only.`
    case 'disabled':
      return `${address} has been disabled by an administrator.`
    default:
      return `You no longer have write access to ${address}. Ask ${owner.login} for it.`
  }
}

function isChanges<Stop extends { readonly kind: string }>(
  composed: Stop | { readonly kind: 'changes'; readonly changes: readonly FileChange[] },
): composed is { readonly kind: 'changes'; readonly changes: readonly FileChange[] } {
  return composed.kind === 'changes'
}

function refuse(field: 'branch' | 'message' | null, problem: string): CommitOutcome {
  return { kind: 'refused', field, problem }
}

/** The message, with a trailer for each author but the one who commits. */
function withCoAuthors(
  { message, coAuthors = [], caller }: CommitTarget,
  config: { readonly baseUrl: string },
): string {
  const trailers = coAuthors
    .filter(({ id }) => id !== caller.user.id)
    .map((user) => {
      const { name, email } = commitAuthor(user, config)
      return `Co-authored-by: ${name} <${email}>`
    })
  return trailers.length === 0 ? message : `${message.trimEnd()}\n\n${trailers.join('\n')}\n`
}

/** The display name, and a no-reply address of this host: email addresses of users are private. */
export function commitAuthor(user: User, { baseUrl }: { readonly baseUrl: string }): GitPerson {
  return {
    name: authorName(user),
    email: `noreply@${new URL(baseUrl).hostname}`,
    at: Math.floor(Date.now() / 1_000) * 1_000,
  }
}
