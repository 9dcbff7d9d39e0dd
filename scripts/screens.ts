/**
 * `npm run screens`: pictures of the pages into docs/screens, light and dark, phone and desktop, of a host that is new
 * and of one with the demonstration on it. Run it after a change that can be seen, and look at what changed. Words
 * behind it draw only the pictures whose names hold one of them: `npm run screens -- tokens`.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'

import type { BrowserContext, Page } from 'playwright-core'

import { openBrowser } from '../packages/texproof/test/support/web/open-browser.ts'
import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { createRepository, fillHost, setUpHost, signIn } from './screens/fill-host.ts'
import type { Person, Places } from './screens/fill-host.ts'
import {
  allPictures,
  beforeSetUp,
  toAlice,
  toFirstAuthor,
  toNewcomer,
  toOwnerOfNothing,
  toStranger,
} from './screens/pictures.ts'
import type { Picture } from './screens/pictures.ts'

const folder = new URL('../docs/screens/', import.meta.url)
/** Half size keeps the gallery small and still legible. */
const SCALE = 0.5
const MAX_HEIGHT = 1_600
const SIZES = { desktop: 1280, phone: 390 } as const
const words = process.argv.slice(2)

if (words.length === 0) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const browser = await openBrowser()
try {
  await withHost(drawNewHost)
  await withHost(drawFullHost)
  await writeIndex()
} finally {
  await browser.close()
}

async function withHost(draw: (host: RunningHost) => Promise<void>): Promise<void> {
  const host = await startHost()
  try {
    await draw(host)
  } finally {
    await host.stop()
  }
}

async function drawNewHost(host: RunningHost): Promise<void> {
  const setup = new URL(await host.said(/http:\S+\/setup\?code=\S+/)).searchParams.get('code') ?? ''
  await drawAll(beforeSetUp, { host, places: { setup } })
  const context = await browser.newContext({ baseURL: host.url })
  const alice = await setUpHost(context, setup)
  await drawAll(toNewcomer, { host })
  await drawAll(toFirstAuthor, { host, viewer: alice })
  await createRepository(context, 'empty')
  await drawAll(toOwnerOfNothing, { host, viewer: alice })
}

async function drawFullHost(host: RunningHost): Promise<void> {
  const context = await browser.newContext({ baseURL: host.url })
  const { alice, places } = await fillHost(context, host)
  await drawAll(toStranger, { host, places })
  await drawAll(toAlice, { host, places, viewer: alice })
}

interface Scene {
  readonly host: RunningHost
  readonly places?: Places
  /** Who looks. @default a stranger */
  readonly viewer?: Person
}

async function drawAll(pictures: readonly Picture[], { host, places = {}, viewer }: Scene): Promise<void> {
  const chosen = pictures.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  if (chosen.length === 0) return
  for (const size of ['phone', 'desktop'] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: SIZES[size], height: 800 }
      const context = await browser.newContext({ baseURL: host.url, colorScheme, viewport })
      if (viewer !== undefined) await signIn(context, viewer)
      for (const picture of chosen) await draw(context, { picture, places, kind: `${size}-${colorScheme}` })
      await context.close()
    }
}

async function draw(
  context: BrowserContext,
  { picture, places, kind }: { readonly picture: Picture; readonly places: Places; readonly kind: string },
): Promise<void> {
  const page = await context.newPage()
  const path = picture.path.replace(/\{(\w+)\}/, (_all, place: string) => places[place] ?? '')
  await page.goto(path, { waitUntil: 'load' })
  if (picture.press !== undefined) await fillAndPress(page, picture.press, picture.fill ?? {})
  if (picture.name.startsWith('pdf')) await page.waitForTimeout(2_000)
  await waitForPictures(page)
  const data = await takePicture(context, page)
  await writeFile(new URL(`${picture.name}-${kind}.webp`, folder), data)
  await page.close()
  console.log(`${picture.name} ${kind}`)
}

async function fillAndPress(page: Page, button: string, fill: Readonly<Record<string, string>>): Promise<void> {
  for (const [field, text] of Object.entries(fill)) await page.fill(`main [name=${field}]`, text)
  // What the server says is the picture, not the browser's own bubble.
  await page.evaluate('for (const form of document.forms) form.noValidate = true')
  await Promise.all([page.waitForEvent('load'), page.click(`main button:has-text("${button}")`)])
}

/** Lazy ones load when they are scrolled to; one that does not load stops the drawing, for it is a fault. */
async function waitForPictures(page: Page): Promise<void> {
  const broken = await page.evaluate<readonly string[]>(`Promise.all([...document.images].map(async (image) => {
    image.loading = 'eager'
    await image.decode().catch(() => {})
    return image.naturalWidth === 0 ? [image.src] : []
  })).then((each) => each.flat())`)
  if (broken.length > 0) throw new Error(`${page.url()} shows broken pictures: ${broken.join(', ')}`)
}

async function takePicture(context: BrowserContext, page: Page): Promise<Buffer> {
  const session = await context.newCDPSession(page)
  const height = Math.min(MAX_HEIGHT, await page.evaluate<number>('document.documentElement.scrollHeight'))
  const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height, scale: SCALE }
  const options = { format: 'webp', quality: 60, clip, captureBeyondViewport: true } as const
  const { data } = await session.send('Page.captureScreenshot', options)
  return Buffer.from(data, 'base64')
}

/** A page that shows them all: one row a page, in the order of the list. */
async function writeIndex(): Promise<void> {
  const files = new Set(await readdir(folder))
  const kinds = ['desktop-light', 'desktop-dark', 'phone-light', 'phone-dark']
  const rows = allPictures.map(({ name, path, press }) => {
    const cells = kinds.map((kind) =>
      files.has(`${name}-${kind}.webp`) ? `![${name}, ${kind}](${name}-${kind}.webp)` : '',
    )
    const title = press === undefined ? `\`${path}\`` : `\`${path}\`, after "${press}"`
    return `## ${title}\n\n| ${kinds.join(' | ')} |\n|---|---|---|---|\n| ${cells.join(' | ')} |\n`
  })
  const text = `# The pages\n\nDrawn by \`npm run screens\`, at half size, from a host that is new and from the demonstration.\n\n${rows.join('\n')}`
  await writeFile(new URL('README.md', folder), text)
}
