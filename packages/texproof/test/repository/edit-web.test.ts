/**
 * Editing files without git and without script: permissions, typed text is kept in every failure, and hidden pages look
 * like missing ones.
 */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'

import type { User } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { sendRequest } from '../support/send-request.ts'
import type { RawResponse } from '../support/send-request.ts'
import { formTokenOf, openWebClient, withoutFormTokens } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const base = 'One.\nTwo & <three>.\n"Four".\nFive.\n'

let host: PaperHost
let alice: User
let token: string
let author: WebClient
let work: Checkout
let name: string
let made = 0

before(async () => {
  host = await openPaperHost()
  alice = await addPerson('alice')
  await addPerson('bob')
  await addPerson('carol')
  token = await host.addToken(alice, ['repo:write'])
  author = await signIn('alice')
})
after(() => host.close())

beforeEach(async () => {
  made += 1
  name = `notes-${made}`
  const repository = await host.addRepository(alice, name, 'private')
  const bob = await host.deps.store.users.findByLogin('bob')
  await host.deps.store.repositories.setCollaborator(repository.id, bob?.id ?? '', 'pull')
  work = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), {
    'a b.txt': base,
    'sections/one.txt': 'A.\n',
  })
  await work.git('tag', 'v1')
  await work.git('push', '--quiet', 'origin', 'main', 'v1')
})

async function addPerson(login: string): Promise<User> {
  const outcome = await addTestUser(host.deps.store, { login, password })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

async function signIn(login: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name: login, password })
  return client
}

const at = (rest: string): string => `/alice/${name}/${rest}`
const EDIT = 'edit/main/a%20b.txt'
const SETTINGS = 'build-settings/main'

/** The fields of the last form of a page, as a browser sends them. */
function fieldsOf({ text }: RawResponse, wanted: RegExp = /data-edit-form/): Record<string, string> {
  const form = text.split('<form').find((part) => wanted.test(part)) ?? ''
  const inputs = [...form.matchAll(/<input\s([^>]*?)\/?>/gs)].map(([, attributes = '']) => attributes)
  const fields: Record<string, string> = {}
  for (const attributes of inputs) {
    const [, field] = /\bname="([^"]*)"/.exec(attributes) ?? []
    if (field === undefined || (/type="(?:radio|checkbox)"/.test(attributes) && !/\bchecked/.test(attributes))) continue
    fields[field] = unescape(/\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? '')
  }
  const [, area] = /<textarea[^>]*>\n?([^<]*)<\/textarea/.exec(form) ?? []
  if (area !== undefined) fields['text'] = unescape(area).replaceAll('\n', '\r\n')
  return fields
}

function unescape(html: string): string {
  const characters: Readonly<Record<string, string>> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  }
  return html.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? entity)
}

async function fileAt(path: string, ref = 'main'): Promise<string | null> {
  await work.git('fetch', '--quiet', 'origin')
  const shown = await work.git('show', `origin/${ref}:${path}`)
  return shown.exitCode === 0 ? shown.stdout : null
}

async function countCommits(ref = 'main'): Promise<string> {
  await work.git('fetch', '--quiet', 'origin')
  return (await work.git('rev-list', '--count', `origin/${ref}`)).stdout.trim()
}

/** Opens a page and sends its form with some fields changed. */
async function send(page: string, changed: Readonly<Record<string, string>>, client = author): Promise<RawResponse> {
  return client.post(at(page), { ...fieldsOf(await client.get(at(page))), ...changed })
}

test('an edited file is committed, and the next page says so', async () => {
  const page = await author.get(at(EDIT))
  assert.deepEqual(
    [page.status, fieldsOf(page)['text'], fieldsOf(page)['message'], fieldsOf(page)['new_branch']],
    [200, base.replaceAll('\n', '\r\n'), 'Edit a b.txt', 'alice-1'],
  )
  const answer = await send(EDIT, { text: base.replace('Five', 'Six').replaceAll('\n', '\r\n') })
  assert.deepEqual([answer.status, answer.headers.location], [303, `${at('blob/main/a%20b.txt')}?after=commit`])
  assert.match((await author.get(answer.headers.location ?? '')).text, /Committed to <code>main<\/code>/)
  assert.equal(await fileAt('a b.txt'), base.replace('Five', 'Six'))
})

test('a file keeps its line endings, byte order mark and final newline', async () => {
  await work.commit({ 'dos.txt': '\uFEFFOne.\r\nTwo.\r\nThree.' })
  await work.git('push', '--quiet', 'origin', 'main')
  const page = await author.get(at('edit/main/dos.txt'))
  const text = (fieldsOf(page)['text'] ?? '').replace('Two', '\nDeux')
  await send('edit/main/dos.txt', { text })
  assert.equal(await fileAt('dos.txt'), '\uFEFFOne.\r\n\r\nDeux.\r\nThree.')
})

test('a text that begins with an empty line keeps it', async () => {
  await work.commit({ 'empty-line.txt': '\n\nOne.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  await send('edit/main/empty-line.txt', { text: '\r\n\r\nTwo.\r\n' })
  assert.equal(await fileAt('empty-line.txt'), '\n\nTwo.\n')
  assert.equal(fieldsOf(await author.get(at('edit/main/empty-line.txt')))['text'], '\r\n\r\nTwo.\r\n')
})

test('an edit can commit to a new branch and rename the file, with a default message', async () => {
  const moved = await send(EDIT, { path: 'texts/b.txt', to: 'new', new_branch: 'alice-1' })
  assert.equal(moved.headers.location, `${at('blob/alice-1/texts/b.txt')}?after=commit`)
  await work.git('fetch', '--quiet', 'origin')
  const told = await work.git('log', '-1', '--format=%s', '--name-status', '-M', 'origin/alice-1')
  assert.equal(told.stdout.trim(), 'Rename a b.txt to texts/b.txt\n\nR100\ta b.txt\ttexts/b.txt')
  assert.equal(await fileAt('a b.txt'), base)
})

test('a rejected edit keeps the input', async () => {
  const typed = { text: 'Mine & <mine>.\r\n', message: 'Say "more"', to: 'new', new_branch: 'a..b', path: '../x.txt' }
  for (const [changed, words] of [
    [{}, /Invalid branch name &quot;a\.\.b&quot;/],
    [{ new_branch: 'v1' }, /A tag &quot;v1&quot; already exists/],
    [{ to: 'branch' }, /&quot;\.\.&quot; is not a valid name/],
    [{ to: 'branch', path: 'sections' }, /A folder &quot;sections&quot; already exists/],
    [{ to: 'branch', path: 'a b.txt', text: base }, /There are no changes to commit/],
  ] as const) {
    const answer = await send(EDIT, { ...typed, ...changed })
    const { text, message, to, new_branch: newBranch, path } = { ...typed, ...changed }
    const back = fieldsOf(answer)
    assert.equal(answer.status, 422)
    assert.match(answer.text, words)
    assert.deepEqual(
      [back['text'], back['message'], back['to'], back['new_branch'], back['path']],
      [text.replaceAll(/\r?\n/g, '\r\n'), message, to, newBranch, path],
    )
  }
  assert.equal(await countCommits(), '1')
})

test('a form submitted twice creates one commit', async () => {
  const fields = { ...fieldsOf(await author.get(at(EDIT))), text: 'Mine.\n' }
  const answers = await Promise.all([author.post(at(EDIT), fields), author.post(at(EDIT), fields)])
  assert.deepEqual(
    [answers.map(({ status }) => status), await countCommits(), await fileAt('a b.txt')],
    [[303, 303], '2', 'Mine.\n'],
  )
})

test('a push since the editor was opened is merged, and the page says so', async () => {
  const fields = fieldsOf(await author.get(at(EDIT)))
  await work.commit({ 'a b.txt': base.replace('One', 'Un') })
  await work.git('push', '--quiet', 'origin', 'main')
  const answer = await author.post(at(EDIT), { ...fields, text: base.replace('Five', 'Cinq') })
  assert.match((await author.get(answer.headers.location ?? '')).text, /Committed and merged with newer changes on/)
  assert.equal(await fileAt('a b.txt'), base.replace('One', 'Un').replace('Five', 'Cinq'))
})

/** Two users change one line; returns the response to the second. */
async function conflict(): Promise<RawResponse> {
  const fields = fieldsOf(await author.get(at(EDIT)))
  await work.commit({ 'a b.txt': base.replace('Five', 'Their <five>') })
  await work.git('push', '--quiet', 'origin', 'main')
  return author.post(at(EDIT), { ...fields, text: base.replace('Five', 'My <five>'), message: 'Say five' })
}

test('a conflict shows both versions, and keeps one, the other or both', async () => {
  for (const [choice, kept] of [
    ['mine', 'My <five>.\n'],
    ['theirs', null],
    ['both', 'My <five>.\nTheir <five>.\n'],
  ] as const) {
    const page = await conflict()
    assert.equal(page.status, 409)
    assert.doesNotMatch(page.text, /&lt;{2}|={7}|&gt;{2}/)
    assert.match(page.text, /Conflict in a b\.txt[^]*My &lt;five&gt;\.[^]*Alice[^]*Their &lt;five&gt;\./)
    const answer = await author.post(at(EDIT), { ...fieldsOf(page, /name="seen"/), 'place-1': choice })
    const after = choice === 'theirs' ? 'kept' : 'commit'
    assert.equal(answer.headers.location, `${at('blob/main/a%20b.txt')}?after=${after}`)
    assert.equal(await fileAt('a b.txt'), base.replace('Five.\n', kept ?? 'Their <five>.\n'))
    await work.git('checkout', '--quiet', '-B', 'main', 'origin/main')
    await work.commit({ 'a b.txt': base })
    await work.git('push', '--quiet', 'origin', 'main')
  }
})

test('a conflict requires every choice, can be reviewed, and can be committed to a branch', async () => {
  const page = await conflict()
  const fields = fieldsOf(page, /name="seen"/)
  const missing = await author.post(at(EDIT), fields)
  assert.deepEqual([missing.status, /Resolve every conflict/.test(missing.text)], [409, true])
  const look = await author.post(at(EDIT), { ...fields, act: 'look', 'place-1': 'both' })
  assert.equal(fieldsOf(look)['text'], base.replace('Five.\n', 'My <five>.\nTheir <five>.\n').replaceAll('\n', '\r\n'))
  assert.equal((await author.post(at(EDIT), { ...fieldsOf(look), text: 'Ours.\n' })).status, 303)
  assert.equal(await fileAt('a b.txt'), 'Ours.\n')
  const left = await author.post(at(EDIT), fieldsOf(page, /aside-form/))
  assert.equal(left.headers.location, `${at('blob/alice-1/a%20b.txt')}?after=commit`)
  assert.equal(await fileAt('a b.txt', 'alice-1'), base.replace('Five', 'My <five>'))
})

test('a conflict names the other files whose drafts are committed too', async () => {
  await save(at('edit/main/sections/one.txt'), 'A draft.\n')
  const { text } = await conflict()
  const [, named] = /<p>\s*(The drafts of other files[^]*?)\s*<\/p>/.exec(text) ?? []
  assert.equal(
    named?.replaceAll(/\s+/g, ' '),
    'The drafts of other files are committed too: <code>sections/one.txt</code>.',
  )
})

test('a reviewed text is a draft, which is committed without another conflict', async () => {
  const fields = fieldsOf(await conflict(), /name="seen"/)
  const merged = base.replace('Five.', 'My <five>.\nTheir <five>.')
  await author.post(at(EDIT), { ...fields, act: 'look', 'place-1': 'both' })
  const draft = fieldsOf(await author.get(at(EDIT)))
  const { status } = await author.post(at(EDIT), draft)
  const after = await author.get(at(EDIT))
  assert.deepEqual(
    [draft['text'], status, await fileAt('a b.txt'), /Draft from/.test(after.text)],
    [merged.replaceAll('\n', '\r\n'), 303, merged, false],
  )
})

test('a reviewed text does not replace a newer draft', async () => {
  const fields = fieldsOf(await conflict(), /name="seen"/)
  const { branch = '', opened = '', draft = '' } = fieldsOf(await author.get(at(EDIT)))
  await author.submit(at(EDIT), at('draft/main/a%20b.txt'), { branch, opened, draft, text: 'Other window.\n' })
  const look = await author.post(at(EDIT), { ...fields, act: 'look', 'place-1': 'mine' })
  assert.deepEqual(
    [fieldsOf(look)['text'], fieldsOf(await author.get(at(EDIT)))['text']],
    [base.replace('Five', 'My <five>').replaceAll('\n', '\r\n'), 'Other window.\r\n'],
  )
})

test('an edit of a file or branch deleted in the meantime keeps its text for another place', async () => {
  const fields = { ...fieldsOf(await author.get(at(EDIT))), text: 'Mine.\r\n' }
  await work.git('rm', '--quiet', 'a b.txt')
  await work.commit({})
  await work.git('push', '--quiet', 'origin', 'main', 'main~:refs/heads/draft')
  const gone = await author.post(at(EDIT), fields)
  assert.deepEqual([gone.status, fieldsOf(gone)['text'], fieldsOf(gone)['path']], [409, 'Mine.\r\n', 'a b.txt'])
  assert.equal((await author.post(at('new/main'), fieldsOf(gone))).status, 303)
  assert.equal(await fileAt('a b.txt'), 'Mine.\n')

  const onDraft = { ...fieldsOf(await author.get(at('edit/draft/a%20b.txt'))), text: 'Mine.\r\n' }
  await work.git('push', '--quiet', 'origin', ':draft')
  const lost = await author.post(at('edit/draft/a%20b.txt'), onDraft)
  assert.deepEqual([lost.status, /The branch &quot;draft&quot; no longer exists/.test(lost.text)], [422, true])
  const saved = await author.post(at('edit/draft/a%20b.txt'), { ...fieldsOf(lost), to: 'new', new_branch: 'draft' })
  assert.deepEqual([saved.status, await fileAt('a b.txt', 'draft')], [303, 'Mine.\n'])
})

test('the form of a branch deleted in the meantime chooses a new one, to which the next attempt commits', async () => {
  await work.git('push', '--quiet', 'origin', 'main:refs/heads/draft')
  const opened = fieldsOf(await author.get(at('edit/draft/a%20b.txt')))
  await work.git('push', '--quiet', 'origin', ':draft')
  const lost = fieldsOf(await author.post(at('edit/draft/a%20b.txt'), { ...opened, text: 'Mine.\r\n' }))
  const { status } = await author.post(at('edit/draft/a%20b.txt'), lost)
  assert.deepEqual(
    [opened['to'], lost['to'], status, await fileAt('a b.txt', 'alice-1')],
    ['branch', 'new', 303, 'Mine.\n'],
  )
})

test('the draft of a deleted branch is committed to a new branch that starts where the text was opened', async () => {
  const page = await keepDraftOfDeletedBranch()
  const found = await author.get(page)
  assert.deepEqual(
    [found.status, problemOf(found), fieldsOf(found)['text']],
    [
      422,
      'The branch "topic/one" was deleted. Your draft is below: commit it to a new branch, or discard it in the menu.',
      'Mine.\r\n',
    ],
  )
  const { status } = await author.post(page, { ...fieldsOf(found), new_branch: 'again' })
  const files = [await fileAt('a b.txt', 'again'), await fileAt('sections/one.txt', 'again')]
  assert.deepEqual([status, ...files, (await author.get(page)).status], [303, 'Mine.\n', 'A.\n', 404])
})

test('the draft of a deleted branch is discarded', async () => {
  const page = await keepDraftOfDeletedBranch()
  await discardAndExpectNoFile(page)
})

test('the draft of a deleted file is discarded', async () => {
  await save(at(EDIT), 'Mine.\n')
  await work.git('rm', '--quiet', 'a b.txt')
  await work.commit({})
  await work.git('push', '--quiet', 'origin', 'main')
  await discardAndExpectNoFile(at(EDIT))
})

test('a file added after its branch was deleted can start a new branch, with the history of the old one', async () => {
  await work.git('push', '--quiet', 'origin', 'main:refs/heads/feature')
  const page = at('new/feature')
  const fields = { ...fieldsOf(await author.get(page)), path: 'two.txt', text: 'Two.' }
  await work.git('push', '--quiet', 'origin', ':feature')
  const lost = await author.post(page, fields)
  assert.match(lost.text, /The branch &quot;feature&quot; no longer exists/)
  const saved = await author.post(page, { ...fieldsOf(lost), to: 'new', new_branch: 'again' })
  assert.deepEqual(
    [saved.status, await countCommits('again'), await fileAt('a b.txt', 'again'), await fileAt('two.txt', 'again')],
    [303, '2', base, 'Two.\n'],
  )
})

test('a commit contains the chosen drafts of other files, unless one of them conflicts', async () => {
  await save(at('edit/main/sections/one.txt'), 'A draft.\n')
  const fields = fieldsOf(await author.get(at(EDIT)))
  assert.equal(fields['other'], 'sections/one.txt')
  await author.post(at(EDIT), { ...fields, text: 'First.\n', other: '' })
  const afterOne = [await fileAt('a b.txt'), await fileAt('sections/one.txt')]
  await work.git('checkout', '--quiet', '-B', 'main', 'origin/main')
  await work.commit({ 'sections/one.txt': 'Theirs.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const second = { ...fieldsOf(await author.get(at(EDIT))), text: 'Second.\n' }
  const refused = await author.post(at(EDIT), second)
  await save(at('edit/main/sections/one.txt'), 'Theirs.\nA draft.\n', '1')
  await work.git('revert', '--no-edit', 'HEAD')
  await work.git('push', '--quiet', 'origin', 'main')
  const { status } = await author.post(at(EDIT), { ...second, message: '' })
  await work.git('fetch', '--quiet', 'origin')
  const { stdout } = await work.git('log', '-1', '--format=%s', '--name-only', 'origin/main')
  const { text } = await author.get(at(EDIT))
  assert.deepEqual(
    [afterOne, problemOf(refused), status, stdout.split('\n').filter((line) => line !== ''), /name="other"/.test(text)],
    [
      ['First.\n', 'A.\n'],
      'The draft of "sections/one.txt" conflicts with newer commits. Open that file to commit it, or leave it out.',
      303,
      ['Edit a b.txt and 1 other file', 'a b.txt', 'sections/one.txt'],
      false,
    ],
  )
})

test('a commit with drafts of other files names the open file only if it has changed', async () => {
  await save(at('edit/main/sections/one.txt'), 'Alone.\n')
  await send(EDIT, {})
  await work.git('fetch', '--quiet', 'origin')
  const { stdout } = await work.git('log', '-1', '--format=%s', '--name-only', 'origin/main')
  assert.deepEqual(
    stdout.split('\n').filter((line) => line !== ''),
    ['Edit one.txt', 'sections/one.txt'],
  )
})

test('an edit survives the end of its session and an expired form', async () => {
  const client = await signIn('alice')
  const fields = { ...fieldsOf(await client.get(at(EDIT))), text: 'Typed for <an hour>.\r\n' }
  await client.submit('/', '/logout', {})
  const kept = await client.post(at(EDIT), fields)
  assert.deepEqual([kept.status, fieldsOf(kept)['text']], [401, fields['text']])
  const still = await client.post(at(EDIT), fieldsOf(kept))
  assert.ok([401, 404].includes(still.status))
  assert.equal(fieldsOf(still)['text'], fields['text'])
  await client.submit('/login', '/login', { name: 'alice', password })
  const again = await client.post(at(EDIT), fieldsOf(still))
  assert.deepEqual([again.status, fieldsOf(again)['text']], [403, fields['text']])
  assert.equal((await client.post(at(EDIT), fieldsOf(again))).status, 303)
  assert.equal(await fileAt('a b.txt'), 'Typed for <an hour>.\n')
})

test('a text typed by another user of the browser is committed only by a button that names the new one', async () => {
  const client = await signIn('alice')
  const fields = { ...fieldsOf(await client.get(at(EDIT))), text: 'Typed by alice.\r\n' }
  await client.submit('/', '/logout', {})
  await client.submit('/login', '/login', { name: 'bob', password })
  const kept = await client.post(at(EDIT), fields)
  const [, words, button] =
    /<p>(Nothing was committed[^<]*)<[\s\S]*<button class="button">([^<]*)</.exec(kept.text) ?? []
  assert.deepEqual(
    [kept.status, words, button],
    [
      403,
      'Nothing was committed. This text was typed by another user, and you are signed in as bob. Commit it as bob, or sign in as the other user in a new tab, come back to this one and try again. Your text is below.',
      'Commit as bob',
    ],
  )
  await client.submit('/', '/logout', {})
  await client.submit('/login', '/login', { name: 'alice', password })
  // The button still names bob.
  const again = await client.post(at(EDIT), fieldsOf(kept))
  assert.match(again.text, /<button class="button">Commit as alice</)
  assert.equal((await client.post(at(EDIT), fieldsOf(again))).status, 303)
})

test('a large upload after the end of its session is refused for that reason', async () => {
  const client = openWebClient(host.origin)
  const answers = await Promise.all(
    ['/import', at('upload/main'), '/join'].map((action) => client.post(action, { field: 'x'.repeat(3_000_000) })),
  )
  assert.deepEqual(
    answers.map(({ status, text }) => [status, /Your session has ended/.test(text)]),
    [
      [403, true],
      [403, true],
      [413, false],
    ],
  )
})

test('a page that keeps a text also keeps the choice of several drafts', async () => {
  const [first, second] = [
    ['other', 'sections/one.txt'],
    ['other', 'sections/two.txt'],
  ] as const
  const fields = new URLSearchParams([['text', 'Typed.'], [...first], [...second]])
  const { text } = await openWebClient(host.origin).post(at(EDIT), fields)
  const kept = [...text.matchAll(/type="hidden" name="(other)" value="([^"]*)"/g)].map(([, field, value]) => [
    field,
    value,
  ])
  assert.deepEqual(kept, [first, second])
})

test('a text typed before its repository was renamed is committed at the new address', async () => {
  const fields = { ...fieldsOf(await author.get(at(EDIT))), text: 'Typed before.\n' }
  const renamed = `${name}-renamed`
  await author.submit(at('settings'), at('settings/name'), { 'new-name': renamed })
  const kept = await author.post(at(EDIT), fields)
  const [, action = ''] = /<form method="post" action="([^"]*)"[^>]*data-edit-form/.exec(kept.text) ?? []
  const { status } = await author.post(action, fieldsOf(kept))
  assert.deepEqual(
    [kept.status, kept.text.includes(`This repository is now <a href="/alice/${renamed}">`), action, status],
    [404, true, `/alice/${renamed}/${EDIT}`, 303],
  )
  await work.git('remote', 'set-url', 'origin', host.gitUrl(`alice/${renamed}.git`, token))
  assert.equal(await fileAt('a b.txt'), 'Typed before.\n')
})

test('a cross-site form changes nothing and is not shown again', async () => {
  const fields = { ...fieldsOf(await author.get(at(EDIT))), text: 'Foreign.\n' }
  const bare = Object.fromEntries(Object.entries(fields).filter(([field]) => field !== 'form_token'))
  const foreign = [
    await author.post(at(EDIT), fields, { origin: 'https://elsewhere.example' }),
    await author.post(at(EDIT), fields, { 'sec-fetch-site': 'cross-site' }),
    await author.post(at('delete/main/a%20b.txt'), bare),
    await author.post(at('upload/main'), bare),
  ]
  assert.deepEqual(
    foreign.map(({ status, text }) => [status, text.includes('Foreign.')]),
    Array.from({ length: 4 }, () => [403, false]),
  )
  assert.equal(await countCommits(), '1')
})

test('the forms of a private repository are 404 for users without access', async () => {
  const anonymous = openWebClient(host.origin)
  await anonymous.get('/login')
  for (const client of [await signIn('carol'), anonymous])
    for (const page of [EDIT, 'new/main', 'delete/main/a%20b.txt', 'move/main/a%20b.txt', 'upload/main', SETTINGS]) {
      const missing = (answer: RawResponse) => withoutFormTokens(answer.text).replaceAll('no-such', name)
      const [hidden, none] = [await client.get(at(page)), await client.get(`/alice/no-such/${page}`)]
      assert.deepEqual([hidden.status, withoutFormTokens(hidden.text)], [404, missing(none)])
      const fields = {
        form_token: formTokenOf((await client.get('/login')).text || (await client.get('/')).text),
        text: 'Mine.',
      }
      const [sent, lost] = [await client.post(at(page), fields), await client.post(`/alice/no-such/${page}`, fields)]
      assert.deepEqual([sent.status, withoutFormTokens(sent.text)], [lost.status, missing(lost)])
      assert.ok(sent.status >= 400)
    }
  assert.equal(await countCommits(), '1')
})

test('a user with read access gets no editor, but a contact', async () => {
  const reader = await signIn('bob')
  const file = await reader.get(at('blob/main/a%20b.txt'))
  assert.deepEqual([file.status, /\/edit\/|\/new\/main/.test(file.text)], [200, false])
  assert.doesNotMatch((await reader.get(at('tree/main/sections'))).text, /Add files/)
  for (const page of [EDIT, 'new/main', 'delete/main/a%20b.txt', SETTINGS]) {
    const answer = await reader.get(at(page))
    assert.deepEqual([answer.status, /Ask alice for write access/.test(answer.text)], [404, true])
  }
  const fields = {
    form_token: formTokenOf((await reader.get('/')).text),
    branch: 'main',
    text: 'Mine.',
    path: 'a b.txt',
  }
  for (const page of [EDIT, 'new/main', 'delete/main/a%20b.txt', 'upload/main', SETTINGS])
    assert.equal((await reader.post(at(page), fields)).status, 404)
  assert.equal(await countCommits(), '1')
})

test('the address of a refused upload, opened again, has the form', async () => {
  const [opened, again] = [await author.get(at('new/main/sections')), await author.get(at('upload/main/sections'))]
  assert.deepEqual([again.status, withoutFormTokens(again.text)], [200, withoutFormTokens(opened.text)])
})

test('tags and archived repositories have no editor, and a commit links to its branch', async () => {
  const tagged = await author.get(at('edit/v1/a%20b.txt'))
  assert.deepEqual([tagged.status, /v1 is a tag and cannot be changed/.test(tagged.text)], [404, true])
  assert.match(tagged.text, /\/edit\/main\/a%20b\.txt/)
  const { stdout } = await work.git('rev-parse', 'HEAD')
  for (const ref of ['v1', stdout.trim(), 'main'])
    assert.match((await author.get(at(`blob/${ref}/a%20b.txt`))).text, /href="[^"]*\/edit\/main\/a%20b\.txt"/)
  assert.equal((await author.get(at('edit/nowhere/a%20b.txt'))).status, 404)
  const repository = await host.deps.store.repositories.findByName('alice', name)
  await host.deps.store.repositories.change(repository?.id ?? 0, { isArchived: true })
  const rest = await author.get(at(EDIT))
  const [, heading, words] = /<h1>(.*)<\/h1>\s*<p[^>]*>\s*(.*?)\s*<\/p>/.exec(rest.text) ?? []
  assert.deepEqual(
    [rest.status, heading, words, rest.text.includes('Did you mean')],
    [404, 'Repository archived', 'This repository is archived and read-only. Its owner can unarchive it.', false],
  )
  assert.doesNotMatch((await author.get(at('blob/main/a%20b.txt'))).text, /\/edit\//)
})

test('a binary file has no editor, and the page says why', async () => {
  await work.git('config', 'core.symlinks', 'true')
  await work.commit({ 'a.bin': 'a\0b', 'large.txt': 'a'.repeat(1024 * 1024 + 1) })
  const blob = (await work.git('hash-object', '-w', 'a b.txt')).stdout.trim()
  await work.git('update-index', '--add', '--cacheinfo', `120000,${blob},link`)
  await work.git(
    'update-index',
    '--add',
    '--cacheinfo',
    `160000,${(await work.git('rev-parse', 'HEAD')).stdout.trim()},sub`,
  )
  await work.git('commit', '--quiet', '-m', 'More')
  await work.git('push', '--quiet', 'origin', 'HEAD:main')
  for (const [path, words] of [
    ['a.bin', /not UTF-8 text/],
    ['large.txt', /larger than 1 MB/],
    ['link', /a symbolic link/],
    ['sub', /a submodule/],
  ] as const) {
    const { status, text } = await author.get(at(`edit/main/${path}`))
    assert.deepEqual([path, status, words.test(text), /<textarea/.test(text)], [path, 200, true, false])
  }
})

test('a new file is created, and an existing one is not overwritten', async () => {
  const answer = await send('new/main/sections', { path: 'sections/deep/two.txt', text: 'Two.', message: '' })
  assert.equal(answer.headers.location, `${at('blob/main/sections/deep/two.txt')}?after=commit`)
  assert.equal(await fileAt('sections/deep/two.txt'), 'Two.\n')
  assert.equal((await work.git('log', '-1', '--format=%s', 'origin/main')).stdout.trim(), 'Add sections/deep/two.txt')
  const taken = await send('new/main', { path: 'a b.txt', text: 'Mine.' })
  assert.deepEqual([taken.status, fieldsOf(taken)['text']], [422, 'Mine.'])
  assert.equal(await fileAt('a b.txt'), base)
})

test('a file is deleted after confirmation, and only if unchanged', async () => {
  const page = at('delete/main/a%20b.txt')
  const fields = fieldsOf(await author.get(page), /Delete file/)
  await work.commit({ 'a b.txt': 'Changed.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const refused = await author.post(page, fields)
  assert.deepEqual([refused.status, /has changed since you opened this page/.test(refused.text)], [422, true])
  const answer = await author.post(page, fieldsOf(refused, /Delete file/))
  assert.deepEqual([answer.status, answer.headers.location, await fileAt('a b.txt')], [303, at('tree/main'), null])
})

test('a folder is deleted with its files after confirmation', async () => {
  const page = at('delete/main/sections')
  const shown = await author.get(page)
  const answer = await author.post(page, fieldsOf(shown, /Delete folder/))
  assert.deepEqual(
    [/deletion of 1 file to main/.test(shown.text), answer.headers.location, await fileAt('sections/one.txt')],
    [true, at('tree/main'), null],
  )
})

test('a deletion leads to the folder of the file, or the nearest that is left, even on a new branch', async () => {
  await work.commit({ 'tables/2024/a.tex': 'A.\n', 'tables/2024/b.tex': 'B.\n', 'tables/old/c.tex': 'C.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const remove = async (path: string, fields: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const page = at(`delete/main/${path}`)
    const answer = await author.post(page, { ...fieldsOf(await author.get(page), /Delete f/), ...fields })
    return answer.headers.location
  }
  assert.deepEqual(
    [
      await remove('tables/2024/a.tex'),
      await remove('tables/2024/b.tex', { to: 'new', new_branch: 'tidy/tables' }),
      await remove('tables/2024'),
      await remove('tables/old/c.tex'),
    ],
    [at('tree/main/tables/2024'), at('tree/tidy/tables/tables'), at('tree/main/tables'), at('tree/main')],
  )
})

test('a binary file and a folder are moved, and every other file stays', async () => {
  await work.commit({ 'figures/a.bin': 'a\0b' })
  await work.git('push', '--quiet', 'origin', 'main')
  const files = await move('figures/a.bin', 'sections/figures/a.bin')
  const folder = await move('sections', 'parts/new')
  await work.git('fetch', '--quiet', 'origin')
  const { stdout } = await work.git('log', '-2', '--format=%s', '--name-status', '--no-renames', 'origin/main')
  assert.deepEqual(
    [files.headers.location, folder.headers.location, stdout.split('\n').filter((line) => line !== '')],
    [
      `${at('blob/main/sections/figures/a.bin')}?after=commit`,
      `${at('tree/main/parts/new')}?after=commit`,
      [
        'Move sections to parts/new',
        'A\tparts/new/figures/a.bin',
        'A\tparts/new/one.txt',
        'D\tsections/figures/a.bin',
        'D\tsections/one.txt',
        'Move figures/a.bin to sections/figures/a.bin',
        'D\tfigures/a.bin',
        'A\tsections/figures/a.bin',
      ],
    ],
  )
})

test('a move is refused if it would replace, nest or hide something, or the entry has changed', async () => {
  const page = at('move/main/sections')
  const fields = fieldsOf(await author.get(page), /Move folder/)
  const refusals: string[] = []
  for (const path of ['a b.txt', 'sections/deep', '../sections', 'sections', `${'a'.repeat(250)}/${'b/'.repeat(32)}c`])
    refusals.push(problemOf(await author.post(page, { ...fields, path })))
  await save(at('edit/main/sections/one.txt'), 'A draft.\n')
  refusals.push(problemOf(await author.post(page, { ...fields, path: 'parts' })))
  await work.commit({ 'sections/one.txt': 'Changed.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  refusals.push(problemOf(await author.post(page, { ...fields, path: 'parts' })))
  assert.deepEqual(refusals, [
    'A file "a b.txt" already exists. Choose another name.',
    '"sections/deep" is inside "sections". Choose another folder.',
    '".." is not a valid name: use a path relative to the repository root.',
    'Enter a new path.',
    'The path has more than 32 folders.',
    '"sections/one.txt" has a draft. Commit or discard it first.',
    '"sections" has changed since you opened this page. Nothing was moved.',
  ])
})

test('a file whose name is not UTF-8 is edited, moved and deleted with git only, but moves with its folder', async () => {
  const folder = Buffer.from(`${work.dir}/sections/`)
  await writeFile(Buffer.concat([folder, Buffer.from('caf\u00E9.txt', 'latin1')]), 'Old.\n')
  await work.commit({})
  await work.git('push', '--quiet', 'origin', 'main')
  const path = 'sections/caf%EF%BF%BD.txt'
  const problems: string[] = []
  for (const [action, form] of [
    ['edit', /data-edit-form/],
    ['move', /Move file/],
    ['delete', /Delete file/],
  ] as const) {
    const page = at(`${action}/main/${path}`)
    const fields = fieldsOf(await author.get(page), form)
    const changed = { edit: { text: 'New.\r\n' }, move: { path: 'cafe.txt' }, delete: {} }[action]
    problems.push(problemOf(await author.post(page, { ...fields, ...changed })))
  }
  const problem =
    'The name of "sections/caf\uFFFD.txt" is not valid UTF-8: \uFFFD stands for what cannot be read. Nothing was committed. Clone the repository, rename the file with git, and push.'
  assert.deepEqual([problems, await countCommits()], [[problem, problem, problem], '2'])
  assert.equal((await move('sections', 'parts')).status, 303)
  await work.git('fetch', '--quiet', 'origin')
  const { stdout } = await work.git('ls-tree', '-r', '--name-only', 'origin/main')
  assert.deepEqual(stdout.trim().split('\n'), ['a b.txt', '"parts/caf\\351.txt"', 'parts/one.txt'])
})

test('a move sent twice leads to the new path, even if it updated the moved file', async () => {
  await work.commit({ 'intro.tex': '\\input{sections/two}\n\\input{intro}\n', 'sections/two.tex': 'Two.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const page = at('move/main/intro.tex')
  const fields = { ...fieldsOf(await author.get(page), /Move file/), path: 'parts/intro.tex' }
  const [first, again] = [await author.post(page, fields), await author.post(page, fields)]
  const shown = await author.get(again.headers.location ?? '')
  assert.deepEqual(
    [first.status, again.headers.location, shown.status, /Already moved: this is the new path\./.test(shown.text)],
    [303, at('blob/main/parts/intro.tex'), 200, true],
  )
})

test('a move of a path that others have moved or deleted leads to its folder, and says why', async () => {
  const page = at('move/main/sections/one.txt')
  const fields = { ...fieldsOf(await author.get(page), /Move file/), path: 'parts/one.txt' }
  await work.git('mv', 'sections/one.txt', 'sections/1.txt')
  await work.commit({})
  await work.git('push', '--quiet', 'origin', 'main')
  const answer = await author.post(page, fields)
  const { text } = await author.get(answer.headers.location ?? '')
  assert.deepEqual(
    [answer.headers.location, /Nothing was moved: the path was moved or deleted/.test(text)],
    [at('tree/main/sections'), true],
  )
})

test('a file is moved or deleted on a new branch if its branch was deleted in the meantime', async () => {
  await work.git('push', '--quiet', 'origin', 'main:refs/heads/draft')
  const [moving, deleting] = [at('move/draft/a%20b.txt'), at('delete/draft/sections/one.txt')]
  const moved = { ...fieldsOf(await author.get(moving), /Move file/), path: 'c.txt' }
  const deleted = fieldsOf(await author.get(deleting), /Delete file/)
  await work.git('push', '--quiet', 'origin', ':draft')
  const lost = [await author.post(moving, moved), await author.post(deleting, deleted)] as const
  assert.deepEqual(
    lost.map(({ status, text }) => [status, /The branch &quot;draft&quot; no longer exists/.test(text)]),
    [
      [422, true],
      [422, true],
    ],
  )
  await author.post(moving, { ...fieldsOf(lost[0], /Move file/), to: 'new', new_branch: 'moved' })
  await author.post(deleting, { ...fieldsOf(lost[1], /Delete file/), to: 'new', new_branch: 'shorter' })
  assert.deepEqual([await fileAt('c.txt', 'moved'), await fileAt('sections/one.txt', 'shorter')], [base, null])
  assert.equal(await fileAt('a b.txt', 'shorter'), base)
})

test('a file that is there already creates no new branch, and leads to the branch of the page', async () => {
  const fields = { ...fieldsOf(await author.get(at('new/main'))), path: 'a b.txt', text: base }
  const answer = await author.post(at('new/main'), { ...fields, to: 'new', new_branch: 'none' })
  assert.equal(answer.headers.location, `${at('blob/main/a%20b.txt')}?after=commit`)
})

/** Opens the page of a move and sends its form. */
async function move(path: string, newPath: string): Promise<RawResponse> {
  const page = at(`move/main/${path}`)
  return author.post(page, { ...fieldsOf(await author.get(page), /Move (?:file|folder)/), path: newPath })
}

/** Stores a draft, as an editor without a live connection does. */
async function save(page: string, text: string, draft = '0'): Promise<void> {
  const { branch = '', form_token: token = '' } = fieldsOf(await author.get(page))
  const answer = await author.post(page.replace('/edit/', '/draft/'), { branch, form_token: token, text, draft })
  assert.equal(answer.status, 200)
}

/** Stores a draft on a branch, deletes the branch, and returns the address of the draft. */
async function keepDraftOfDeletedBranch(): Promise<string> {
  await work.git('push', '--quiet', 'origin', 'main:refs/heads/topic/one')
  const page = at('edit/topic/one/a%20b.txt')
  await save(page, 'Mine.\n')
  await work.git('push', '--quiet', 'origin', ':topic/one')
  return page
}

/** Discards the draft on its page: nothing is left of the file. */
async function discardAndExpectNoFile(page: string): Promise<void> {
  const form = { ...fieldsOf(await author.get(page), /data-discard-draft/), act: 'discard' }
  const { status, headers } = await author.post(page.replace('/edit/', '/draft/'), form)
  assert.deepEqual([status, headers['location'], (await author.get(page)).status], [303, `/alice/${name}`, 404])
}

/** The problem of a refused form. */
function problemOf({ text }: RawResponse): string {
  const [, listed, problem = listed ?? ''] =
    /class="problem-box"[^>]*>([^]*?)<\/div>|class="field-problem"[^>]*>([^]*?)<\/span/.exec(text) ?? []
  return unescape(
    problem
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

/** Uploads files like a browser. */
async function upload(
  files: readonly (readonly [fileName: string, bytes: string | Uint8Array])[],
  folder = '',
): Promise<RawResponse> {
  const fields = fieldsOf(await author.get(at(`new/main${folder}`)), /name="files"/)
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) if (field !== 'files') form.append(field, value)
  for (const [fileName, bytes] of files) form.append('files', new File([new Uint8Array(Buffer.from(bytes))], fileName))
  const body = new Response(form)
  const cookie = [...author.cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { cookie, origin: host.origin, 'content-type': body.headers.get('content-type') ?? '' }
  const bytes = new Uint8Array(await body.arrayBuffer())
  return sendRequest(host.origin, { method: 'POST', target: at(`upload/main${folder}`), headers, body: bytes })
}

test('uploaded files become one commit, and replace files seen before', async () => {
  const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2)
  const answer = await upload(
    [
      ['plot.png', picture],
      ['one.txt', 'B.\n'],
      ['e\u0301.bib', '@book{a}'],
    ],
    '/sections',
  )
  assert.deepEqual([answer.status, answer.headers.location], [303, at('tree/main/sections')])
  assert.deepEqual([await countCommits(), await fileAt('sections/one.txt')], ['2', 'B.\n'])
  const raw = await author.get(at('raw/main/sections/%C3%A9.bib'))
  assert.deepEqual([raw.status, raw.text], [200, '@book{a}'])
  assert.equal((await work.git('log', '-1', '--format=%s', 'origin/main')).stdout.trim(), 'Add 3 files')
})

test('an empty or too large upload, or one with invalid names, is rejected with the reason', async () => {
  const many = Array.from({ length: 51 }, (_, n) => [`${n}.txt`, 'a'] as const)
  const megabytes = (count: number): Uint8Array => new Uint8Array(count * 1024 * 1024)
  for (const [files, words] of [
    [[], /Choose at least one file/],
    [many, /You chose 51 files; the limit is 50/],
    [[['big.png', megabytes(11)]], /&quot;big\.png&quot; is 11 MB; the limit is 10 MB per file/],
    [[1, 2, 3].map((n) => [`${n}.png`, megabytes(8.5)] as const), /in total; the limit is/],
    [
      [
        ['a.txt', 'a'],
        ['a.txt', 'b'],
      ],
      /Two files are named/,
    ],
    [[['.git', 'a']], /is reserved by git/],
    [[['sections', 'a']], /A folder &quot;sections&quot; already exists/],
  ] as const) {
    const answer = await upload(files)
    assert.deepEqual([answer.status, words.test(answer.text)], [422, true], String(words))
  }
  assert.deepEqual([(await upload([['huge.png', megabytes(27)]])).status, await countCommits()], [413, '1'])
})

test('the first file of an empty repository can be created in the browser', async () => {
  await host.addRepository(alice, `empty-${made}`)
  const page = `/alice/empty-${made}/new/main`
  assert.match((await author.get(`/alice/empty-${made}`)).text, new RegExp(`href="${page}"`))
  const fields = { ...fieldsOf(await author.get(page)), path: 'notes.txt', text: 'First.' }
  assert.equal((await author.post(page, fields)).status, 303)
  assert.equal((await author.get(`/alice/empty-${made}/raw/main/notes.txt`)).text, 'First.\n')
})

const TOML = '# No builds here.\n[build] # never\nauto = "demand"\n'
const COUNTED = /name="count"/

/** Pushes a document that is not built. */
async function pushDocument(): Promise<void> {
  const text = '\\documentclass{article}\n\\begin{document}\nTides.\n\\end{document}\n'
  await work.commit({ 'main.tex': text, '.texproof.toml': TOML })
  await work.git('push', '--quiet', 'origin', 'main')
}

test('build settings show what was detected and why, and are reviewed and committed', async () => {
  await pushDocument()
  const page = await author.get(at(SETTINGS))
  assert.match(page.text, /value="main\.tex"[^]*Reason: named main\.tex[^]*Detected: pdfLaTeX[^]*default engine/)
  const fields = { ...fieldsOf(page, COUNTED), auto: 'demand' }
  const same = await author.post(at(SETTINGS), fields)
  assert.deepEqual([same.status, /There are no changes to review/.test(same.text)], [422, true])
  const review = await author.post(at(SETTINGS), { ...fields, 'engine-0': 'lualatex', timeout: '90s' })
  const expected = `${TOML}timeout = "90s"\n\n[[document]]\nroot = "main.tex"\nengine = "lualatex"\n`
  const commit = fieldsOf(review, /name="text" hidden/)
  assert.deepEqual([review.status, commit['text']], [200, expected.replaceAll('\n', '\r\n')])
  assert.equal(await fileAt('.texproof.toml'), TOML)
  const done = await author.post(at('edit/main/.texproof.toml'), commit)
  assert.deepEqual([done.status, done.headers.location], [303, at('pdf/main')])
  assert.equal(await fileAt('.texproof.toml'), expected)
  assert.match((await author.get(at(SETTINGS))).text, /engine set in \.texproof\.toml/)
})

test('build settings changed by two people at once are merged or shown as a conflict', async () => {
  await pushDocument()
  const fields = { ...fieldsOf(await author.get(at(SETTINGS)), COUNTED), auto: 'default' }
  const review = fieldsOf(await author.post(at(SETTINGS), fields), /name="text" hidden/)
  await work.commit({ '.texproof.toml': TOML.replace('demand', 'branches') })
  await work.git('push', '--quiet', 'origin', 'main')
  const answer = await author.post(at('edit/main/.texproof.toml'), review)
  assert.deepEqual([answer.status, /Conflict in \.texproof\.toml/.test(answer.text)], [409, true])
})

test('build settings that cannot work are rejected and keep the input', async () => {
  await pushDocument()
  const fields = { ...fieldsOf(await author.get(at(SETTINGS)), COUNTED), 'root-0': 'thesis.tex', timeout: 'long' }
  const refused = await author.post(at(SETTINGS), fields)
  assert.equal(refused.status, 422)
  assert.match(
    refused.text,
    /There is no file &quot;thesis\.tex&quot;[^]*Enter a time such as 120s or 2m, not &quot;long&quot;/,
  )
  assert.deepEqual(fieldsOf(refused, COUNTED)['root-0'], 'thesis.tex')
  await work.commit({ '.texproof.toml': '[build\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const broken = await author.get(at(SETTINGS))
  assert.match(broken.text, /illegal character in key[^]*\/edit\/main\/\.texproof\.toml/)
})

test('build settings of more documents than the form can show are edited as text', async () => {
  const table = (_: unknown, n: number): string => `[[document]]\nroot = "main.tex"\nname = "d${n}"\n`
  await pushDocument()
  const shown = []
  for (const length of [100, 101]) {
    await work.commit({ '.texproof.toml': TOML + Array.from({ length }, table).join('') })
    await work.git('push', '--quiet', 'origin', 'main')
    const page = await author.get(at(SETTINGS))
    shown.push([fieldsOf(page, COUNTED)['name-99'], /lists more than 100 documents/.test(page.text)])
  }
  assert.deepEqual(shown, [
    ['d99', false],
    [undefined, true],
  ])
})

test('the first build settings of a repository create the file', async () => {
  await work.commit({ 'main.tex': '\\documentclass{article}\n\\begin{document}\n\\end{document}\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const fields = { ...fieldsOf(await author.get(at(SETTINGS)), COUNTED), auto: 'demand' }
  const review = fieldsOf(await author.post(at(SETTINGS), fields), /name="text" hidden/)
  assert.equal((await author.post(at('new/main'), review)).status, 303)
  assert.equal(await fileAt('.texproof.toml'), '[build]\nauto = "demand"\n')
})
