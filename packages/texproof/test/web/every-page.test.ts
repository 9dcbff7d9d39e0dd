/**
 * Checks of every page in a real browser: accessibility in light and in dark, small screens, the left edge of repository
 * pages and the style of controls. Each page is loaded once, and each test reports one kind of problem.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { createWebApp } from '../../src/web/app.ts'
import { everyPage } from '../support/web/every-page.ts'
import type { SampledPage } from '../support/web/every-page.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { findBarriers, preloadAxe } from '../support/web/find-barriers.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const WIDTHS = [1920, 1280, 390, 320]

let site: FilledSite
let browser: Browser
/** Problems by kind. */
const found = {
  defaultControls: [] as string[],
  barriersInLight: [] as string[],
  contrastInDark: [] as string[],
  frame: [] as string[],
  smallScreen: [] as string[],
  primaryActions: [] as string[],
  cutTables: [] as string[],
  misplacedBlocks: [] as string[],
}
/** Left edges of all repository pages, by width of the screen. */
const edges = new Map<number, Set<number>>(WIDTHS.map((width) => [width, new Set<number>()]))
let framedPages = 0

before(async () => {
  site = await openFilledSite()
  if (withoutBrowser !== false) return
  browser = await openBrowser({ isPainted: false })
  for (const viewer of ['alice', null] as const) await checkPagesOf(viewer)
})
after(async () => {
  await browser?.close()
  await site.close()
})

/** Opens every page as alice, or anonymously where that is required. */
async function checkPagesOf(viewer: 'alice' | null): Promise<void> {
  const context = await browser.newContext({ baseURL: site.origin, bypassCSP: true })
  await preloadAxe(context)
  if (viewer !== null) {
    const { cookies } = await site.signIn(viewer)
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
  }
  const page = await context.newPage()
  for (const sampled of everyPage(site).filter((each) => each.viewer === viewer && each.isPage))
    await checkPage(page, sampled)
  await context.close()
}

async function checkPage(page: Page, { path, route, viewer }: SampledPage): Promise<void> {
  const note = (problems: string[], more: readonly string[]): void =>
    void problems.push(...more.map((problem) => `${path}: ${problem}`))
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(path)
  note(found.defaultControls, await page.evaluate<readonly string[]>(findDefaultControls))
  note(found.primaryActions, await page.evaluate<readonly string[]>(findSeveralPrimaryActions))
  note(found.cutTables, await page.evaluate<readonly string[]>(findCutTables))
  note(found.misplacedBlocks, await page.evaluate<readonly string[]>(findMisplacedBlocks))
  note(found.barriersInLight, await findBarriers(page))
  // Only the colors differ from light mode.
  await page.emulateMedia({ colorScheme: 'dark' })
  note(found.contrastInDark, await findBarriers(page, ['color-contrast', 'link-in-text-block']))
  await page.emulateMedia({ colorScheme: 'light' })
  if (viewer === 'alice' && route.startsWith('/:owner/:repo')) note(found.frame, await checkFrame(page))
  await page.setViewportSize({ width: 320, height: 640 })
  note(found.smallScreen, await page.evaluate<readonly string[]>(findStumbles))
  await page.addStyleTag({ content: WIDER_TEXT })
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (wide > 320) note(found.smallScreen, [`scrolls sideways with wider letter spacing: ${wide}`])
}

async function checkFrame(page: Page): Promise<readonly string[]> {
  framedPages += 1
  const problems: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const frame = await page.evaluate<{ edges: readonly number[]; headings: number }>(measureFrame)
    if (frame.edges.length !== 1) problems.push(`at ${width} px: left edges ${frame.edges.join(', ')}`)
    if (frame.headings !== 1) problems.push(`${frame.headings} headings of level 1`)
    for (const edge of frame.edges) edges.get(width)?.add(edge)
  }
  return problems
}

test('every route is in the list of sampled pages', () => {
  const routes = createWebApp(site.host.deps)
    .routes.filter(({ method, path }) => method === 'GET' && !path.includes('*'))
    .map(({ path }) => path)
  const listed = new Set(everyPage(site).map(({ route }) => route))
  assert.deepEqual(
    [...new Set(routes)].filter((route) => !listed.has(route)),
    [],
  )
})

test('no page has a serious accessibility violation', { skip: withoutBrowser }, () => {
  assert.deepEqual(found.barriersInLight, [])
})

test('no page has too little contrast in dark mode', { skip: withoutBrowser }, () => {
  assert.deepEqual(found.contrastInDark, [])
})

test('no page is wider than 320 px, has small targets or skips a heading level', { skip: withoutBrowser }, () => {
  assert.deepEqual(found.smallScreen, [])
})

test(
  'header, tabs and content of every page of a repository start at the same left edge, and it has one h1',
  { skip: withoutBrowser },
  () => {
    assert.deepEqual([found.frame, [...edges.values()].map(({ size }) => size)], [[], WIDTHS.map(() => 1)])
    assert.ok(framedPages > 30)
  },
)

test('no page has more than one primary action', { skip: withoutBrowser }, () => {
  assert.deepEqual(found.primaryActions, [])
})

test('no table is cut off on a screen of 1280 px', { skip: withoutBrowser }, () => {
  assert.deepEqual(found.cutTables, [])
})

test('no page has a block inside an element for text', { skip: withoutBrowser }, () => {
  assert.deepEqual(found.misplacedBlocks, [])
})

test('no page shows a control in the default browser style', { skip: withoutBrowser }, () => {
  assert.deepEqual(found.defaultControls, [])
})

/** Runs in a page: problems on a small screen, with inexact pointers, or in the list of headings. */
const findStumbles = `(() => {
  document.querySelectorAll('details').forEach((details) => (details.open = details.matches('[data-menu]') || details.open))
  const found = []
  const wide = document.documentElement.scrollWidth
  if (wide > innerWidth) found.push('scrolls sideways: ' + wide)
  for (const menu of document.querySelectorAll('details[data-menu] > .menu')) {
    const { left, right } = menu.getBoundingClientRect()
    if (left < 0 || right > innerWidth) found.push('menu from ' + left + ' to ' + right)
  }
  for (const control of document.querySelectorAll('main :is(button, input, select, textarea)')) {
    const { left, right } = control.getBoundingClientRect()
    if (control.checkVisibility({ visibilityProperty: true }) && (left < 0 || right > innerWidth))
      found.push('outside of the screen: ' + control.outerHTML.slice(0, 90) + ' from ' + left + ' to ' + right)
  }
  const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => Number(tagName[1]))
  if (levels.filter((level) => level === 1).length !== 1) found.push('headings of level 1: ' + levels)
  if (levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1)) found.push('a level of headings is missing: ' + levels)
  const targets = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches('.skip, .visually-hidden *'))
    .map((target) => [target, target.getBoundingClientRect()])
  // A small target is fine within a sentence, or with enough space around it.
  const isAlone = ([target, box]) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    return targets.every(([other, { left, right, top, bottom }]) => other === target || other.contains(target) ||
      Math.hypot(x - Math.min(Math.max(x, left), right), y - Math.min(Math.max(y, top), bottom)) >= 12)
  }
  for (const each of targets) {
    const [target, { width, height }] = each
    const isInText = getComputedStyle(target).display === 'inline' && target.parentElement.textContent.trim() !== target.textContent.trim()
    if (width > 0 && (width < 24 || height < 24) && !isInText && !isAlone(each))
      found.push('small target: ' + target.outerHTML.slice(0, 90) + ' ' + Math.round(width) + ' x ' + Math.round(height))
  }
  return found
})()`

/** Runs in a page: the filled buttons, if there are several. */
const findSeveralPrimaryActions = `(() => {
  const paper = getComputedStyle(document.documentElement).backgroundColor
  const filled = [...document.querySelectorAll('main .button')].filter(
    (button) => button.checkVisibility({ visibilityProperty: true }) && getComputedStyle(button).color === paper,
  )
  return filled.length > 1 ? [filled.map(({ textContent }) => textContent.trim()).join(', ')] : []
})()`

/** Runs in a page: tables of which a part shows only after scrolling. */
const findCutTables = `[...document.querySelectorAll('main table:not(.code)')].flatMap((table) => {
  const isCut = (box) => getComputedStyle(box).overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1
  return !isCut(table) && !isCut(table.parentElement) ? [] : [table.className + ' ' + table.textContent.trim().slice(0, 40)]
})`

/** Runs in a page: blocks where HTML permits only text and inline elements, outside of what scripts of others draw. */
const findMisplacedBlocks = `(() => {
  const blocks = 'div, form, details, p, ul, ol, dl, table, pre, fieldset, section, aside, nav, figure, blockquote, hr, h1, h2, h3, h4, h5, h6'
  return [...document.querySelectorAll(':is(span, p, button, label, code, h1, h2, h3, h4, h5, h6) > :is(' + blocks + ')')]
    .filter((block) => block.closest('.pdfViewer, .cm-editor') === null)
    .map((block) => block.parentElement.outerHTML.slice(0, 60) + ' contains ' + block.outerHTML.slice(0, 60))
})()`

/** Text spacing that users may set for every page (WCAG 1.4.12). */
const WIDER_TEXT = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`

/**
 * Runs in a page: the left edges of the wordmark, the name of the repository, the tabs and every block below them, and
 * the number of visible headings of level 1.
 */
const measureFrame = `(() => {
  const left = (element) => Math.round(element.getBoundingClientRect().left)
  const tabs = document.querySelector('main > .repository')
  const content = [...document.querySelector('main').children].filter(
    (element) => element !== tabs && element.matches(':not(dialog, .visually-hidden)') && element.getClientRects().length > 0,
  )
  const headings = [...document.querySelectorAll('h1')].filter((heading) => heading.textContent.trim() !== '')
  return {
    edges: [...new Set([document.querySelector('.wordmark'), tabs.querySelector('.repository-name'), tabs.querySelector('.tabs a'), ...content].map(left))],
    headings: headings.length,
  }
})()`

/** Runs in a page: controls and disclosures in the browser's default style. */
const findDefaultControls = `(() => {
  const found = []
  for (const control of document.querySelectorAll('input:not([type=hidden]), select, textarea, button')) {
    const style = getComputedStyle(control)
    if (style.appearance !== 'none') found.push(control.outerHTML.slice(0, 80) + ' has appearance ' + style.appearance)
    if (style.borderStyle === 'outset' || style.borderStyle === 'inset') found.push(control.outerHTML.slice(0, 80) + ' has a default border')
    if (control.matches('select') && parseFloat(style.paddingRight) < 20) found.push(control.outerHTML.slice(0, 80) + ' has no room for its arrow')
    const file = control.type === 'file' ? getComputedStyle(control, '::file-selector-button') : null
    if (file !== null && (file.appearance !== 'none' || file.borderStyle !== 'solid')) found.push('a file input has a default button')
  }
  for (const summary of document.querySelectorAll('summary'))
    if (getComputedStyle(summary).listStyleType !== 'none') found.push(summary.outerHTML.slice(0, 80) + ' has a default triangle')
  return found
})()`
