import type { Repository, User } from '../../domain/types.ts'
import type { FileChange } from '../../git/types.ts'
import { fillPaperStart } from '../../templates/paper-starts.ts'
import type { PaperStart } from '../../templates/paper-starts.ts'
import { gitignoreTemplates } from '../../templates/template-catalog.ts'
import type { PushStores } from '../push/push-stores.ts'

/** The empty repository, the sample paper and the actor. The caller has checked that the actor may write. */
export interface TemplateTarget {
  readonly repository: Repository
  readonly actor: User
  readonly start: PaperStart
  /** Author email of the commit. */
  readonly authorEmail: string
}

const maxTemplateBytes = 10_000_000

/** Commits a sample paper to an empty repository and queues its build; false if it is no longer empty. */
export async function fillFromTemplate(stores: PushStores, begun: TemplateTarget): Promise<boolean> {
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
  const ref = `refs/heads/${branch}`
  const pushed = await git.pushCommit(repositoryId, {
    ref,
    from: null,
    parentId: null,
    changes: [...texts].map(([path, text]) => writeFile(path, text)),
    author: {
      name: author,
      email: authorEmail,
      at: Math.floor(Date.now() / 1e3) * 1e3,
    },
    message: 'Initial commit',
    maxBytes: maxTemplateBytes,
    around: async (commitId, push) => {
      const updates = [
        {
          ref,
          oldCommitId: null,
          newCommitId: commitId,
        },
      ]
      return (
        await papers.moveRefs(
          {
            repositoryId,
            userId: actor.id,
            updates,
          },
          push,
        )
      ).outcome
    },
  })
  if (pushed.kind === 'refused' || pushed.kind === 'too-large')
    throw new Error('create from template: git refuses the template', { cause: pushed })
  return pushed.kind === 'committed'
}

function writeFile(path: string, text: string): FileChange {
  return { kind: 'write', path, bytes: Buffer.from(text), isExecutable: false }
}
