import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Repository, User } from '../../src/domain/types.ts'
import { createBranch } from '../../src/operations/branch/create-branch.ts'
import { deleteBranch, listRestorableBranches, restoreBranch } from '../../src/operations/branch/delete-branch.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'

const paper = (text: string): string => `\\documentclass{article}\n\\begin{document}\n${text}\n\\end{document}\n`

let host: PaperHost
let actor: User
let repository: Repository
let checkout: Checkout
let goodId: string
/** Has a document without pages. */
let brokenId: string
/** Has no document. */
let otherId: string

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  actor = outcome.user
  repository = await host.addRepository(actor, 'tides')
  const token = await host.addToken(actor, ['repo:write'])
  checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'notes.txt': 'Notes.\n' })
  otherId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  goodId = await checkout.commit({ 'main.tex': paper('Secret.') })
  brokenId = await checkout.commit({ 'main.tex': paper('') })
  await push(`${otherId}:refs/heads/main`)
})
after(() => host.close())

async function push(...refs: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await checkout.git('push', '--quiet', '--force', 'origin', ...refs)
  assert.equal(exitCode, 0, stderr)
  await host.whenBuilt(repository.id)
}

/** Pushes a branch whose last good PDF is not of its head. */
async function pushSecret(name: string): Promise<void> {
  await push(`${goodId}:refs/heads/${name}`)
  await push(`${brokenId}:refs/heads/${name}`)
}

/** Status of the PDF of a branch, and the commit that it shows. */
async function shown(name: string): Promise<readonly [number, string | null]> {
  const { status, headers } = await fetch(`${host.origin}/alice/tides/pdf/${name}.pdf`)
  return [status, headers.get('x-texproof-commit')]
}

function remove(name: string, commitId: string) {
  return deleteBranch(host.deps, { repository, actor, name, commitId })
}

async function restore(commitId: string): Promise<string | null> {
  const deleted = await listRestorableBranches(host.deps, repository.id)
  const id = deleted.find((branch) => branch.commitId === commitId)?.id ?? 0
  const refusal = await restoreBranch(host.deps, { repository, actor, id })
  await host.whenBuilt(repository.id)
  return refusal
}

test('a branch that is deleted and created again by pushes shows no PDF of its predecessor', async () => {
  await pushSecret('pushed')
  const before = await shown('pushed')
  await push(':refs/heads/pushed')
  await push(`${otherId}:refs/heads/pushed`)
  assert.deepEqual(
    [before, await shown('pushed')],
    [
      [200, goodId],
      [404, null],
    ],
  )
})

test('a branch that is deleted and created again in the browser shows no PDF of its predecessor', async () => {
  await pushSecret('clicked')
  const deletion = await remove('clicked', brokenId)
  const creation = await createBranch(host.deps, { repository, actor, name: 'clicked', commitId: otherId })
  assert.deepEqual([deletion, creation, await shown('clicked')], [null, null, [404, null]])
})

test('a branch shows no PDF of its predecessor from the moment git creates it', async () => {
  await pushSecret('cut-off')
  await push(':refs/heads/cut-off')
  const ref = 'refs/heads/cut-off'
  const move = {
    repositoryId: repository.id,
    userId: actor.id,
    updates: [{ ref, oldCommitId: null, newCommitId: otherId }],
  }
  const { outcome } = await host.deps.papers.moveRefs(move, async () => {
    await host.deps.git.changeRefs(repository.id, [{ ref, from: null, to: otherId }])
    return shown('cut-off')
  })
  assert.deepEqual(outcome, [404, null])
})

test('a branch that is created again shows its own PDF, and no older one after it fails', async () => {
  await pushSecret('again')
  await push(':refs/heads/again')
  await push(`${brokenId}:refs/heads/again`)
  const failed = await shown('again')
  await push(`${goodId}:refs/heads/again`)
  assert.deepEqual(
    [failed, await shown('again')],
    [
      [404, null],
      [200, goodId],
    ],
  )
})

test('a restored branch shows its last good PDF again', async () => {
  await pushSecret('restored')
  const problems = [await remove('restored', brokenId), await restore(brokenId)]
  assert.deepEqual(
    [problems, await shown('restored')],
    [
      [null, null],
      [200, goodId],
    ],
  )
})

test('a branch that is restored after another one had its name shows its own PDF', async () => {
  await pushSecret('reused')
  await remove('reused', brokenId)
  await push(`${otherId}:refs/heads/reused`)
  const other = await checkout.commit({ 'main.tex': paper('Other.') })
  await push(`${other}:refs/heads/reused`)
  const between = await shown('reused')
  await push(':refs/heads/reused')
  const refusal = await restore(brokenId)
  assert.deepEqual([between, refusal, await shown('reused')], [[200, other], null, [200, goodId]])
})

test('a push that could not create a branch leaves the PDF of the branch that exists', async () => {
  await pushSecret('taken')
  const refusal = await createBranch(host.deps, { repository, actor, name: 'taken', commitId: otherId })
  const move = {
    repositoryId: repository.id,
    userId: actor.id,
    updates: [{ ref: 'refs/heads/taken', oldCommitId: null, newCommitId: otherId }],
  }
  await host.deps.papers.moveRefs(move, async () => false)
  assert.deepEqual([refusal, await shown('taken')], ['A branch "taken" already exists.', [200, goodId]])
})

test('a force push keeps the last good PDF', async () => {
  await push(`${goodId}:refs/heads/forced`)
  await push(`${otherId}:refs/heads/forced`)
  assert.deepEqual(await shown('forced'), [200, goodId])
})

test('a deletion that fails leaves nothing to restore, also once the branch is deleted by a push', async () => {
  await push(`${otherId}:refs/heads/failing`)
  const { git } = host.deps
  const changes = [() => Promise.reject(new Error('input/output error')), git.changeRefs]
  const changeRefs: typeof git.changeRefs = (...args) => (changes.shift() ?? git.changeRefs)(...args)
  const deletion = deleteBranch(
    { ...host.deps, git: { ...git, changeRefs } },
    { repository, actor, name: 'failing', commitId: otherId },
  )
  await assert.rejects(deletion, /input\/output error/)
  await push(':refs/heads/failing')
  const deleted = await listRestorableBranches(host.deps, repository.id)
  assert.deepEqual(
    deleted.filter(({ name }) => name === 'failing'),
    [],
  )
})

test('a deletion that fails after git has deleted the branch leaves it to restore', async () => {
  await push(`${otherId}:refs/heads/unsure`)
  const { git } = host.deps
  const changeRefs: typeof git.changeRefs = async (...args) => {
    await git.changeRefs(...args)
    throw new Error('input/output error')
  }
  const deletion = deleteBranch(
    { ...host.deps, git: { ...git, changeRefs } },
    { repository, actor, name: 'unsure', commitId: otherId },
  )
  await assert.rejects(deletion, /input\/output error/)
  const [deleted] = await listRestorableBranches(host.deps, repository.id)
  const refusal = await restoreBranch(host.deps, { repository, actor, id: deleted?.id ?? 0 })
  assert.deepEqual([deleted?.name, refusal], ['unsure', null])
})
