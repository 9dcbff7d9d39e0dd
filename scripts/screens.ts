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

/** Name of the picture, address, and whether alice looks or a stranger. */
const PAGES: readonly (readonly [name: string, path: string, viewer: 'alice' | 'stranger'])[] = [
  ['home', '/', 'stranger'],
  ['sign-in', '/login', 'stranger'],
  ['reset', '/reset', 'stranger'],
  ['missing', '/alice/private-draft', 'stranger'],
  ['profile', '/alice', 'stranger'],
  ['papers', '/', 'alice'],
  ['search', '/search?q=tide', 'alice'],
  ['repository', '/alice/tides', 'alice'],
  ['repository-documents', '/bob/sheets', 'alice'],
  ['repository-failed', '/alice/error-zoo/tree/undefined-command', 'alice'],
  ['file', '/alice/tides/blob/main/sections/model.tex', 'alice'],
  ['file-problem', '/alice/error-zoo/blob/undefined-command/main.tex', 'alice'],
  ['commits', '/alice/tides/commits/main', 'alice'],
  ['branches', '/alice/error-zoo/branches', 'alice'],
  ['new-branch', '/alice/tides/branches/new', 'alice'],
  ['delete-branch', '/alice/tides/branches/delete/referee-2', 'alice'],
  ['tags', '/alice/tides/tags', 'alice'],
  ['pdf', '/alice/tides/pdf/main', 'alice'],
  ['pdf-failed', '/alice/error-zoo/pdf/unfinished-list', 'alice'],
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
  ['docs-matrix', '/docs/matrix', 'stranger'],
  ['docs-errors', '/docs/errors', 'stranger'],
  ['docs-error', '/docs/errors/undefined-command', 'stranger'],
  ['docs-settings', '/docs/settings', 'stranger'],
  ['tex', '/status/tex?package=sinuitx', 'stranger'],
]

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const host = await startHost()
const browser = await openBrowser()
try {
  const { stdout } = await runTexproof(['demo', '--json', '--data', host.dataDir])
  const { alice } = JSON.parse(stdout) as { readonly alice: string }
  for (const size of ['phone', 'desktop'] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: SIZES[size], height: 800 }
      const context = await browser.newContext({ baseURL: host.url, colorScheme, viewport })
      await draw(context, `${size}-${colorScheme}`, 'stranger')
      await signIn(context, alice)
      await draw(context, `${size}-${colorScheme}`, 'alice')
      await context.close()
    }
  await writeIndex()
} finally {
  await browser.close()
  await host.stop()
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

async function draw(context: BrowserContext, kind: string, viewer: 'alice' | 'stranger'): Promise<void> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  for (const [name, path] of PAGES.filter((each) => each[2] === viewer)) {
    await page.goto(path, { waitUntil: 'load' })
    if (name.startsWith('pdf')) await page.waitForTimeout(2_000)
    const height = Math.min(MAX_HEIGHT, await page.evaluate<number>('document.documentElement.scrollHeight'))
    const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height, scale: SCALE }
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 70,
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
