import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { User } from '../../domain/types.ts'
import { openStore } from '../../store/store.ts'
import type { Store } from '../../store/store.ts'
import { addUser } from '../../accounts/users/add-user.ts'
import {
  createShareLink,
  openShareLink,
  readShareLinkText,
  replaceShareLink,
  revokeShareLink,
  type CreatedShareLink,
} from './share-links.ts'

let dataDir: string
let store: Store
let alice: User
let repositoryId: number

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'texproof-share-'))
  store = await openStore({ dataDir })
  const outcome = await addUser(store, { login: 'alice' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  alice = outcome.user
  repositoryId = await addRepository('draft')
})
after(async () => {
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

function request(expiresAt: number | null, id = repositoryId) {
  const wanted = { repositoryId: id, userId: alice.id, ref: 'refs/heads/main', document: null, expiresAt }
  return createShareLink({ store, dataDir }, wanted)
}

async function share(expiresAt: number | null = null, id = repositoryId): Promise<CreatedShareLink> {
  const created = await request(expiresAt, id)
  assert.ok(created)
  return created
}

async function addRepository(name: string): Promise<number> {
  const details = { name, description: null, visibility: 'private', defaultBranch: 'main' } as const
  const id = await store.repositories.addUnfinished({ owner: alice, ...details })
  await store.repositories.markReady(id)
  return id
}

test('openShareLink() opens a link by its text, which is stored only hashed and sealed', async () => {
  const { text, link } = await share()
  const opened = await openShareLink(store, text)
  assert.deepEqual(opened?.kind === 'open' && [opened.link, opened.repository.name], [link, 'draft'])
  assert.equal(JSON.stringify(await store.shareLinks.listOfRepository(repositoryId)).includes(text), false)
})

test('readShareLinkText() returns the text of a link, but not once it is revoked', async () => {
  const { text, link } = await share()
  assert.equal(await readShareLinkText(link, dataDir), text)
  await store.shareLinks.revoke(repositoryId, link.id)
  const revoked = (await store.shareLinks.listOfRepository(repositoryId)).find(({ id }) => id === link.id)
  assert.equal(revoked && (await readShareLinkText(revoked, dataDir)), null)
})

test('readShareLinkText() returns null for the link of another repository', async () => {
  const { link } = await share()
  assert.equal(await readShareLinkText({ ...link, repositoryId: repositoryId + 1 }, dataDir), null)
})

test('openShareLink() returns null for an unknown text', async () => {
  assert.equal(await openShareLink(store, 'A'.repeat(43)), null)
})

test('openShareLink() reports an expired link as gone', async () => {
  assert.deepEqual(await openShareLink(store, (await share(Date.now() - 1)).text), { kind: 'gone' })
})

test('openShareLink() reports a revoked link as gone, and it is revoked once', async () => {
  const { text, link } = await share()
  assert.deepEqual(
    [await store.shareLinks.revoke(repositoryId, link.id), await store.shareLinks.revoke(repositoryId, link.id)],
    [true, false],
  )
  assert.deepEqual(await openShareLink(store, text), { kind: 'gone' })
})

test('ShareLinks.revoke() does not affect a link of another repository', async () => {
  const { link } = await share()
  assert.equal(await store.shareLinks.revoke(repositoryId + 1, link.id), false)
})

test('openShareLink() reports the links of a disabled user and of a disabled repository as gone', async () => {
  const { text } = await share()
  await store.users.setDisabled(alice.id, true)
  const byUser = await openShareLink(store, text)
  await store.users.setDisabled(alice.id, false)
  await store.repositories.change(repositoryId, { isDisabled: true })
  const byRepository = await openShareLink(store, text)
  await store.repositories.change(repositoryId, { isDisabled: false })
  assert.deepEqual(
    [byUser, byRepository, (await openShareLink(store, text))?.kind],
    [{ kind: 'gone' }, { kind: 'gone' }, 'open'],
  )
})

test('ShareLinks.countView() counts views', async () => {
  const { link } = await share()
  await store.shareLinks.countView(link.id)
  await store.shareLinks.countView(link.id)
  const counted = (await store.shareLinks.listOfRepository(repositoryId)).find(({ id }) => id === link.id)
  assert.equal(counted?.viewCount, 2)
})

test('createShareLink() and revokeShareLink() are recorded in the audit log, without the text of the link', async () => {
  const { text, link } = await share()
  await revokeShareLink(store, { repositoryId, userId: alice.id, linkId: link.id })
  const events = await store.events.list({ userId: alice.id, limit: 2, beforeId: null })
  assert.deepEqual(
    events.map(({ kind, actor, detail }) => [kind, actor, detail]),
    [
      ['share-link-revoked', 'alice', `alice/draft link ${link.id}`],
      ['share-link-created', 'alice', 'alice/draft refs/heads/main'],
    ],
  )
  assert.equal(JSON.stringify(events).includes(text), false)
})

test('a repository has at most 100 active share links, even when they are created at once', async () => {
  const id = await addRepository('popular')
  for (let count = 0; count < 98; count += 1) await share(null, id)
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => request(null, id)))
  assert.equal(outcomes.filter((created) => created !== null).length, 2)
})

test('expired and revoked share links do not count toward the limit', async () => {
  const id = await addRepository('renewed')
  await share(Date.now() - 1, id)
  const { link } = await share(null, id)
  for (let count = 0; count < 99; count += 1) await share(null, id)
  const atLimit = await request(null, id)
  await revokeShareLink(store, { repositoryId: id, userId: alice.id, linkId: link.id })
  assert.deepEqual([atLimit, (await request(null, id)) === null], [null, false])
})

test('replaceShareLink() works at the limit, and once for each link', async () => {
  const id = await addRepository('replaced')
  const { link, text } = await share(null, id)
  for (let count = 0; count < 99; count += 1) await share(null, id)
  const replace = () => replaceShareLink({ store, dataDir }, { repositoryId: id, userId: alice.id, linkId: link.id })
  const [first, second] = await Promise.all([replace(), replace()])
  const replaced = first ?? second
  assert.ok(replaced)
  assert.deepEqual(
    [
      (await openShareLink(store, replaced.text))?.kind,
      await openShareLink(store, text),
      [first, second].includes(null),
    ],
    ['open', { kind: 'gone' }, true],
  )
})

test('replaceShareLink() does not affect a link of another repository', async () => {
  const { link, text } = await share()
  const id = await addRepository('unrelated')
  const outcome = await replaceShareLink({ store, dataDir }, { repositoryId: id, userId: alice.id, linkId: link.id })
  assert.deepEqual([outcome, (await openShareLink(store, text))?.kind], [null, 'open'])
})
