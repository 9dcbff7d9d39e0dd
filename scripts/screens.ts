/**
 * `npm run screens`: pictures of the pages, from a host with the demonstration on it, into docs/screens: light and dark,
 * phone and desktop. Run it after a change that can be seen, and look at what changed.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'

import type { BrowserContext } from 'playwright-core'

import { openBrowser } from '../packages/texproof/test/support/open-browser.ts'
import { runTexproof } from '../packages/texproof/test/support/run-texproof.ts'
import { startHost } from '../packages/texproof/test/support/start-host.ts'

const folder = new URL('../docs/screens/', import.meta.url)
/** Half size keeps the gallery small and still legible. */
const SCALE = 0.5
const MAX_HEIGHT = 1_600
const SIZES = { desktop: 1280, phone: 390 } as const

type Viewer = 'alice' | 'stranger' | 'nobody'

/**
 * Name of the picture, address, and who looks: nobody = the host is still empty. `{head}` is the newest commit of
 * alice/tides, `{share}` a link that shares its PDF, `{setup}` the code that makes the first administrator.
 */
const PAGES: readonly (readonly [name: string, path: string, viewer: Viewer])[] = [
  ['setup', '/setup?code={setup}', 'nobody'],
  ['home-empty', '/', 'nobody'],
  ['home', '/', 'stranger'],
  ['sign-in', '/login', 'stranger'],
  ['forgot', '/forgot', 'stranger'],
  ['join-closed', '/join', 'stranger'],
  ['missing', '/alice/private-draft', 'stranger'],
  ['profile', '/alice', 'stranger'],
  ['papers', '/', 'alice'],
  ['search', '/search?q=tide', 'alice'],
  ['search-files', '/search?q=tide&in=files', 'alice'],
  ['repository', '/alice/tides', 'alice'],
  ['repository-documents', '/bob/sheets', 'alice'],
  ['repository-failed', '/alice/error-zoo/tree/undefined-command', 'alice'],
  ['file', '/alice/tides/blob/main/sections/model.tex', 'alice'],
  ['file-problem', '/alice/error-zoo/blob/undefined-command/main.tex', 'alice'],
  ['file-values', '/alice/tides/blob/main/data/gauges.csv', 'alice'],
  ['file-prose', '/alice/tides/blob/main/README.md', 'alice'],
  ['blame', '/alice/tides/blame/main/sections/model.tex', 'alice'],
  ['history', '/alice/tides/commits/main/main.tex', 'alice'],
  ['find', '/alice/tides/find/main?q=sec', 'alice'],
  ['repository-search', '/alice/tides/search?q=tide', 'alice'],
  ['commits', '/alice/tides/commits/main', 'alice'],
  ['commit', '/alice/tides/commit/{head}', 'alice'],
  ['commit-split', '/alice/tides/commit/{head}?view=split', 'alice'],
  ['compare', '/alice/tides/compare/v1...main', 'alice'],
  ['branches', '/alice/error-zoo/branches', 'alice'],
  ['new-branch', '/alice/tides/branches/new', 'alice'],
  ['delete-branch', '/alice/tides/branches/delete/referee-2', 'alice'],
  ['tags', '/alice/tides/tags', 'alice'],
  ['pdf', '/alice/tides/pdf/main', 'alice'],
  ['pdf-failed', '/alice/error-zoo/pdf/unfinished-list', 'alice'],
  ['pdf-shared', '{share}', 'stranger'],
  ['builds', '/alice/error-zoo/builds', 'alice'],
  ['build', '/alice/thesis/builds/1', 'alice'],
  ['new-repository', '/new', 'alice'],
  ['repository-settings', '/alice/tides/settings', 'alice'],
  ['visibility', '/alice/private-draft/settings/visibility', 'alice'],
  ['trash', '/settings/trash', 'alice'],
  ['share', '/alice/tides/settings/share', 'alice'],
  ['settings-profile', '/settings/profile', 'alice'],
  ['settings-tokens', '/settings/tokens', 'alice'],
  ['settings-new-token', '/settings/tokens/new', 'alice'],
  ['settings-sessions', '/settings/sessions', 'alice'],
  ['settings-security', '/settings/security', 'alice'],
  ['settings-two-factor', '/settings/security/two-factor', 'alice'],
  ['settings-passkeys', '/settings/security/passkeys', 'alice'],
  ['settings-appearance', '/settings/appearance', 'alice'],
  ['admin-status', '/admin/status', 'alice'],
  ['admin-users', '/admin/users', 'alice'],
  ['admin-repositories', '/admin/repos', 'alice'],
  ['admin-repository', '/admin/repos/alice/tides', 'alice'],
  ['admin-builds', '/admin/builds', 'alice'],
  ['admin-settings', '/admin/settings', 'alice'],
  ['admin-log', '/admin/log', 'alice'],
  ['docs', '/docs', 'stranger'],
  ['docs-api', '/docs/api', 'stranger'],
  ['docs-compile', '/docs/compile', 'stranger'],
  ['docs-matrix', '/docs/matrix', 'stranger'],
  ['docs-settings', '/docs/settings', 'stranger'],
  ['docs-errors', '/docs/errors', 'stranger'],
  ['docs-error', '/docs/errors/undefined-command', 'stranger'],
  ['tex', '/status/tex?package=sinuitx', 'stranger'],
]

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const host = await startHost()
const browser = await openBrowser()
try {
  const setup = /\/setup\?code=(\S+)/.exec(host.output())?.[1] ?? ''
  await drawAll(['nobody'], { alice: '', places: { setup } })
  const { stdout } = await runTexproof(['demo', '--json', '--data', host.dataDir])
  const { alice } = JSON.parse(stdout) as { readonly alice: string }
  await drawAll(['stranger', 'alice'], { alice, places: await findPlaces(alice) })
  await writeIndex()
} finally {
  await browser.close()
  await host.stop()
}

interface Scene {
  /** Her password. */
  readonly alice: string
  /** What stands for the words in braces. */
  readonly places: Readonly<Record<string, string>>
}

async function drawAll(viewers: readonly Viewer[], { alice, places }: Scene): Promise<void> {
  for (const size of ['phone', 'desktop'] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: SIZES[size], height: 800 }
      const context = await browser.newContext({ baseURL: host.url, colorScheme, viewport })
      for (const viewer of viewers) {
        if (viewer === 'alice') await signIn(context, alice)
        await draw(context, { kind: `${size}-${colorScheme}`, viewer, places })
      }
      await context.close()
    }
}

/** The newest commit of alice's paper, and a link that shares it, made as she would make it. */
async function findPlaces(password: string): Promise<Scene['places']> {
  const context = await browser.newContext({ baseURL: host.url })
  await signIn(context, password)
  const page = await context.newPage()
  await page.goto('/alice/tides/commits/main')
  const commit = (await page.getAttribute('.commits th a[href*="/commit/"]', 'href')) ?? ''
  await page.goto('/alice/tides/settings/share')
  await page.click('button:has-text("Create link")')
  const share = /\/s\/[\w-]+/.exec(await page.content())?.[0] ?? ''
  await context.close()
  return { head: commit.split('/').at(-1) ?? '', share }
}

async function signIn(context: BrowserContext, password: string): Promise<void> {
  const page = await context.newPage()
  await page.goto('/login')
  await page.fill('main [name=name]', 'alice')
  await page.fill('main [name=password]', password)
  await page.click('main button')
  await page.waitForURL(`${host.url}/`)
  await page.close()
}

interface Drawing {
  readonly kind: string
  readonly viewer: Viewer
  readonly places: Scene['places']
}

async function draw(context: BrowserContext, { kind, viewer, places }: Drawing): Promise<void> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  for (const [name, path] of PAGES.filter((each) => each[2] === viewer)) {
    await page.goto(
      path.replace(/\{(\w+)\}/, (_all, place: string) => places[place] ?? ''),
      { waitUntil: 'load' },
    )
    if (name.startsWith('pdf')) await page.waitForTimeout(2_000)
    const height = Math.min(MAX_HEIGHT, await page.evaluate<number>('document.documentElement.scrollHeight'))
    const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height, scale: SCALE }
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 60,
      clip,
      captureBeyondViewport: true,
    })
    await writeFile(new URL(`${name}-${kind}.webp`, folder), Buffer.from(data, 'base64'))
    console.log(`${name} ${kind}`)
  }
  await page.close()
}

/** A page that shows them all: one row a page, in the order of the list. */
async function writeIndex(): Promise<void> {
  const files = new Set(await readdir(folder))
  const kinds = ['desktop-light', 'desktop-dark', 'phone-light', 'phone-dark']
  const rows = PAGES.map(([name, path]) => {
    const cells = kinds.map((kind) =>
      files.has(`${name}-${kind}.webp`) ? `![${name}, ${kind}](${name}-${kind}.webp)` : '',
    )
    return `## \`${path}\`\n\n| ${kinds.join(' | ')} |\n|---|---|---|---|\n| ${cells.join(' | ')} |\n`
  })
  const text = `# The pages\n\nDrawn by \`npm run screens\` from the demonstration, at half size.\n\n${rows.join('\n')}`
  await writeFile(new URL('README.md', folder), text)
}
