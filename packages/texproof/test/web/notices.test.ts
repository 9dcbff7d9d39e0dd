/** The next page shows the outcome of a form once; a form of an ended session explains how to continue. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import type { RawResponse } from '../support/send-request.ts'
import type { WebClient } from '../support/web/web-client.ts'

let site: FilledSite
let alice: WebClient

before(async () => {
  site = await openFilledSite()
  alice = await site.signIn('alice')
})
after(() => site.close())

/** The text of the notice on a page; null = none. */
async function noticeOn(path: string): Promise<string | null> {
  const { text } = await alice.get(path)
  return /<p class="banner banner-good" role="status">([^<]*)<\/p>/.exec(text)?.[1] ?? null
}

const SETTINGS = '/alice/tides/settings'

const FORMS: readonly {
  readonly page: string
  readonly action?: string
  readonly fields: Readonly<Record<string, string>>
  readonly says: string
}[] = [
  { page: SETTINGS, action: `${SETTINGS}/details`, fields: { description: 'Tides' }, says: 'Description saved.' },
  { page: SETTINGS, action: `${SETTINGS}/branch`, fields: { branch: 'main' }, says: 'Default branch changed.' },
  {
    page: SETTINGS,
    action: `${SETTINGS}/collaborators`,
    fields: { login: 'bob', right: 'push' },
    says: 'Collaborator saved.',
  },
  {
    page: SETTINGS,
    action: `${SETTINGS}/collaborators`,
    fields: { login: 'bob', right: 'none' },
    says: 'Collaborator removed.',
  },
  {
    page: SETTINGS,
    action: `${SETTINGS}/visibility`,
    fields: { visibility: 'private' },
    says: 'The repository is now private.',
  },
  { page: '/settings/profile', fields: { name: 'Alice', bio: '' }, says: 'Saved.' },
  { page: '/settings/appearance', fields: { theme: 'dark', keys: 'on' }, says: 'Saved.' },
  { page: '/settings/sessions', action: '/settings/sessions/end', fields: {}, says: 'Signed out all other browsers.' },
  { page: '/admin/settings', action: '/admin/settings/registration', fields: { mode: 'open' }, says: 'Saved.' },
  { page: '/admin/users/bob/quota', fields: {}, says: 'Saved.' },
  {
    page: '/admin/users',
    action: '/admin/users/bob',
    fields: { action: 'disable' },
    says: 'Account disabled. Its sessions and tokens no longer work.',
  },
  { page: '/admin/users', action: '/admin/users/bob', fields: { action: 'enable' }, says: 'Account enabled.' },
]

for (const { page, action = page, fields, says } of FORMS)
  test(`POST ${action} leads to a page with the notice "${says}", which is shown once`, async () => {
    const answer = await alice.submit(page, action, fields)
    assert.equal(answer.status, 303)
    const next = String(answer.headers['location'])
    assert.deepEqual([await noticeOn(next), await noticeOn(next)], [says, null])
  })

test('a notice that does not exist is not shown, and its cookie is deleted', async () => {
  alice.cookies.set('texproof-notice', 'constructor')
  assert.deepEqual([await noticeOn('/'), alice.cookies.has('texproof-notice')], [null, false])
})

test('a form of an ended session is refused with a link to sign in and return to its page', async () => {
  const bob = await site.signIn('bob')
  const post = (): Promise<RawResponse> =>
    bob.post(
      '/settings/profile',
      { name: 'Bob' },
      { origin: site.origin, 'sec-fetch-site': 'same-origin', referer: `${site.origin}/settings/profile` },
    )
  const reopened = await post()
  bob.cookies.clear()
  const signedOut = await post()
  assert.deepEqual(
    [reopened, signedOut].map(({ status, text }) => [
      status,
      text.includes('<a href="/settings/profile">Open the page again</a>'),
      text.includes('<a href="/login?next=%2Fsettings%2Fprofile">Sign in</a>'),
    ]),
    [
      [403, true, false],
      [403, false, true],
    ],
  )
})

test('a search for repositories without a result offers a search in files', async () => {
  const { text } = await alice.get('/search?q=slack+%26+ebb')
  assert.match(text, /<a href="\/search\?q=slack%20%26%20ebb&in=files">Search in files<\/a>/)
})

test('the page of an anonymous user offers an account only if everyone may create one', async () => {
  const read = async (mode: string): Promise<boolean> => {
    await alice.submit('/admin/settings', '/admin/settings/registration', { mode })
    return (await fetch(site.origin).then((answer) => answer.text())).includes('href="/join"')
  }
  assert.deepEqual([await read('open'), await read('invite'), await read('closed')], [true, false, false])
})
