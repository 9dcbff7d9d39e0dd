/** Refused forms in a real browser: problems are announced first, shown once each, and the input is kept. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import { makeInvite } from '../../src/accounts/join/invite.ts'
import { makeResetCode } from '../../src/accounts/credentials/reset-password.ts'
import { makeSetUpCode } from '../../src/accounts/join/set-up.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { fillText, openCommit } from '../support/web/editor.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'

let site: FilledSite
let empty: PaperHost
let browser: Browser
const contexts: Record<'alice' | 'nobody', BrowserContext | null> = { alice: null, nobody: null }

before(async () => {
  if (withoutBrowser !== false) return
  site = await openFilledSite()
  empty = await openPaperHost()
  browser = await openBrowser()
  for (const who of ['alice', 'nobody'] as const) {
    const context = await browser.newContext({ baseURL: site.origin, bypassCSP: true })
    contexts[who] = context
    if (who === 'nobody') continue
    const { cookies } = await site.signIn(who)
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
  }
})
after(async () => {
  await browser?.close()
  await empty?.close()
  await site?.close()
})

/** A form, the text typed into it by input id, and the ids of the refused inputs. */
interface WrongForm {
  readonly path: string
  readonly typed: Readonly<Record<string, string>>
  readonly refused: readonly string[]
}

/** Runs in a page: the state of a refused form. */
const readFormState = `(ids) => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const shown = document.querySelector('main').innerText
  return {
    title: document.title.slice(0, 7),
    focused: document.activeElement.id,
    alerts: all('[role=alert]').filter((alert) => alert.checkVisibility()).map((alert) => alert.id),
    repeated: all('.field-problem').map((problem) => shown.split(problem.innerText).length - 1),
    linked: all('#problem a[href^="#"]').map((link) => link.hash),
    marked: all('[aria-invalid]').map(({ id, ariaInvalid }) => [id, ariaInvalid]),
    undescribed: all('[aria-describedby]').flatMap((input) => input.getAttribute('aria-describedby').split(' '))
      .filter((id) => document.getElementById(id) === null),
    kept: ids.map((id) => document.getElementById(id)).map(({ id, type, value }) =>
      [id, type === 'password' && value === '' ? 'forgotten' : value]),
  }
}`

/** Fills in the form, sends it past the checks of the browser, and returns the state of the refused form. */
async function sendWrong(page: Page, { path, typed, refused }: WrongForm): Promise<unknown> {
  await page.goto(path)
  const ids = Object.keys(typed)
  if (path.includes('/edit/')) await openCommit(page)
  for (const [id, text] of Object.entries(typed)) {
    if (id === 'text') await fillText(page, text)
    else await page.locator(`[id="${id}"]`).fill(text)
  }
  const form = page.locator('form', { has: page.locator(`[id="${ids[0]}"]`) })
  await form.evaluate((element) => element.setAttribute('novalidate', ''))
  await form.locator('button:not([type=button], [formaction], [hidden])').last().click()
  // The problem gets the focus a moment after the page is loaded.
  await page.locator(`[id="${focusOf(refused)}"][aria-invalid]:focus, #problem:focus`).waitFor()
  const told: object = await page.evaluate(`(${readFormState})(${JSON.stringify(ids)})`)
  return { ...told, barriers: await findBarriers(page) }
}

/** The id of what has the focus: the only refused input, or the list of problems. */
function focusOf([id = '', ...others]: readonly string[]): string {
  return others.length === 0 ? id : 'problem'
}

/** The expected state of a refused form. A single problem is shown at its field alone. */
function asItShould({ typed, refused }: WrongForm) {
  const isSingle = refused.length === 1
  return {
    title: 'Error: ',
    focused: focusOf(refused),
    alerts: isSingle ? refused.map((id) => `${id}-problem`) : ['problem'],
    repeated: refused.map(() => (isSingle ? 1 : 2)),
    linked: isSingle ? [] : refused.map((id) => `#${id}`),
    marked: refused.map((id) => [id, 'true']),
    undescribed: [],
    kept: Object.entries(typed).map(([id, text]) => [id, /^(?:password|current)$/.test(id) ? 'forgotten' : text]),
    barriers: [],
  }
}

async function assertComesBack(context: BrowserContext | null, form: WrongForm): Promise<void> {
  assert.ok(context)
  const page = context.pages()[0] ?? (await context.newPage())
  assert.deepEqual(await sendWrong(page, form), asItShould(form))
}

const long = 'w'.repeat(501)
const ofAlice: readonly WrongForm[] = [
  { path: '/new', typed: { name: 'two words', description: long }, refused: ['name', 'description'] },
  { path: '/new', typed: { name: 'tides', description: 'Again.' }, refused: ['name'] },
  { path: '/settings/profile', typed: { name: long, bio: 'Tides.' }, refused: ['name'] },
  { path: '/settings/tokens/new', typed: { name: long }, refused: ['name'] },
  { path: '/settings/security', typed: { current: 'not this one', password: 'a good long one' }, refused: ['current'] },
  { path: '/alice/tides/branches/new', typed: { name: 'a..b', from: 'main' }, refused: ['name'] },
  { path: '/alice/tides/branches/new', typed: { name: 'fine', from: 'nowhere' }, refused: ['from'] },
  { path: '/alice/tides/settings', typed: { description: long }, refused: ['description'] },
  { path: '/alice/tides/settings', typed: { 'new-name': 'two words' }, refused: ['new-name'] },
  { path: '/alice/tides/settings', typed: { login: 'nobody-here' }, refused: ['login'] },
  { path: '/alice/tides/settings', typed: { name: 'tides' }, refused: ['name'] },
  { path: '/alice/tides/edit/main/refs.bib', typed: { path: 'a//b' }, refused: ['path'] },
  { path: '/alice/tides/new/main', typed: { path: 'main.tex', text: 'Again.' }, refused: ['path'] },
  { path: '/alice/draft/settings/visibility', typed: { name: 'draft' }, refused: ['name'] },
  { path: '/admin/users', typed: { email: 'nobody' }, refused: ['email'] },
  { path: '/admin/settings', typed: { email_domain: 'uni..example' }, refused: ['email_domain'] },
  { path: '/admin/repos/alice/tides', typed: { reason: long }, refused: ['reason'] },
]

for (const form of ofAlice) {
  const title = `${form.path} names ${form.refused.join(' and ')}, and keeps the input`
  test(title, { skip: withoutBrowser }, () => assertComesBack(contexts.alice, form))
}

test('a commit without changes is explained at the text, which has the focus', { skip: withoutBrowser }, async () => {
  const page = await contexts.alice?.newPage()
  assert.ok(page)
  await page.goto('/alice/tides/edit/main/refs.bib')
  await openCommit(page)
  await page.getByRole('button', { name: 'Commit changes' }).click()
  await page.locator('.cm-content[aria-invalid=true]:focus').waitFor()
  const describedBy = (await page.locator('.cm-content').getAttribute('aria-describedby')) ?? ''
  assert.deepEqual(
    [await page.locator(`#${describedBy}`).innerText(), await page.locator('#problem').count()],
    ['There are no changes to commit.', 0],
  )
  await page.close()
})

test('a failed sign-in names the field and keeps the username', { skip: withoutBrowser }, () =>
  assertComesBack(contexts.nobody, {
    path: '/login',
    typed: { name: 'alice', password: 'not this one' },
    refused: ['name'],
  }),
)

const ofInvited: readonly Omit<WrongForm, 'path'>[] = [
  { typed: { login: 'two words', email: 'bob@uni.example', password: 'a good long one' }, refused: ['login'] },
  { typed: { login: 'two words', email: 'bob', password: 'short' }, refused: ['login', 'email', 'password'] },
  { typed: { login: 'alice', email: 'bob@uni.example', password: 'short' }, refused: ['login', 'password'] },
]

for (const form of ofInvited)
  test(`joining by invitation names ${form.refused.join(' and ')}`, { skip: withoutBrowser }, async () => {
    const alice = await site.host.deps.store.users.findByLogin('alice')
    const code = await makeInvite(site.host.deps.store, { createdBy: alice?.id ?? null, email: null })
    await assertComesBack(contexts.nobody, { ...form, path: `/join?code=${code}` })
  })

test('a new password that is too short is marked', { skip: withoutBrowser }, async () => {
  const { store } = site.host.deps
  const user = await store.users.findByLogin('bob')
  assert.ok(user)
  const code = await makeResetCode(store, { user, createdBy: user.id })
  await assertComesBack(contexts.nobody, {
    path: `/reset?code=${code}`,
    typed: { password: 'short' },
    refused: ['password'],
  })
})

test(
  'setting up a host marks an invalid domain, and keeps the registration rule',
  { skip: withoutBrowser },
  async () => {
    const code = (await makeSetUpCode(empty.deps.store)) ?? ''
    const typed = { login: 'alice', password: 'a good long one', email_domain: 'uni..example' }
    await assertComesBack(contexts.nobody, {
      path: `${empty.origin}/setup?code=${code}`,
      typed,
      refused: ['email_domain'],
    })
  },
)
