import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import { openTestStore } from '../../../test/support/database/open-test-store.ts'
import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { initialCommit } from '../../../test/support/git/git-repository.ts'
import { openGitStore } from '../../git/open-git-store.ts'
import { endDeletedRefs } from './end-deleted-refs.ts'

const nextMonth = { now: Date.now() + 30 * 86_400_000, signal: new AbortController().signal }

/** A repository with the branch `main`, and builds of these refs. */
async function openBuilt(context: TestContext, refs: readonly string[]) {
  const { store, repositoryId, owner } = await openTestStore(context)
  const folder = await mkdtemp(join(tmpdir(), 'texproof-refs-'))
  const git = await openGitStore({ root: folder })
  context.after(async () => {
    await git.close()
    await rm(folder, { recursive: true })
  })
  const firstCommit = initialCommit({ 'main.tex': '' })
  await git.createRepository(repositoryId, { defaultBranch: 'main', initialCommit: firstCommit })
  for (const [at, ref] of refs.entries()) {
    const { id } = await store.builds.add(exampleNewBuild({ repositoryId, ref }))
    const outcome = { state: 'succeeded', pageCount: 1, errors: [], warnings: [], passes: [] } as const
    await store.builds.finish(id, { ...outcome, pdfId: `p${at}` })
  }
  const list = async () => [
    [...(await store.builds.listLastIds(repositoryId)).keys()],
    [...(await store.builds.listKeptPdfIds())].toSorted(),
  ]
  return { store, git, repositoryId, owner, list }
}

test('endDeletedRefs() ends the builds of deleted branches and tags, and keeps their PDFs no longer', async (t) => {
  const { store, git, list } = await openBuilt(t, ['refs/heads/main', 'refs/heads/gone', 'refs/tags/gone'])
  await endDeletedRefs({ store, git }, nextMonth)
  assert.deepEqual(await list(), [['refs/heads/main'], ['p0']])
})

test('endDeletedRefs() keeps the builds of commits', async (t) => {
  const commitId = 'c'.repeat(40)
  const { store, git, list } = await openBuilt(t, ['refs/heads/main', commitId])
  const before = await list()
  await endDeletedRefs({ store, git }, nextMonth)
  assert.deepEqual(await list(), before)
})

test('endDeletedRefs() keeps the builds of more than a hundred branches that can be restored', async (t) => {
  const names = Array.from({ length: 101 }, (_, at) => `branch-${at}`)
  const refs = names.map((name) => `refs/heads/${name}`)
  const { store, git, repositoryId, owner, list } = await openBuilt(t, refs)
  for (const name of names) await store.deletedBranches.add({ repositoryId, name, commitId: 'c', deletedBy: owner.id })
  const before = await list()
  await endDeletedRefs({ store, git }, nextMonth)
  assert.deepEqual(await list(), before)
})

test('endDeletedRefs() keeps the builds of a branch that can be restored', async (t) => {
  const { store, git, repositoryId, owner, list } = await openBuilt(t, ['refs/heads/restorable'])
  await store.deletedBranches.add({ repositoryId, name: 'restorable', commitId: 'c', deletedBy: owner.id })
  await endDeletedRefs({ store, git }, nextMonth)
  assert.deepEqual(await list(), [['refs/heads/restorable'], ['p0']])
})

test('endDeletedRefs() keeps the builds of a repository that is missing on disk', async (t) => {
  const { store, git, repositoryId, list } = await openBuilt(t, ['refs/heads/main'])
  await git.removeRepository(repositoryId)
  await endDeletedRefs({ store, git }, nextMonth)
  assert.deepEqual(await list(), [['refs/heads/main'], ['p0']])
})
