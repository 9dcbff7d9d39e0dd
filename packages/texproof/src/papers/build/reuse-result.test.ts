import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import { openTestStore } from '../../../test/support/database/open-test-store.ts'
import { exampleNewBuild } from '../../../test/support/example-build.ts'
import type { Build } from '../../domain/build.ts'
import { openGitStore } from '../../git/open-git-store.ts'
import { createPdfStore } from '../cache/pdf-store.ts'
import { reuseResult } from './reuse-result.ts'

const author = { name: 'Alice', email: 'alice@example.org' }

/** A repository whose commits all have the same files. */
async function openRepository(context: TestContext) {
  const { store, repositoryId } = await openTestStore(context)
  const folder = await mkdtemp(join(tmpdir(), 'texproof-reuse-'))
  const git = await openGitStore({ root: folder })
  context.after(async () => {
    await git.close()
    await rm(folder, { recursive: true })
  })
  const pdfs = createPdfStore(join(folder, 'pdf'))
  await git.createRepository(repositoryId, { defaultBranch: 'main', initialCommit: null })
  const files = new Map([['main.tex', Buffer.from('\\today')]])

  async function commit(branch: string, at: string): Promise<string> {
    const details = { branch, from: null, files, message: 'Add', tag: null }
    await git.importCommits(repositoryId, [{ ...details, author: { ...author, at: Date.parse(at) } }])
    return (await git.findBranch(repositoryId, branch))?.commitId ?? ''
  }
  const queue = (commitId: string): Promise<Build> => store.builds.add(exampleNewBuild({ repositoryId, commitId }))
  /** Builds a commit; resolves to the id of its PDF. */
  async function build(commitId: string): Promise<string> {
    const pdfId = await pdfs.add(Buffer.from(commitId))
    const outcome = { state: 'succeeded', pdfId, pageCount: 1, errors: [], warnings: [], passes: [] } as const
    await store.builds.finish((await queue(commitId)).id, outcome)
    return pdfId
  }
  const reuse = async (commitId: string): Promise<string | null> =>
    (await reuseResult(await queue(commitId), { store, git, pdfs }))?.pdfId ?? null
  return { commit, build, reuse }
}

test('reuseResult() takes the result of another commit with the same files and the same day', async (t) => {
  const { commit, build, reuse } = await openRepository(t)
  const pdfId = await build(await commit('main', '2026-05-01T00:00:00Z'))
  assert.equal(await reuse(await commit('draft', '2026-05-01T23:59:59Z')), pdfId)
})

test('reuseResult() takes no result of another day, because a document may print the date', async (t) => {
  const { commit, build, reuse } = await openRepository(t)
  await build(await commit('main', '2026-05-01T23:59:59Z'))
  assert.equal(await reuse(await commit('draft', '2026-05-02T00:00:00Z')), null)
})

test('reuseResult() prefers the result of the same commit over newer ones', async (t) => {
  const { commit, build, reuse } = await openRepository(t)
  const first = await commit('main', '2026-05-01T12:00:00Z')
  const pdfId = await build(first)
  await build(await commit('draft', '2026-05-02T12:00:00Z'))
  assert.equal(await reuse(first), pdfId)
})
