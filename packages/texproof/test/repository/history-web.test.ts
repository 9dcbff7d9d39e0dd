import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

let host: PaperHost
let checkout: Checkout
let first: string
let second: string

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const alice = await host.addUser('alice')
  await host.addRepository(alice.user, 'notes')
  await host.addRepository(alice.user, 'hidden', 'private')
  await host.addRepository(alice.user, 'empty')
  checkout = await host.makeCheckout(host.gitUrl('alice/notes.git', alice.token), { 'a.txt': 'one\ntwo\n' })
  first = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  second = await checkout.commit({ 'a.txt': `one\n${HOSTILE}\n`, 'b.bin': 'x\0y' }, `Change ${HOSTILE}\n\nWith a body.`)
  await checkout.git('tag', 'v1.9', first)
  await checkout.git('tag', 'v1.10')
  const refs = ['main', 'main:refs/heads/feature/a', 'v1.9', 'v1.10']
  await checkout.git('push', 'origin', ...refs)
  await checkout.git('push', host.gitUrl('alice/hidden.git', alice.token), ...refs)
})

after(() => host.close())

async function open(path: string): Promise<readonly [status: number, body: string]> {
  const response = await fetch(host.origin + path)
  return [response.status, await response.text()]
}

function contains(body: string, parts: readonly string[]): readonly boolean[] {
  return parts.map((part) => body.includes(part))
}

test('GET /{owner}/{repo}/commits/{ref} lists the history with links to each commit', async () => {
  const [status, body] = await open('/alice/notes/commits/feature/a')
  assert.equal(status, 200)
  assert.deepEqual(contains(body, [`/alice/notes/commit/${first}`, `/alice/notes/commit/${second}`]), [true, true])
})

test('GET /{owner}/{repo}/commit/{id} shows added and removed lines, and binary files by name', async () => {
  const [status, body] = await open(`/alice/notes/commit/${second}`)
  assert.equal(status, 200)
  assert.deepEqual(contains(body, ['class="removed"', 'class="added"', 'b.bin', 'Binary file.', 'With a body.']), [
    true,
    true,
    true,
    true,
    true,
  ])
})

test('only lines that were added or removed are counted in color', async () => {
  const [, body] = await open(`/alice/notes/commit/${first}`)
  const counts = [...body.matchAll(/<span class="(count[^"]*)">(\+\d+|&#8722;\d+)</g)].map(([, name, count]) => [
    count,
    name,
  ])
  assert.deepEqual(new Set(counts.map((each) => each.join(' '))), new Set(['+2 count count-added', '&#8722;0 count']))
})

test('GET /{owner}/{repo}/commit/{id} shows a root commit', async () => {
  const [status, body] = await open(`/alice/notes/commit/${first}`)
  assert.deepEqual([status, body.includes('class="removed"'), body.includes('class="added"')], [200, false, true])
})

test('a commit without a message has a title', async () => {
  await checkout.git('commit', '--quiet', '--allow-empty', '--allow-empty-message', '--message', '')
  const id = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('push', 'origin', 'HEAD:refs/heads/silent')
  const [, body] = await open(`/alice/notes/commit/${id}`)
  assert.match(body, /<title>Commit without a message · alice\/notes/)
})

test('GET /{owner}/{repo}/tags has the newest version first', async () => {
  const [, body] = await open('/alice/notes/tags')
  assert.equal(body.indexOf('/tree/v1.10') < body.indexOf('/tree/v1.9'), true)
})

test('GET /{owner}/{repo}/branches names the default branch', async () => {
  const [, body] = await open('/alice/notes/branches')
  assert.deepEqual(contains(body, ['/tree/feature/a', '>default<']), [true, true])
})

test('pages of history open for a repository without commits', async () => {
  const pages = await Promise.all(['commits', 'branches', 'tags'].map((page) => open(`/alice/empty/${page}`)))
  assert.deepEqual(
    pages.map(([status]) => status),
    [200, 200, 200],
  )
})

test('history pages run no pushed content and show no author address', async () => {
  const paths = ['commits', `commit/${second}`, 'branches', 'tags']
  const bodies = await Promise.all(paths.map(async (path) => (await open(`/alice/notes/${path}`))[1]))
  assert.deepEqual(
    bodies.map((body) => contains(body, ['<img', 'alice@example.org'])),
    paths.map(() => [false, false]),
  )
})

test('history pages of a private repository look missing', async () => {
  for (const path of ['commits', 'commits/main', `commit/${second}`, 'branches', 'tags']) {
    const hidden = await open(`/alice/hidden/${path}`)
    assert.deepEqual([hidden, hidden[0]], [await open(`/alice/nothing/${path}`), 404])
  }
})

test('GET /{owner}/{repo}/compare offers the last version, the default branch, or the commit before the last', async () => {
  const bob = await host.addUser('bob')
  await host.addRepository(bob.user, 'untagged')
  const remote = host.gitUrl('bob/untagged.git', bob.token)
  await checkout.git('push', remote, `${second}:refs/heads/main`, `${first}:refs/heads/draft`)
  const selected = async (path: string): Promise<readonly string[]> =>
    [...(await open(path))[1].matchAll(/<option value="([^"]+)" selected/g)].map(([, value = '']) => value)
  assert.deepEqual(
    [
      await selected('/alice/notes/compare'),
      await selected('/bob/untagged/compare?head=draft'),
      await selected('/bob/untagged/compare'),
    ],
    [
      ['v1.10', 'main'],
      ['main', 'draft'],
      [first, 'main'],
    ],
  )
})
