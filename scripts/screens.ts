/**
 * `npm run screens`: takes screenshots of every page of a new host and of a host with the demo data, at four widths,
 * light and dark, into `.screens`. Run it after a visible change and review the differences. Arguments select files
 * whose names contain one of them: `npm run screens -- tokens` or `npm run screens -- pdf-390-light`. Nine screenshots
 * are committed, in docs/screens.
 */
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'

import type { BrowserContext, Page } from 'playwright-core'

import { openBrowser } from '../packages/texproof/test/support/web/open-browser.ts'
import { makeZip } from '../packages/texproof/test/support/make-zip.ts'
import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { createRepository, fillHost, setUpHost, signIn } from './screens/fill-host.ts'
import type { Person, Places } from './screens/fill-host.ts'
import {
  allPictures,
  beforeSetUp,
  ofAlice,
  ofFirstAuthor,
  ofRegistration,
  ofEmptyRepository,
  ofAnonymous,
} from './screens/pictures.ts'
import type { Picture } from './screens/pictures.ts'

const folder = new URL('../.screens/', import.meta.url)
const keptFolder = new URL('../docs/screens/', import.meta.url)
/** The committed screenshots. */
const KEPT = [
  'repository-1280-light',
  'repository-390-light',
  'pdf-1280-light',
  'pdf-390-dark',
  'editor-1280-light',
  'file-problem-1280-light',
  'build-1280-light',
  'papers-1280-dark',
  'commit-1280-light',
]
const MAX_HEIGHT = 1_600
const WIDTHS = [320, 390, 1280, 1920]
const SCHEMES = ['light', 'dark'] as const
/** Open registration without kernel limits for builds; a mirror and a webhook on this machine. */
const HOST_ENVIRONMENT = {
  TEXPROOF_REGISTRATION_LIMITS: 'any',
  TEXPROOF_IMPORT_PRIVATE_NETWORKS: 'true',
  TEXPROOF_WEBHOOKS_PRIVATE_NETWORKS: 'true',
}
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
  const host = await startHost({ env: HOST_ENVIRONMENT })
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
  await drawAll(ofRegistration, { host })
  await drawAll(ofFirstAuthor, { host, viewer: alice })
  await createRepository(context, 'empty')
  await drawAll(ofEmptyRepository, { host, viewer: alice })
}

async function drawFullHost(host: RunningHost): Promise<void> {
  const context = await browser.newContext({ baseURL: host.url })
  const { alice, places } = await fillHost(context, host)
  await drawAll(ofAnonymous, { host, places })
  await drawAll(ofAlice, { host, places, viewer: alice })
}

interface Scope {
  readonly host: RunningHost
  readonly places?: Places
  /** The viewer. @default anonymous */
  readonly viewer?: Person
}

async function drawAll(pictures: readonly Picture[], { host, places = {}, viewer }: Scope): Promise<void> {
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      const kind = `${width}-${colorScheme}`
      const chosen = pictures.filter(({ name }) => isChosen(`${name}-${kind}`))
      if (chosen.length === 0) continue
      const context = await browser.newContext({ baseURL: host.url, colorScheme, viewport: { width, height: 800 } })
      if (viewer !== undefined) await signIn(context, viewer)
      for (const picture of chosen) await draw(context, { picture, places, kind })
      await context.close()
    }
}

function isChosen(name: string): boolean {
  return words.length === 0 || words.some((word) => name.includes(word))
}

async function draw(
  context: BrowserContext,
  { picture, places, kind }: { readonly picture: Picture; readonly places: Places; readonly kind: string },
): Promise<void> {
  const page = await context.newPage()
  const path = picture.path.replace(/\{(\w+)\}/, (_all, place: string) => places[place] ?? '')
  await page.goto(path, { waitUntil: 'load' })
  if (picture.archive !== undefined) {
    const file = { name: 'Of Tides.zip', mimeType: 'application/zip', buffer: makeZip(picture.archive) }
    await page.setInputFiles('#archive', file)
  }
  if (picture.press !== undefined) await fillAndPress(page, picture.press, picture.fill ?? {})
  if (/^(pdf|edit)/.test(picture.name)) await waitForPdf(page)
  await waitForPictures(page)
  const data = await takePicture(context, page)
  const file = `${picture.name}-${kind}.webp`
  await writeFile(new URL(file, folder), data)
  if (KEPT.includes(`${picture.name}-${kind}`)) await copyFile(new URL(file, folder), new URL(file, keptFolder))
  await page.close()
  console.log(`${picture.name} ${kind}`)
}

/** The text layer of a page is rendered after its picture. */
async function waitForPdf(page: Page): Promise<void> {
  if ((await page.locator('.pdfViewer').count()) === 0) return
  await page.locator('.pdfViewer .textLayer span').first().waitFor({ state: 'attached' })
}

async function fillAndPress(page: Page, button: string, fill: Readonly<Record<string, string>>): Promise<void> {
  for (const [field, text] of Object.entries(fill)) await page.fill(`main [name=${field}]`, text)
  // Shows the error message of the server instead of the validation of the browser.
  await page.evaluate('for (const form of document.forms) form.noValidate = true')
  await Promise.all([page.waitForEvent('load'), page.click(`main button:has-text("${button}")`)])
}

/** Lazy images load when they are scrolled into view; an image that does not load is an error. */
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
  const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height, scale: 1 }
  const options = { format: 'webp', quality: 60, clip, captureBeyondViewport: true } as const
  const { data } = await session.send('Page.captureScreenshot', options)
  return Buffer.from(data, 'base64')
}

/** Writes a page with all screenshots, one row per page, in order. */
async function writeIndex(): Promise<void> {
  const files = new Set(await readdir(folder))
  const kinds = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => `${width}-${scheme}`))
  const rows = allPictures.map(({ name, path, press }) => {
    const cells = kinds.map((kind) =>
      files.has(`${name}-${kind}.webp`) ? `![${name}, ${kind}](${name}-${kind}.webp)` : '',
    )
    const title = press === undefined ? `\`${path}\`` : `\`${path}\`, after "${press}"`
    return `## ${title}\n\n| ${kinds.join(' | ')} |\n|${kinds.map(() => '---|').join('')}\n| ${cells.join(' | ')} |\n`
  })
  const text = `# The pages\n\nDrawn by \`npm run screens\`, from a new host and from one with the demo data.\n\n${rows.join('\n')}`
  await writeFile(new URL('README.md', folder), text)
}
