/** Invariants of a host after a restart. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Repository } from '../../../src/domain/types.ts'
import { findLeftovers } from '../../../src/git/refs/stale-locks.ts'
import { removeUnfinishedRepositories } from '../../../src/operations/repository/remove-unfinished.ts'
import { findDocumentsOfCommit } from '../../../src/papers/detect/find-documents-of-commit.ts'
import { runTestGit } from '../../support/programs/run-program.ts'
import type { FaultContext } from './fault-setting.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

/**
 * Waits for the work resumed at start, cleans up like the host, and checks: every branch and tag has its builds, once;
 * every repository is complete or gone; git and database have the same default branch; nothing is left over.
 */
export async function checkState(context: FaultContext): Promise<void> {
  const { store, git } = context.deps
  // Cleanup also removes the entry of an unfinished repository.
  const sweepAndList = async () => {
    await removeUnfinishedRepositories({ store, git }, { olderThanMs: -1 })
    return store.pushJournal.list()
  }
  await eventually(sweepAndList, { until: (entries) => entries.length === 0 })
  await removeUnfinishedRepositories({ store, git }, { olderThanMs: -1 })
  const { items } = await store.repositories.listOfMember(context.alice.user.id, {
    filter: { isOwner: true, isCollaborator: false, visibility: null },
    order: { by: 'full_name', direction: 'asc' },
    window: { offset: 0, limit: 100 },
  })
  const repositories = items.map(({ repository }) => repository)
  // Nothing is swept while git waits for a lock that the fault has left.
  const sweepAndFind = async () => {
    await git.sweep({ olderThanMs: -1 })
    return (await Promise.all(repositories.map(({ id }) => findLeftovers(git.gitDir(id))))).flat()
  }
  await eventually(sweepAndFind, { until: (left) => left.length === 0 })
  for (const repository of repositories) await checkRepository(context, repository)
  await checkPushes(context, repositories)
  await checkFolders(context, repositories)
}

async function checkRepository({ deps, lastBuildId }: FaultContext, repository: Repository): Promise<void> {
  const { store, git, parsers } = deps
  const { id, name } = repository
  const gitDir = git.gitDir(id)
  await runTestGit(gitDir, ['-c', 'safe.directory=*', 'fsck', '--strict', '--no-dangling'])
  const head = (await readFile(join(gitDir, 'HEAD'), 'utf8')).trim()
  assert.equal(head, `ref: refs/heads/${repository.defaultBranch}`, `${name}: default branch`)
  const branches = (await git.listBranches(id)).map((branch) => ({ ref: `refs/heads/${branch.name}`, ...branch }))
  const tags = (await git.listTags(id)).map((tag) => ({ ref: `refs/tags/${tag.name}`, ...tag }))
  if (branches.length > 0)
    assert.ok(
      branches.some((branch) => branch.ref === `refs/heads/${repository.defaultBranch}`),
      `${name}: no default`,
    )
  const builds = await store.builds.list(id, { limit: 1_000, offset: 0 })
  for (const { ref, commitId } of [...branches, ...tags]) {
    const found = await findDocumentsOfCommit({ git, parsers }, repository, commitId)
    const wanted = found.kind === 'found' ? found.documents.map((document) => document.name) : []
    const known = builds.filter((build) => build.ref === ref && build.commitId === commitId)
    // If the refs cannot be read again after a build was stored, it is cancelled, and the next attempt stores another one.
    const valid = known.filter(({ state }) => state !== 'cancelled')
    // A restored branch was built before it was deleted, and may be built again, once.
    const fresh = valid.filter((build) => build.id > lastBuildId)
    const built = fresh.length > 0 ? fresh : valid
    assert.deepEqual(built.map(({ document }) => document).toSorted(), wanted.toSorted(), `${name} ${ref}: builds`)
  }
}

/** Each change of a ref since the setting was created is recorded once, with its actor. */
async function checkPushes({ deps, madeAt }: FaultContext, repositories: readonly Repository[]): Promise<void> {
  const ids = repositories.map(({ id }) => id)
  const pushes = await deps.store.pushes.listByOthers(ids, { userId: '', limit: 1_000 })
  const fresh = pushes.filter(({ createdAt }) => createdAt > madeAt)
  const keys = fresh.map(({ repositoryId, ref, newCommitId }) => `${repositoryId} ${ref} ${newCommitId}`)
  assert.equal(new Set(keys).size, keys.length, `noted twice: ${keys.join(', ')}`)
}

/** Folders correspond to repositories, including those in the trash. */
async function checkFolders({ deps, alice }: FaultContext, repositories: readonly Repository[]): Promise<void> {
  const { store, config } = deps
  const root = join(config.dataDir, 'repositories')
  const folders = (await readdir(root, { recursive: true })).flatMap(
    (name) => /^\w\w\/(\d+)\.git$/.exec(name)?.[1] ?? [],
  )
  const trashed = (await store.repositories.listTrashed(alice.user.id)).map(({ id }) => id)
  const rows = [...repositories.map(({ id }) => id), ...trashed]
  const left = await Promise.all(['tmp', 'trash'].map((name) => readdir(join(root, name))))
  assert.deepEqual(
    [
      folders.map(Number).toSorted((a, b) => a - b),
      left.flat(),
      await store.repositories.listUnfinished({ before: Infinity }),
    ],
    [rows.toSorted((a, b) => a - b), [], []],
  )
}
