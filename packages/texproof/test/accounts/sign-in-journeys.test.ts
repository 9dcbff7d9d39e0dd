/** Sign-in through other hosts and emails, in a real browser, with script and without. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { isOnPostgres } from '../support/database/test-database.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { drawJpeg } from '../support/web/draw-picture.ts'
import { openMailServer } from '../support/hosts/mail-server.ts'
import type { MailServer } from '../support/hosts/mail-server.ts'
import { openOidcIssuer } from '../support/hosts/oidc-issuer.ts'
import type { OidcIssuer } from '../support/hosts/oidc-issuer.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'

const password = 'nine trees by the river'

let browser: Browser
let mail: MailServer
let issuer: OidcIssuer
let host: PaperHost

before(async () => {
  if (withoutBrowser !== false) return
  mail = await openMailServer()
  // A different site, as in production: browsers send it no cookies of the host.
  issuer = await openOidcIssuer({ isJoinAllowed: true }, 'localhost')
  host = await openPaperHost({ smtp: mail.smtp, oidc: issuer.config })
  browser = await openBrowser()
})
after(async () => {
  if (withoutBrowser !== false) return
  await browser.close()
  await host.close()
  await issuer.close()
  await mail.close()
})

/** A new browser, and its error messages. */
async function openPage(
  t: TestContext,
  javaScriptEnabled: boolean,
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await borrowWindow(browser, t, { javaScriptEnabled, baseURL: host.origin })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, complaints }
}

async function signIn(page: Page, name: string, secret = password): Promise<void> {
  await page.goto('/login')
  await page.fill('#name', name)
  await page.fill('#password', secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The name in the account menu. */
async function nameOfViewer(page: Page): Promise<string | undefined> {
  const text = await page.locator('.account summary').innerText()
  return text.split('\n').at(-1)?.trim()
}

// Scripts make no difference to the database.
for (const javaScriptEnabled of isOnPostgres ? [false] : [true, false]) {
  const script = javaScriptEnabled ? 'with script' : 'without script'

  test(
    `a first sign-in through the identity provider creates an account, and the next one signs in (${script})`,
    { skip: withoutBrowser },
    async (t) => {
      const login = javaScriptEnabled ? 'alice' : 'bob'
      issuer.person = { sub: login, email: `${login}@uni.example`, email_verified: true, preferred_username: login }
      const { page, complaints } = await openPage(t, javaScriptEnabled)
      await page.goto('/login?next=/settings/profile')
      await page.getByRole('link', { name: 'Sign in with University' }).click()
      await page.getByRole('button', { name: 'Create account' }).click()
      assert.equal(new URL(page.url()).pathname, '/settings/profile')
      await page.context().clearCookies()
      await page.goto('/login?next=/settings/profile')
      await page.getByRole('link', { name: 'Sign in with University' }).click()
      assert.deepEqual(
        [new URL(page.url()).pathname, await nameOfViewer(page), complaints],
        ['/settings/profile', login, []],
      )
    },
  )

  test(`an account is linked to an issuer and unlinked (${script})`, { skip: withoutBrowser }, async (t) => {
    const login = javaScriptEnabled ? 'carol' : 'dan'
    issuer.person = { sub: login }
    await addTestUser(host.deps.store, { login, password })
    const { page, complaints } = await openPage(t, javaScriptEnabled)
    await signIn(page, login)
    await page.goto('/settings/security')
    await page.getByRole('link', { name: 'Link an account' }).click()
    await page.getByRole('button', { name: 'Link an account at University' }).click()
    // The intermediate page continues automatically.
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('No account is linked').waitFor()
    assert.deepEqual(complaints, [])
  })

  test(`a user who forgot the password signs in through an email (${script})`, { skip: withoutBrowser }, async (t) => {
    const login = javaScriptEnabled ? 'eve' : 'fay'
    await addTestUser(host.deps.store, { login, password, email: `${login}@uni.example` })
    const { page, complaints } = await openPage(t, javaScriptEnabled)
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.fill('#name', `${login}@uni.example`)
    const emails = mail.emails.length
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await mail.whenReceived(emails + 1)
    await page.goto(/http\S+/.exec(mail.emails.at(-1)?.text ?? '')?.[0] ?? '')
    await page.fill('#password', 'ten stones in the brook')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.goto('/login')
    assert.deepEqual([await nameOfViewer(page), complaints], [login, []])
  })

  test(`an avatar is uploaded, shown everywhere and removed (${script})`, { skip: withoutBrowser }, async (t) => {
    const login = javaScriptEnabled ? 'gus' : 'hal'
    await addTestUser(host.deps.store, { login, password })
    const { page, complaints } = await openPage(t, javaScriptEnabled)
    await signIn(page, login)
    await page.goto('/settings/profile')
    const buffer = await drawJpeg({ width: 300, height: 200 }, [20, 120, 130, 255])
    await page.setInputFiles('#avatar', { name: 'me.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Change picture' }).click()
    await page.getByText('Saved.').waitFor()
    await page.goto(`/${login}`)
    const widths = await page
      .locator('img.avatar')
      .evaluateAll((images) => images.map((image) => Reflect.get(image, 'naturalWidth')))
    assert.deepEqual(widths, [256, 256])
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Remove picture' }).click()
    assert.deepEqual([await page.locator('img.avatar').count(), complaints], [0, []])
  })
}
