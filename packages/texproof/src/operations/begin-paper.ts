import type { Repository, User } from '../domain/types.ts'
import { fillPaperStart } from '../templates/paper-starts.ts'
import type { PaperStart } from '../templates/paper-starts.ts'
import { gitignoreTemplates } from '../templates/template-catalogue.ts'
import { settlePush } from './settle-push.ts'
import type { PushStores } from './settle-push.ts'

/** Which empty repository to begin, with what and by whom. The caller has looked whether the actor may write. */
export interface BegunPaper {
  readonly repository: Repository
  readonly actor: User
  readonly start: PaperStart
  /** Stands in the commit. */
  readonly authorEmail: string
}

/** Begins an empty repository with a paper, and asks for its PDF; false when it is not empty any more. */
export async function beginPaper(stores: PushStores, begun: BegunPaper): Promise<boolean> {
  const { git, papers } = stores
  const { repository, actor, start, authorEmail } = begun
  const { id: repositoryId, name, description, defaultBranch: branch } = repository
  const author = actor.name ?? actor.login
  const texts = new Map([
    ...fillPaperStart(start, { title: description ?? name, author }),
    ['README.md', `# ${name}\n`],
    ['.gitignore', (await gitignoreTemplates.read('TeX')) ?? ''],
  ])
  if ((await git.listBranches(repositoryId)).length > 0) return false
  const forget = await papers.expectPush(repositoryId)
  try {
    await git.importCommits(repositoryId, [
      {
        branch,
        from: null,
        files: new Map([...texts].map(([path, text]) => [path, Buffer.from(text)])),
        author: { name: author, email: authorEmail, at: Math.floor(Date.now() / 1_000) * 1_000 },
        message: 'Begin',
        tag: null,
      },
    ])
    const head = await git.findBranch(repositoryId, branch)
    if (head === null) return false
    const updates = [{ ref: `refs/heads/${branch}`, oldCommitId: null, newCommitId: head.commitId }]
    await settlePush(stores, repository, { updates, pusher: actor })
  } finally {
    await forget()
  }
  return true
}
