import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Repository } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { forgetDeletedBranches } from '../../src/operations/branch/delete-branch.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const PAPER = '\\documentclass{article}\n\\begin{document}\nTides.\n\\end{document}\n'

let host: PaperHost
let alice: WebClient
let bob: WebClient
let tides: Repository
let checkout: Checkout
/** The commit of `main` and tag `v1`, and its parent, the commit of `old`. */
let headId: string
let oldId: string

before(async () => {
  host = await openPaperHost()
  for (const login of ['alice', 'bob']) await addTestUser(host.deps.store, { login, password })
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  tides = await host.addRepository(user, 'tides')
  const token = await host.addToken(user, ['repo:write'])
  checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'main.tex': PAPER })
  oldId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('branch', 'old')
  await checkout.commit({ 'a.txt': 'a\n' })
  headId = await checkout.commit({ 'b.txt': 'b\n' }, 'Second')
  await checkout.git('tag', '--annotate', '--message', 'As <b>submitted</b>', 'v1')
  await checkout.git('tag', 'v0', oldId)
  await checkout.git('push', 'origin', 'main', 'old', 'v1', 'v0')
  await host.whenBuilt(tides.id)
  alice = await signIn('alice')
  bob = await signIn('bob')
})
after(() => host.close())

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  assert.equal((await client.submit('/login', '/login', { name, password })).status, 303)
  return client
}

const BRANCHES = '/alice/tides/branches'

function make(name: string, from: string, client = alice) {
  return client.submit(BRANCHES, `${BRANCHES}/new`, { name, from })
}

async function remove(name: string, commit?: string) {
  const seen = (await host.deps.git.findBranch(tides.id, name))?.commitId ?? ''
  return alice.submit(`${BRANCHES}/delete/${name}`, `${BRANCHES}/delete/${name}`, { commit: commit ?? seen })
}

async function names(): Promise<string[]> {
  return (await host.deps.git.listBranches(tides.id)).map(({ name }) => name)
}

test('POST …/branches/new creates a branch from a tag, redirects to its files and builds its PDF', async () => {
  const answer = await make('referee/2', 'v1')
  await host.whenBuilt(tides.id)
  assert.deepEqual(
    [
      answer.status,
      answer.headers.location,
      await host.deps.git.findBranch(tides.id, 'referee/2'),
      (await alice.get('/alice/tides/pdf/referee/2.pdf')).status,
    ],
    [303, '/alice/tides/tree/referee/2', { name: 'referee/2', commitId: headId }, 200],
  )
  await remove('referee/2')
})

test('POST …/branches/new rejects an invalid name or start, and keeps the input', async () => {
  const before = await names()
  const tries = [
    ['', 'main', /Enter a branch name/],
    ['a b', 'main', /Invalid branch name &quot;a b&quot;: the name cannot contain spaces/],
    ['-x', 'main', /no part of the name can begin with/],
    ['old', 'main', /A branch &quot;old&quot; already exists/],
    ['v1', 'main', /A tag &quot;v1&quot; already exists, and both would have the same address/],
    ['old/new', 'main', /conflicts with the branch &quot;old&quot;/],
    ['fine', 'none', /Branch, tag or full commit id &quot;none&quot; not found/],
    ['fine', '0'.repeat(40), /Branch, tag or full commit id/],
  ] as const
  for (const [name, from, reason] of tries) {
    const answer = await make(name, from)
    assert.equal(answer.status, 422)
    assert.match(answer.text, reason)
  }
  assert.match((await make('old', 'v1')).text, /name="name"[\s\S]*?value="old"[\s\S]*?value="v1"/)
  assert.deepEqual(await names(), before)
})

test('GET …/branches shows how far each branch is ahead and behind, the default branch first', async () => {
  const { text } = await alice.get(BRANCHES)
  const rows = [...text.matchAll(/<th scope="row">[\s\S]*?<\/tr>/g)].map(([row]) =>
    row
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  assert.match(rows[0] ?? '', /^main default .* up to date 1 page ZIP$/)
  assert.match(rows[1] ?? '', /^old .* 2 behind .* up to date 1 page ZIP Delete$/)
  assert.match((await alice.get(`${BRANCHES}?q=OL`)).text, /tree\/old[\s\S]*<\/table>/)
  assert.doesNotMatch(
    (await alice.get(`${BRANCHES}?q=OL`)).text,
    /<th scope="row">\s*<a href="\/alice\/tides\/tree\/main/,
  )
})

test('GET …/branches?sort=newest puts the newest commit first, after the default branch', async () => {
  await checkout.git('checkout', '--quiet', '-b', 'aged', oldId)
  await checkout.git('commit', '--quiet', '--allow-empty', '--message', 'Newer than all')
  await checkout.git('push', 'origin', 'aged:refs/heads/z-newest', `${oldId}:refs/heads/a-oldest`)
  await checkout.git('checkout', '--quiet', 'main')
  const order = async (query: string): Promise<string[]> =>
    [
      ...(await alice.get(`${BRANCHES}${query}`)).text.matchAll(/<th scope="row">\s*<a href="[^"]*\/tree\/([^"]+)"/g),
    ].map(([, name]) => name ?? '')
  assert.deepEqual(
    [await order(''), (await order('?sort=newest')).slice(0, 2), await order('?q=EST&sort=newest')],
    [
      ['main', 'a-oldest', 'old', 'z-newest'],
      ['main', 'z-newest'],
      ['z-newest', 'a-oldest'],
    ],
  )
  for (const name of ['z-newest', 'a-oldest']) await remove(name)
})

test('branches are in natural order on their page and in menus, tags with the newest version first', async () => {
  const names = ['topic-10', 'topic-2', 'Topic-1']
  for (const name of names) await make(name, 'main')
  await checkout.git('push', 'origin', `${oldId}:refs/tags/v10`)
  const listed = async (path: string, pattern: RegExp): Promise<readonly string[]> =>
    [...(await alice.get(path)).text.matchAll(pattern)].map(([, name = '']) => name)
  const branches = ['Topic-1', 'topic-2', 'topic-10']
  assert.deepEqual(
    {
      page: await listed(BRANCHES, /<th scope="row">\s*<a href="[^"]*\/tree\/([^"]+)"/g),
      menu: await listed('/alice/tides', /<li>\s*<a href="\/alice\/tides\/tree\/([^"]{1,39})"/g),
      comparison: [...new Set(await listed('/alice/tides/compare', /<option value="([^"]{1,39})"/g))],
      sharing: await listed('/alice/tides/settings/share', /<option value="refs\/[a-z]+\/([^"]+)"/g),
      settings: await listed(
        '/alice/tides/settings',
        /<option\s*(?:selected)?\s*>([^<]+)<\/option>\s*(?=<option|<\/select>)/g,
      ),
    },
    {
      page: ['main', 'old', ...branches],
      menu: ['main', 'old', ...branches, 'v10', 'v1', 'v0'],
      comparison: ['main', 'old', ...branches, 'v10', 'v1', 'v0'],
      sharing: ['main', 'old', ...branches, 'v10', 'v1', 'v0'],
      settings: ['main', 'old', ...branches],
    },
  )
  for (const name of names) await remove(name)
  await checkout.git('push', 'origin', ':refs/tags/v10')
})

test('a deleted branch can be restored, and its address works again', async () => {
  await make('drafts/short', 'old')
  assert.equal((await remove('drafts/short')).status, 303)
  const { text } = await alice.get(BRANCHES)
  const id = /name="id" value="(\d+)" aria-label="Restore drafts\/short"/.exec(text)?.[1] ?? ''
  const gone = (await alice.get('/alice/tides/tree/drafts/short')).status
  const restored = await alice.submit(BRANCHES, `${BRANCHES}/restore`, { id })
  assert.deepEqual(
    [gone, restored.status, await host.deps.git.findBranch(tides.id, 'drafts/short')],
    [404, 303, { name: 'drafts/short', commitId: oldId }],
  )
  assert.doesNotMatch((await alice.get(BRANCHES)).text, /Restore drafts\/short/)
  await remove('drafts/short')
})

test('a deleted branch whose name is in use again cannot be restored', async () => {
  await make('twice', 'old')
  await remove('twice')
  await make('twice', 'main')
  assert.doesNotMatch((await alice.get(BRANCHES)).text, /Restore twice/)
  await remove('twice')
})

test('git clients neither see nor can push the refs that keep deleted branches', async () => {
  await make('hidden', 'old')
  await remove('hidden')
  const listed = await checkout.git('ls-remote', 'origin')
  const old = await checkout.git('-c', 'protocol.version=0', 'ls-remote', 'origin')
  const pushed = await checkout.git('push', 'origin', 'main:refs/texproof/deleted/99')
  assert.deepEqual(
    [listed.stdout.includes('texproof'), old.stdout.includes('texproof'), pushed.exitCode === 0],
    [false, false, false],
  )
})

test('a deleted branch is removed when it expires', async () => {
  await make('late', 'old')
  await remove('late')
  const { store, git } = host.deps
  const [late] = await store.deletedBranches.listOfRepository(tides.id, { since: 0 })
  assert.ok((await forgetDeletedBranches({ store, git }, { olderThanMs: -1 })) > 0)
  const answer = await alice.submit(BRANCHES, `${BRANCHES}/restore`, { id: String(late?.id) })
  assert.deepEqual([answer.status, await git.findBranch(tides.id, 'late')], [422, null])
  assert.match(answer.text, /kept for 7 days/)
})

test('a deletion submitted twice is confirmed twice', async () => {
  await make('twice', 'old')
  const answers = await Promise.all([remove('twice', oldId), remove('twice', oldId)])
  const again = await remove('twice', oldId)
  const other = await remove('twice', headId)
  assert.deepEqual(
    [...answers, again, other].map(({ status, headers }) => [status, headers.location]),
    [
      [303, BRANCHES],
      [303, BRANCHES],
      [303, BRANCHES],
      [404, undefined],
    ],
  )
})

test('a restoration submitted twice is confirmed twice, if the branch is as it was listed', async () => {
  await make('back', 'old')
  await remove('back', oldId)
  const form = /<input type="hidden" name="branch" value="back" \/>[^]*?<\/form>/.exec(
    (await alice.get(BRANCHES)).text,
  )?.[0]
  const id = /name="id" value="(\d+)"/.exec(form ?? '')?.[1] ?? ''
  const restore = (commit: string) => alice.submit(BRANCHES, `${BRANCHES}/restore`, { id, branch: 'back', commit })
  const answers = [await restore(oldId), await restore(oldId), await restore(headId)]
  await remove('back', oldId)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 422],
  )
})

test('a branch that moved since the page was opened is not deleted, nor is the default one', async () => {
  await make('moving', 'main')
  const answer = await remove('moving', oldId)
  assert.equal(answer.status, 422)
  assert.match(answer.text, /has changed since you opened this page/)
  const ofDefault = await alice.submit(BRANCHES, `${BRANCHES}/delete/main`, { commit: headId })
  assert.deepEqual([ofDefault.status, (await alice.get(`${BRANCHES}/delete/main`)).status], [422, 404])
  assert.deepEqual(await names(), ['main', 'moving', 'old'])
  await remove('moving')
})

test('the confirmation of a deletion lists commits on no other branch', async () => {
  await checkout.git('push', 'origin', 'old:refs/heads/behind')
  await host.deps.store.repositories.change(tides.id, { defaultBranch: 'old' })
  const { text } = await alice.get(`${BRANCHES}/delete/main`)
  await host.deps.store.repositories.change(tides.id, { defaultBranch: 'main' })
  assert.match(text, /2 commits on this branch are not in\s+old/)
  await remove('behind')
})

test('users with read access and archived repositories have no pages that change branches', async () => {
  const anonymous = openWebClient(host.origin)
  assert.doesNotMatch((await bob.get(BRANCHES)).text, /Delete|New branch|Restore/)
  const statuses = [
    (await bob.get(`${BRANCHES}/new`)).status,
    (await bob.get(`${BRANCHES}/delete/old`)).status,
    (await make('mine', 'main', bob)).status,
    (await anonymous.get(`${BRANCHES}/new`)).status,
  ]
  await host.deps.store.repositories.change(tides.id, { isArchived: true })
  statuses.push((await make('mine', 'main')).status, (await remove('old')).status)
  await host.deps.store.repositories.change(tides.id, { isArchived: false })
  assert.deepEqual(
    [statuses, await names()],
    [
      [404, 404, 404, 303, 404, 404],
      ['main', 'old'],
    ],
  )
})

test('GET …/tags shows tag messages, the newest version first, with links to files and changes', async () => {
  const { text } = await bob.get('/alice/tides/tags')
  assert.match(
    text,
    /tree\/v1[\s\S]*As &lt;b&gt;submitted&lt;\/b&gt;[\s\S]*archive\/v1\.zip[\s\S]*compare\/v0\.\.\.v1[\s\S]*tree\/v0/,
  )
  assert.match(text, /up to date[\s\S]*1\u{a0}page/u)
})

const TAGS = '/alice/tides/tags'

function freeze(fields: Readonly<Record<string, string>>, client = alice) {
  return client.submit(`${TAGS}/new?from=main`, `${TAGS}/new`, { name: '', message: '', from: headId, ...fields })
}

test('a tag is created in the browser, with its author and message, and gets its PDF', async () => {
  const made = await freeze({ name: 'v2-submitted', message: 'Submitted to <b>Tides</b>' })
  await host.whenBuilt(tides.id)
  const tag = await host.deps.git.findTag(tides.id, 'v2-submitted')
  const note = await host.deps.git.findTagNote(tides.id, 'v2-submitted')
  await checkout.git('fetch', '--tags', 'origin')
  const type = await checkout.git('cat-file', '-t', 'v2-submitted')
  const pdf = await alice.get('/alice/tides/pdf/v2-submitted')
  assert.deepEqual(
    [
      [made.status, made.headers['location']],
      tag?.commitId,
      [note?.message, note?.tagger?.name, note?.tagger?.email],
      type.stdout.trim(),
      pdf.status,
    ],
    [
      [303, '/alice/tides/pdf/v2-submitted'],
      headId,
      ['Submitted to <b>Tides</b>', 'alice', 'noreply@127.0.0.1'],
      'tag',
      200,
    ],
  )
})

test('a tag is refused with the reason at its field, and nothing is created', async () => {
  const refused = [
    await freeze({ name: 'v1', message: 'Again' }),
    await freeze({ name: 'old', message: 'Again' }),
    await freeze({ name: '-x', message: 'Again' }),
    await freeze({ name: 'v3', message: ' ' }),
    await freeze({ name: 'v3', message: 'Again', from: 'f'.repeat(40) }),
    await freeze({ name: 'v3', message: 'Again' }, bob),
  ]
  assert.deepEqual(
    [
      refused.map(({ status }) => status),
      /A branch &quot;old&quot; already exists/.test(refused[1]?.text ?? ''),
      await host.deps.git.findTag(tides.id, 'old'),
      await host.deps.git.findTag(tides.id, 'v3'),
    ],
    [[422, 422, 422, 422, 404, 404], true, null, null],
  )
})

test('the compare page offers branches, tags and recent commits, starting from the newest version', async () => {
  const body = (await alice.get('/alice/tides/compare')).text
  const selected = [...body.matchAll(/<option value="([^"]*)" selected/g)].map(([, value]) => value)
  assert.deepEqual(
    [selected, [...body.matchAll(/<optgroup label="([^"]*)"/g)].slice(0, 3).map(([, label]) => label)],
    [
      ['v2-submitted', 'main'],
      ['Branches', 'Tags', 'Recent commits'],
    ],
  )
})
