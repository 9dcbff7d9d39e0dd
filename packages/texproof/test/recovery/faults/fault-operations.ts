/** Every operation that moves refs, that creates, renames, shares or deletes a repository, or that copies a host. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { FaultContext } from './fault-setting.ts'
import { makeBackup } from '../../../src/backup/make-backup.ts'
import { restoreBackup } from '../../../src/backup/restore-backup.ts'
import { verifyBackup } from '../../../src/backup/verify-backup.ts'
import { createShareLink } from '../../../src/operations/repository/share-links.ts'
import { knownMigrations } from '../../../src/store/sqlite/migrate.ts'
import { openStore } from '../../../src/store/store.ts'
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
import { restoreVersion } from '../../../src/operations/restore/restore-version.ts'
import { revertCommit } from '../../../src/operations/restore/revert-commit.ts'
import type { Commit } from '../../../src/git/types.ts'
import { renameRepository } from '../../../src/operations/repository/rename-repository.ts'
import { createFromTemplate } from '../../../src/operations/repository/create-from-template.ts'
import { runProgram } from '../../support/programs/run-program.ts'
import { moveOperations } from './move-operations.ts'

/** One operation, and whether it happened. */
export interface FaultOperation {
  readonly name: string
  /** Resolves to true if the host acknowledged it. */
  run(context: FaultContext): Promise<boolean>
  /** Runs before it, without faults. */
  prepare?(context: FaultContext): Promise<void>
  /** Runs after a restart, whatever happened: the operation can be repeated, say. @throws AssertionError */
  check?(context: FaultContext): Promise<void>
  isDone(context: FaultContext): Promise<boolean>
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
    run: async (context) =>
      isCommitted(
        await editFile(context.deps, { ...(await target(context)), ...edited(context, 'main.tex'), text: 'New.\n' }),
      ),
    isDone: hasMoved,
  },
  {
    name: 'edit a file on a new branch',
    run: async (context) => {
      const wanted = { ...(await target(context)), ...edited(context, 'main.tex'), newBranch: 'mine', text: 'New.\n' }
      return isCommitted(await editFile(context.deps, wanted))
    },
    isDone: (context) => hasRef(context, 'paper', 'refs/heads/mine'),
  },
  {
    name: 'rename a file',
    run: async (context) => {
      const text = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'
      return isCommitted(
        await editFile(context.deps, { ...(await target(context)), ...edited(context, 'paper.tex'), text }),
      )
    },
    isDone: hasMoved,
  },
  {
    name: 'add a file',
    run: async (context) => {
      const files = new Map([['notes.tex', Buffer.from('Notes.\n')]])
      return isCommitted(await addFiles(context.deps, { ...(await target(context)), files, replaces: false }))
    },
    isDone: hasMoved,
  },
  {
    name: 'remove a file',
    run: async (context) => {
      const wanted = { ...(await target(context)), openedId: context.headId, path: 'main.tex' }
      return isCommitted(await removeFile(context.deps, wanted))
    },
    isDone: hasMoved,
  },
  {
    name: 'revert a commit',
    prepare: addNotes,
    run: async (context) => {
      const commit = await findHead(context)
      const [parentId = ''] = commit.parentIds
      const { commitId } = commit
      const wanted = { ...(await target(context)), openedId: commitId, commitId, parentId }
      return isCommitted(await revertCommit(context.deps, wanted))
    },
    isDone: lacksNotes,
  },
  {
    name: 'restore a version',
    prepare: addNotes,
    run: async (context) => {
      const { commitId } = await findHead(context)
      const wanted = { ...(await target(context)), openedId: commitId, versionId: context.headId, path: '' }
      return isCommitted(await restoreVersion(context.deps, wanted))
    },
    isDone: lacksNotes,
  },
  {
    name: 'create a branch',
    run: async (context) => {
      const repository = await context.getRepository('paper')
      const wanted = { repository, actor: context.alice.user, name: 'made', commitId: context.headId }
      return (await createBranch(context.deps, wanted)) === null
    },
    isDone: (context) => hasRef(context, 'paper', 'refs/heads/made'),
  },
  {
    name: 'delete a branch',
    run: async (context) => {
      const repository = await context.getRepository('paper')
      const wanted = { repository, actor: context.alice.user, name: 'old', commitId: context.headId }
      return (await deleteBranch(context.deps, wanted)) === null
    },
    isDone: async (context) => !(await hasRef(context, 'paper', 'refs/heads/old')),
  },
  {
    name: 'restore a branch',
    run: async (context) => {
      const repository = await context.getRepository('paper')
      const wanted = { repository, actor: context.alice.user, id: context.deletedBranchId }
      return (await restoreBranch(context.deps, wanted)) === null
    },
    isDone: (context) => hasRef(context, 'paper', 'refs/heads/gone'),
  },
  {
    name: 'begin a paper from a template',
    run: async (context) => {
      const begun = { actor: context.alice.user, start: 'article', authorEmail: 'alice@example.org' } as const
      return fillFromTemplate(context.deps, { ...begun, repository: await context.getRepository('empty') })
    },
    isDone: (context) => hasRef(context, 'empty', 'refs/heads/main'),
  },
  {
    name: 'create a repository with a first commit',
    run: async (context) => (await createRepository(context.deps, details(context))).kind === 'created',
    isDone: (context) => hasRef(context, 'made', 'refs/heads/main'),
  },
  {
    name: 'create a repository with a paper',
    run: async (context) => (await createFromTemplate(context.deps, details(context), 'article')).kind === 'created',
    isDone: (context) => hasRef(context, 'made', 'refs/heads/main'),
  },
  {
    name: 'change the default branch',
    run: async (context) =>
      changeDefaultBranch(
        context.deps,
        { repository: await context.getRepository('paper'), actor: context.alice.user },
        'old',
      ),
    isDone: async (context) => (await context.getRepository('paper')).defaultBranch === 'old',
  },
  {
    name: 'rename a repository',
    run: async (context) => {
      const change = { repository: await context.getRepository('paper'), actor: context.alice.user }
      return (await renameRepository(context.deps, change, 'essay')) === 'renamed'
    },
    isDone: async (context) => (await context.deps.store.repositories.findByName('alice', 'essay')) !== null,
  },
  {
    name: 'delete a repository',
    run: async (context) => {
      await deleteRepository(context.deps, {
        repository: await context.getRepository('paper'),
        actor: context.alice.user,
      })
      return true
    },
    isDone: async (context) => (await context.deps.store.repositories.findByName('alice', 'paper')) === null,
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
  {
    name: 'share a branch',
    run: async (context) => {
      const { id: repositoryId } = await context.getRepository('paper')
      const wanted = { repositoryId, userId: context.alice.user.id, ref: 'refs/heads/main' }
      await createShareLink(
        { store: context.deps.store, dataDir: context.deps.config.dataDir },
        { ...wanted, document: null, expiresAt: null },
      )
      return true
    },
    isDone: async (context) => {
      const { id } = await context.getRepository('paper')
      return (await context.deps.store.shareLinks.listOfRepository(id)).length === 1
    },
  },
  {
    name: 'back up',
    async run({ deps }) {
      const { dataDir } = deps.config
      return (
        (await makeBackup({ dataDir, store: deps.store }, { target: backupIn(dataDir), pdfs: 'all' })).damaged
          .length === 0
      )
    },
    async check({ deps }) {
      // Under its name there is a whole backup or none.
      const target = backupIn(deps.config.dataDir)
      if (existsSync(target)) assert.deepEqual((await verifyBackup(target)).damaged, [])
    },
    isDone: async ({ deps }) => existsSync(backupIn(deps.config.dataDir)),
  },
  {
    name: 'restore a backup',
    async prepare({ deps }) {
      const { dataDir } = deps.config
      await makeBackup({ dataDir, store: deps.store }, { target: backupIn(dataDir), pdfs: 'all' })
      mkdirSync(join(restoredIn(dataDir), 'repositories'), { recursive: true })
      writeFileSync(join(restoredIn(dataDir), 'mine.txt'), 'mine')
    },
    run: ({ deps }) => restore(deps.config.dataDir),
    async check({ deps }) {
      const { dataDir } = deps.config
      assert.ok(await restore(dataDir), 'a restore cannot be repeated')
      const names = readdirSync(restoredIn(dataDir), { recursive: true, encoding: 'utf8' })
      assert.deepEqual(
        [
          names.filter((name) => name.endsWith('mine.txt')).length,
          names.includes('texproof.db'),
          names.includes('restored'),
        ],
        [1, true, false],
      )
    },
    isDone: async ({ deps }) => existsSync(join(restoredIn(deps.config.dataDir), 'texproof.db')),
  },
  {
    name: 'upgrade the database',
    async prepare({ deps }) {
      const { dataDir } = deps.config
      mkdirSync(olderIn(dataDir))
      await deps.store.snapshot(join(olderIn(dataDir), 'texproof.db'))
      const database = new DatabaseSync(join(olderIn(dataDir), 'texproof.db'))
      database.exec(
        `drop index build_finished; drop index build_pdf;
         delete from kysely_migration where name = '0050-build-retention'`,
      )
      database.close()
    },
    async run({ deps }) {
      await (await openStore({ dataDir: olderIn(deps.config.dataDir) })).close()
      return true
    },
    async check({ deps }) {
      const dataDir = olderIn(deps.config.dataDir)
      const count = knownMigrations.length
      const copies = join(dataDir, 'before-upgrade')
      for (const name of existsSync(copies) ? readdirSync(copies).filter((each) => each.endsWith('.db')) : [])
        assert.deepEqual(readSchema(join(copies, name)), ['ok', count - 1], name)
      await (await openStore({ dataDir })).close()
      assert.deepEqual(readSchema(join(dataDir, 'texproof.db')), ['ok', count])
    },
    isDone: async ({ deps }) =>
      readSchema(join(olderIn(deps.config.dataDir), 'texproof.db')).at(1) === knownMigrations.length,
  },
  ...moveOperations,
]

const backupIn = (dataDir: string): string => join(dataDir, 'backups', 'one.tar')
const restoredIn = (dataDir: string): string => join(dataDir, 'other-host')
const olderIn = (dataDir: string): string => join(dataDir, 'older-host')

async function restore(dataDir: string): Promise<boolean> {
  const options = { dataDir: restoredIn(dataDir), keep: [], isReplacing: true }
  return (await restoreBackup(backupIn(dataDir), options)).damaged.length === 0
}

/** The result of SQLite's check and the number of migrations. */
function readSchema(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const { integrity_check: check } = database.prepare('pragma integrity_check(1)').get() ?? {}
    return [check, database.prepare('select count(*) as count from kysely_migration').get()?.['count']]
  } finally {
    database.close()
  }
}

/** A push by a real client; `made` = the ref that it creates or moves, null = it deletes one. */
function push(name: string, repository: string, refspecs: readonly string[], made: string | null): FaultOperation {
  return {
    name,
    async run({ origin, token, checkout }) {
      const url = `${origin.replace('://', `://git:${token}@`)}/alice/${repository}.git`
      const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
      return (await runProgram('git', ['push', '--quiet', url, ...refspecs], { cwd: checkout, env })).exitCode === 0
    },
    async isDone(context) {
      if (made === null) return !(await hasRef(context, repository, 'refs/heads/old'))
      return made === 'refs/heads/main' && repository === 'paper'
        ? hasMoved(context)
        : hasRef(context, repository, made)
    },
  }
}

async function target(context: FaultContext): Promise<CommitTarget> {
  const repository = await context.getRepository('paper')
  return {
    repository,
    caller: context.alice,
    branch: 'main',
    newBranch: null,
    openedId: context.headId,
    message: 'Write',
  }
}

/** Makes a commit that can be undone. */
async function addNotes(context: FaultContext): Promise<void> {
  const files = new Map([['notes.tex', Buffer.from('Notes.\n')]])
  assert.equal((await addFiles(context.deps, { ...(await target(context)), files, replaces: false })).kind, 'committed')
}

async function findHead(context: FaultContext): Promise<Commit> {
  const { id } = await context.getRepository('paper')
  const head = await context.deps.git.findBranch(id, 'main')
  const commit = head === null ? null : await context.deps.git.findCommit(id, head.commitId)
  assert.ok(commit)
  return commit
}

async function lacksNotes(context: FaultContext): Promise<boolean> {
  const { id } = await context.getRepository('paper')
  const { commitId } = await findHead(context)
  return (await context.deps.git.findEntry(id, commitId, 'notes.tex')) === null
}

function edited({ headId }: FaultContext, newPath: string) {
  return { openedId: headId, path: 'main.tex', newPath }
}

function details({ alice }: FaultContext) {
  const about = { description: null, visibility: 'private', authorEmail: 'alice@example.org', projectUrl: '' } as const
  return { ...about, owner: alice.user, name: 'made', firstCommit: { gitignore: 'TeX', license: 'mit' } } as const
}

function isCommitted({ kind }: { readonly kind: string }): boolean {
  return kind === 'committed'
}

async function hasMoved(context: FaultContext): Promise<boolean> {
  const { id } = await context.getRepository('paper')
  return (await context.deps.git.findRefs(id, ['refs/heads/main'])).get('refs/heads/main') !== context.headId
}

async function hasRef({ deps }: FaultContext, name: string, ref: string): Promise<boolean> {
  const repository = await deps.store.repositories.findByName('alice', name)
  return repository !== null && (await deps.git.findRefs(repository.id, [ref])).has(ref)
}
