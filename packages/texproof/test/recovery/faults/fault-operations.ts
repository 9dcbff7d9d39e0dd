/** Every operation that moves refs, or makes, renames or removes a repository. */
import type { FaultScene } from './fault-setting.ts'
import { addFiles } from '../../../src/operations/edit/add-files.ts'
import { fillFromTemplate } from '../../../src/operations/repository/fill-from-template.ts'
import { changeDefaultBranch } from '../../../src/operations/repository/change-repository.ts'
import type { CommitTarget } from '../../../src/operations/edit/commit-on-branch.ts'
import { createBranch } from '../../../src/operations/branch/create-branch.ts'
import { createRepository } from '../../../src/operations/repository/create-repository.ts'
import { deleteBranch, restoreBranch } from '../../../src/operations/branch/delete-branch.ts'
import {
  deleteRepository,
  removeFromTrash,
  restoreRepository,
} from '../../../src/operations/repository/delete-repository.ts'
import { editFile } from '../../../src/operations/edit/edit-file.ts'
import { removeFile } from '../../../src/operations/edit/remove-file.ts'
import { renameRepository } from '../../../src/operations/repository/rename-repository.ts'
import { createFromTemplate } from '../../../src/operations/repository/create-from-template.ts'
import { runProgram } from '../../support/programs/run-program.ts'

/** One operation, and whether it happened. */
export interface FaultOperation {
  readonly name: string
  /** Resolves to true when the host said that it is done. */
  run(scene: FaultScene): Promise<boolean>
  isDone(scene: FaultScene): Promise<boolean>
}

export const faultOperations: readonly FaultOperation[] = [
  push('push a new branch', 'paper', ['next'], 'refs/heads/next'),
  push('push a commit', 'paper', ['next:main'], 'refs/heads/main'),
  push('push tags', 'paper', ['v1', 'v2', 'next'], 'refs/tags/v1'),
  push('push a deletion', 'paper', [':old'], null),
  push('push the first branch, of another name than the default', 'empty', ['next:trunk'], 'refs/heads/trunk'),
  push('create a repository by a push', 'pushed', ['main'], 'refs/heads/main'),
  {
    name: 'edit a file',
    run: async (scene) =>
      isCommitted(
        await editFile(scene.deps, { ...(await target(scene)), ...edited(scene, 'main.tex'), text: 'New.\n' }),
      ),
    isDone: hasMoved,
  },
  {
    name: 'edit a file on a new branch',
    run: async (scene) => {
      const wanted = { ...(await target(scene)), ...edited(scene, 'main.tex'), newBranch: 'mine', text: 'New.\n' }
      return isCommitted(await editFile(scene.deps, wanted))
    },
    isDone: (scene) => hasRef(scene, 'paper', 'refs/heads/mine'),
  },
  {
    name: 'rename a file',
    run: async (scene) => {
      const text = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'
      return isCommitted(await editFile(scene.deps, { ...(await target(scene)), ...edited(scene, 'paper.tex'), text }))
    },
    isDone: hasMoved,
  },
  {
    name: 'add a file',
    run: async (scene) => {
      const files = new Map([['notes.tex', Buffer.from('Notes.\n')]])
      return isCommitted(await addFiles(scene.deps, { ...(await target(scene)), files, replaces: false }))
    },
    isDone: hasMoved,
  },
  {
    name: 'remove a file',
    run: async (scene) => {
      const wanted = { ...(await target(scene)), openedId: scene.headId, path: 'main.tex' }
      return isCommitted(await removeFile(scene.deps, wanted))
    },
    isDone: hasMoved,
  },
  {
    name: 'create a branch',
    run: async (scene) => {
      const repository = await scene.getRepository('paper')
      const wanted = { repository, actor: scene.alice.user, name: 'made', commitId: scene.headId }
      return (await createBranch(scene.deps, wanted)) === null
    },
    isDone: (scene) => hasRef(scene, 'paper', 'refs/heads/made'),
  },
  {
    name: 'delete a branch',
    run: async (scene) => {
      const repository = await scene.getRepository('paper')
      const wanted = { repository, actor: scene.alice.user, name: 'old', commitId: scene.headId }
      return (await deleteBranch(scene.deps, wanted)) === null
    },
    isDone: async (scene) => !(await hasRef(scene, 'paper', 'refs/heads/old')),
  },
  {
    name: 'restore a branch',
    run: async (scene) => {
      const repository = await scene.getRepository('paper')
      const wanted = { repository, actor: scene.alice.user, id: scene.deletedBranchId }
      return (await restoreBranch(scene.deps, wanted)) === null
    },
    isDone: (scene) => hasRef(scene, 'paper', 'refs/heads/gone'),
  },
  {
    name: 'begin a paper from a template',
    run: async (scene) => {
      const begun = { actor: scene.alice.user, start: 'article', authorEmail: 'alice@example.org' } as const
      return fillFromTemplate(scene.deps, { ...begun, repository: await scene.getRepository('empty') })
    },
    isDone: (scene) => hasRef(scene, 'empty', 'refs/heads/main'),
  },
  {
    name: 'create a repository with a first commit',
    run: async (scene) => (await createRepository(scene.deps, details(scene))).kind === 'created',
    isDone: (scene) => hasRef(scene, 'made', 'refs/heads/main'),
  },
  {
    name: 'create a repository with a paper',
    run: async (scene) => (await createFromTemplate(scene.deps, details(scene), 'article')).kind === 'created',
    isDone: (scene) => hasRef(scene, 'made', 'refs/heads/main'),
  },
  {
    name: 'change the default branch',
    run: async (scene) =>
      changeDefaultBranch(
        scene.deps,
        { repository: await scene.getRepository('paper'), actor: scene.alice.user },
        'old',
      ),
    isDone: async (scene) => (await scene.getRepository('paper')).defaultBranch === 'old',
  },
  {
    name: 'rename a repository',
    run: async (scene) => {
      const change = { repository: await scene.getRepository('paper'), actor: scene.alice.user }
      return (await renameRepository(scene.deps, change, 'essay')) === 'renamed'
    },
    isDone: async (scene) => (await scene.deps.store.repositories.findByName('alice', 'essay')) !== null,
  },
  {
    name: 'delete a repository',
    run: async (scene) => {
      await deleteRepository(scene.deps, { repository: await scene.getRepository('paper'), actor: scene.alice.user })
      return true
    },
    isDone: async (scene) => (await scene.deps.store.repositories.findByName('alice', 'paper')) === null,
  },
  {
    name: 'restore a repository',
    run: async ({ deps, alice, trashedId }) =>
      (await restoreRepository(deps, { owner: alice.user, id: trashedId })) === 'restored',
    isDone: async ({ deps, trashedId }) => (await deps.store.repositories.findById(trashedId)) !== null,
  },
  {
    name: 'remove a repository for good',
    run: ({ deps, alice, trashedId }) => removeFromTrash(deps, { owner: alice.user, id: trashedId }),
    isDone: async ({ deps, trashedId }) => !(await deps.git.hasRepository(trashedId)),
  },
]

/** A push by a real client; `made` = a ref that is at another commit afterwards, null = one that is gone. */
function push(name: string, repository: string, refspecs: readonly string[], made: string | null): FaultOperation {
  return {
    name,
    async run({ origin, token, checkout }) {
      const url = `${origin.replace('://', `://git:${token}@`)}/alice/${repository}.git`
      const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
      return (await runProgram('git', ['push', '--quiet', url, ...refspecs], { cwd: checkout, env })).exitCode === 0
    },
    async isDone(scene) {
      if (made === null) return !(await hasRef(scene, repository, 'refs/heads/old'))
      return made === 'refs/heads/main' && repository === 'paper' ? hasMoved(scene) : hasRef(scene, repository, made)
    },
  }
}

async function target(scene: FaultScene): Promise<CommitTarget> {
  const repository = await scene.getRepository('paper')
  return {
    repository,
    caller: scene.alice,
    branch: 'main',
    newBranch: null,
    openedId: scene.headId,
    message: 'Write',
  }
}

function edited({ headId }: FaultScene, newPath: string) {
  return { openedId: headId, path: 'main.tex', newPath }
}

function details({ alice }: FaultScene) {
  const about = { description: null, visibility: 'private', authorEmail: 'alice@example.org', projectUrl: '' } as const
  return { ...about, owner: alice.user, name: 'made', firstCommit: { gitignore: 'TeX', license: 'mit' } } as const
}

function isCommitted({ kind }: { readonly kind: string }): boolean {
  return kind === 'committed'
}

async function hasMoved(scene: FaultScene): Promise<boolean> {
  const { id } = await scene.getRepository('paper')
  return (await scene.deps.git.findRef(id, 'refs/heads/main')) !== scene.headId
}

async function hasRef({ deps }: FaultScene, name: string, ref: string): Promise<boolean> {
  const repository = await deps.store.repositories.findByName('alice', name)
  return repository !== null && (await deps.git.findRef(repository.id, ref)) !== null
}
