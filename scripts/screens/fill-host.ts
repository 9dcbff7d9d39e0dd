import type { BrowserContext } from 'playwright-core'

import { runTexproof } from '../../packages/texproof/test/support/programs/run-texproof.ts'
import type { RunningHost } from '../../packages/texproof/test/support/hosts/start-host.ts'
import { exchangePapers } from './exchange-papers.ts'

/** The user of the screenshots. */
export interface Person {
  readonly login: string
  readonly password: string
}

/** Values of the placeholders in paths of the screenshots. */
export type Places = Readonly<Record<string, string>>

/** Makes alice the administrator of a new host with open registration. */
export async function setUpHost(context: BrowserContext, setupCode: string): Promise<Person> {
  const alice = { login: 'alice', password: 'nine trees by the river' }
  const page = await context.newPage()
  await page.goto(`/setup?code=${setupCode}`)
  await page.fill('main [name=login]', alice.login)
  await page.fill('main [name=password]', alice.password)
  await page.check('main [name=mode][value=open]')
  await page.click('main button')
  await page.waitForURL('**/admin/status')
  return alice
}

/**
 * Adds the demo data to a host, and what a host in use has: tokens, a share link, an invitation, deleted repositories,
 * an export, a mirror and a webhook.
 */
export async function fillHost(context: BrowserContext, host: RunningHost): Promise<{ alice: Person; places: Places }> {
  const run = (...args: string[]): Promise<string> =>
    runTexproof([...args, '--data', host.dataDir], { timeoutS: 900 }).then(readOutput)
  const passwords = JSON.parse(await run('demo', '--json')) as { readonly alice: string }
  const alice = { login: 'alice', password: passwords.alice }
  await signIn(context, alice)
  await useTokens(host, [
    await run('token', 'create', '--user', 'alice', '--name', 'laptop', '--expires', '90d'),
    await run('token', 'create', '--user', 'alice', '--name', 'nightly mirror', '--scopes', 'none', '--expires', '3d'),
  ])
  await createRepository(context, 'withdrawn')
  await run('repo', 'disable', 'alice/withdrawn', '--reason', 'The publisher asked for it, 12 March')
  await createRepository(context, 'first-try')
  await deleteRepository(context, 'alice/first-try')
  await run('user', 'invite')
  const reset = new URL((await run('user', 'reset-link', 'bob')).trim())
  return {
    alice,
    places: {
      ...(await findPlaces(context)),
      ...(await exchangePapers(context)),
      reset: `${reset.pathname}${reset.search}`,
    },
  }
}

export async function signIn(context: BrowserContext, { login, password }: Person): Promise<void> {
  const page = await context.newPage()
  await page.goto('/login')
  await page.fill('main [name=name]', login)
  await page.fill('main [name=password]', password)
  await page.click('main button')
  await page.waitForURL((url) => url.pathname === '/')
  await page.close()
}

/** Tries to create a repository with each token, so that one is used and one rejected. */
async function useTokens(host: RunningHost, tokens: readonly string[]): Promise<void> {
  for (const token of tokens)
    await fetch(`${host.url}/api/v3/user/repos`, {
      method: 'POST',
      headers: { authorization: `token ${token.trim()}` },
      body: JSON.stringify({ name: 'field-notes', description: 'What the gauges said', private: true }),
    })
}

/** An empty repository, created with the form. */
export async function createRepository(context: BrowserContext, name: string): Promise<void> {
  const page = await context.newPage()
  await page.goto('/new')
  await page.fill('main [name=name]', name)
  await page.click('main button:has-text("Create repository")')
  await page.waitForURL(`**/alice/${name}`)
  await page.close()
}

async function deleteRepository(context: BrowserContext, fullName: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`/${fullName}/settings`)
  await page.fill('form[action$="/delete"] [name=name]', fullName)
  await page.click('button:has-text("Delete repository")')
  await page.waitForURL((url) => !url.pathname.startsWith(`/${fullName}`))
  await page.close()
}

/** The newest commit of alice's paper, and a share link created and replaced on the page. */
async function findPlaces(context: BrowserContext): Promise<Places> {
  const page = await context.newPage()
  await page.goto('/alice/tides/commits/main')
  const commit = (await page.getAttribute('.commits th a[href*="/commit/"]', 'href')) ?? ''
  await page.goto('/alice/tides/settings/share')
  await page.click('button:has-text("Create link")')
  // The page then has an ended link as well.
  await page.click('button:has-text("Replace")')
  await page.waitForSelector('.ended-links')
  const share = /\/s\/[\w-]+/.exec(await page.content())?.[0] ?? ''
  await page.close()
  return { head: commit.split('/').at(-1) ?? '', share }
}

function readOutput({ exitCode, stdout, stderr }: Awaited<ReturnType<typeof runTexproof>>): string {
  if (exitCode !== 0) throw new Error(`texproof ended with ${exitCode}: ${stderr}`)
  return stdout
}
