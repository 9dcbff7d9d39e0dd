/** Compares two PDFs: reads their words, puts pages side by side that share most of them, and marks the others. */
import type * as Library from 'pdfjs-dist'

import { findPart } from '../../ui/document/find-part.browser.ts'
import { loadPdf, loadPdfLibrary } from '../../ui/document/load-pdf.browser.ts'
import { alignPages } from './align-pages.browser.ts'
import type { SharedPage } from './align-pages.browser.ts'
import { matchWords } from './match-words.browser.ts'
import type { MatchedWords, ReplacedWords } from './match-words.browser.ts'
import { createRows, drawPage } from './page-pair.browser.ts'
import type { PairRow, Sheet } from './page-pair.browser.ts'
import { readWords } from './read-words.browser.ts'
import type { MeasureText, PageText, TextPiece, Word } from './read-words.browser.ts'

/** A PDF and its words. */
interface Side {
  readonly pdf: Library.PDFDocumentProxy
  readonly words: readonly Word[]
}

const MAX_LISTED = 300
/** Words of a change that are quoted in the list. */
const MAX_QUOTED = 12
/** Figures are compared at this width. */
const SMALL_PX = 200
/** A dot differs if a color does by this much, of 255; pages differ if this share of the dots does. */
const VISIBLE = { difference: 64, share: 0.0003 }

const root = document.querySelector<HTMLElement>('[data-comparison]')
if (root !== null) start(root).catch((error: unknown) => giveUp(root, error))

async function start(root: HTMLElement): Promise<void> {
  const status = findPart(root, 'status')
  status.hidden = false
  const pdfs = await loadPdfLibrary(root)
  const files = [root.dataset['old'] ?? '', root.dataset['new'] ?? ''] as const
  const [old, young] = await Promise.all([
    loadPdf(root, pdfs, { url: files[0] }),
    loadPdf(root, pdfs, { url: files[1] }),
  ])
  const count = old.numPages + young.numPages
  let readCount = 0
  const onRead = (): void => void (status.textContent = `Reading page ${(readCount += 1)} of ${count}…`)
  const measure = createMeasure()
  const sides = {
    old: { pdf: old, words: readWords(await readTexts(old, pdfs.library, onRead), measure) },
    new: { pdf: young, words: readWords(await readTexts(young, pdfs.library, onRead), measure) },
  }
  const { diffArrays } = await import('diff')
  const matched = matchWords(
    diffArrays,
    sides.old.words.map(({ key }) => key),
    sides.new.words.map(({ key }) => key),
  )
  const rows = showRows(root, sides, matched)
  const hasSameWords = findSameWords(sides, matched)
  listChanges(root, sides, { rows, replaced: matched.replaced })
  wireTools(root, rows)
  for (const [index, row] of rows.entries()) {
    status.textContent = `Comparing the figures of page ${index + 1} of ${rows.length}…`
    if (hasSameWords(row) && (await haveOtherFigures(row))) row.markChanged('figures or layout changed')
  }
  const changed = rows.filter(({ item }) => item.dataset['changed'] !== undefined).length
  status.textContent =
    changed === 0
      ? 'No page has changed, except perhaps for page numbers and running heads.'
      : `${changed} of ${rows.length} ${rows.length === 1 ? 'page' : 'pages'} changed`
}

/** The fonts of a paper are not known here, but the proportions of letters are similar in all of them. */
function createMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return (text) => text.length
  context.font = '20px serif'
  return (text) => context.measureText(text).width
}

async function readTexts(
  pdf: Library.PDFDocumentProxy,
  library: typeof Library,
  onRead: () => void,
): Promise<readonly PageText[]> {
  const texts: PageText[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    onRead()
    const page = await pdf.getPage(number)
    const viewport = page.getViewport({ scale: 1 })
    const { items } = await page.getTextContent()
    const pieces = items.flatMap((item) => ('str' in item ? [toPiece(item, viewport, library)] : []))
    texts.push({ width: viewport.width, height: viewport.height, pieces })
  }
  return texts
}

function toPiece(
  { str, transform, width, hasEOL }: { str: string; transform: number[]; width: number; hasEOL: boolean },
  viewport: Library.PageViewport,
  { Util }: typeof Library,
): TextPiece {
  const [, , c = 0, d = 0, left = 0, baseline = 0] = Util.transform(viewport.transform, transform) as number[]
  return { text: str, left, baseline, width, height: Math.hypot(c, d), endsLine: hasEOL }
}

/** Shows the pairs of pages, with those hidden that have not changed. */
function showRows(
  root: HTMLElement,
  { old, new: young }: { readonly old: Side; readonly new: Side },
  matched: MatchedWords,
): readonly PairRow[] {
  const pairs = alignPages({ old: old.pdf.numPages, new: young.pdf.numPages }, countShared(old, young, matched))
  const removed = marksOf(
    old,
    matched.replaced.map(({ oldFrom, oldTo }) => [oldFrom, oldTo]),
  )
  const added = marksOf(
    young,
    matched.replaced.map(({ newFrom, newTo }) => [newFrom, newTo]),
  )
  const sheetOf = ({ pdf }: Side, page: number | null, marks: ReadonlyMap<number, Sheet['marks']>): Sheet | null =>
    page === null ? null : { pdf, page, label: `Page ${page + 1}`, marks: marks.get(page) ?? [] }
  const rows = createRows(
    pairs.map((pair) => ({ ...pair, sheets: [sheetOf(old, pair.old, removed), sheetOf(young, pair.new, added)] })),
  )
  for (const row of rows) {
    if (row.old === null) row.markChanged('new')
    else if (row.new === null) row.markChanged('removed')
    else if (row.old.marks.length > 0 || row.new.marks.length > 0) row.markChanged('')
  }
  findPart(root, 'pairs').replaceChildren(...rows.map(({ item }) => item))
  return rows
}

function countShared(old: Side, young: Side, { shared }: MatchedWords): readonly SharedPage[] {
  const counts = new Map<string, { old: number; new: number; words: number }>()
  for (const { oldFrom, newFrom, length } of shared)
    for (let at = 0; at < length; at += 1) {
      const pages = { old: old.words[oldFrom + at]?.page ?? 0, new: young.words[newFrom + at]?.page ?? 0 }
      const key = `${pages.old} ${pages.new}`
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { ...pages, words: 1 })
      else known.words += 1
    }
  return [...counts.values()]
}

/** The boxes of the words in these ranges, by page. */
function marksOf(
  { words }: Side,
  ranges: readonly (readonly [from: number, to: number])[],
): ReadonlyMap<number, Sheet['marks']> {
  const marked = ranges.flatMap(([from, to]) => words.slice(from, to))
  const byPage = Map.groupBy(marked, ({ page }) => page)
  return new Map([...byPage].map(([page, ofPage]) => [page, ofPage.flatMap(({ boxes }) => boxes)]))
}

/** The changes as text, each a link to its pages. */
function listChanges(
  root: HTMLElement,
  { old, new: young }: { readonly old: Side; readonly new: Side },
  { rows, replaced }: { readonly rows: readonly PairRow[]; readonly replaced: readonly ReplacedWords[] },
): void {
  const list = findPart(root, 'changes')
  for (const { oldFrom, oldTo, newFrom, newTo } of replaced.slice(0, MAX_LISTED)) {
    const [before, after] = [old.words.slice(oldFrom, oldTo), young.words.slice(newFrom, newTo)]
    const row = rows.find(({ old: left, new: right }) =>
      after.length > 0 ? right?.page === after[0]?.page : left?.page === before[0]?.page,
    )
    const link = document.createElement('a')
    link.href = `#${row?.item.id ?? ''}`
    link.textContent = `Page ${((after[0] ?? before[0])?.page ?? 0) + 1}`
    const item = document.createElement('li')
    item.append(link, ' ', ...quote('del', before), before.length > 0 ? ' ' : '', ...quote('ins', after))
    list.append(item)
  }
  if (replaced.length > MAX_LISTED) {
    const rest = document.createElement('li')
    rest.textContent = `${replaced.length - MAX_LISTED} more`
    list.append(rest)
  }
  findPart(root, 'summary').hidden = replaced.length === 0
}

function quote(name: 'del' | 'ins', words: readonly Word[]): readonly HTMLElement[] {
  if (words.length === 0) return []
  const element = document.createElement(name)
  const texts = words.slice(0, MAX_QUOTED).map(({ text }) => text)
  element.textContent = `${texts.join(' ')}${words.length > MAX_QUOTED ? ' …' : ''}`
  return [element]
}

function wireTools(root: HTMLElement, rows: readonly PairRow[]): void {
  findPart<HTMLInputElement>(root, 'all').addEventListener('change', ({ currentTarget }) => {
    root.toggleAttribute('data-all', (currentTarget as HTMLInputElement).checked)
  })
  const changedTops = (): readonly (readonly [HTMLElement, number])[] =>
    rows
      .filter(({ item }) => item.dataset['changed'] !== undefined)
      .map(({ item }) => [item, item.getBoundingClientRect().top] as const)
  findPart(root, 'next').addEventListener('click', () => {
    // After scrolling to a page, its top is 0, more or less.
    changedTops()
      .find(([, top]) => top > 1)?.[0]
      .scrollIntoView()
  })
  findPart(root, 'previous').addEventListener('click', () => {
    changedTops()
      .findLast(([, top]) => top < -1)?.[0]
      .scrollIntoView()
  })
  findPart(root, 'tools').hidden = false
}

/**
 * Finds the pairs of pages with the same words. Only their figures are compared: on other pages, a difference could be text
 * that has moved.
 */
function findSameWords(
  { old, new: young }: { readonly old: Side; readonly new: Side },
  matched: MatchedWords,
): (row: PairRow) => boolean {
  const shared = new Map(countShared(old, young, matched).map((pages) => [`${pages.old} ${pages.new}`, pages.words]))
  const [oldCounts, newCounts] = [countWords(old), countWords(young)]
  return (row) => {
    if (row.old === null || row.new === null) return false
    const words = shared.get(`${row.old.page} ${row.new.page}`) ?? 0
    return [oldCounts.get(row.old.page), newCounts.get(row.new.page)].every((count = 0) => count === words)
  }
}

/** The number of words of each page that has some. */
function countWords({ words }: Side): ReadonlyMap<number, number> {
  return new Map([...Map.groupBy(words, ({ page }) => page)].map(([page, ofPage]) => [page, ofPage.length]))
}

async function haveOtherFigures({ old, new: young }: PairRow): Promise<boolean> {
  if (old === null || young === null) return false
  const canvases = [document.createElement('canvas'), document.createElement('canvas')] as const
  await drawPage(canvases[0], old, SMALL_PX)
  await drawPage(canvases[1], young, SMALL_PX)
  return areDifferent(canvases[0], canvases[1])
}

function areDifferent(one: HTMLCanvasElement, other: HTMLCanvasElement): boolean {
  const { width, height } = one
  if (other.width !== width || other.height !== height) return true
  const dots = one.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
  const others = other.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
  let count = 0
  for (let at = 0; at < dots.length; at += 4) {
    const difference = [0, 1, 2].reduce((most, color) => {
      return Math.max(most, Math.abs((dots[at + color] ?? 0) - (others[at + color] ?? 0)))
    }, 0)
    if (difference >= VISIBLE.difference) count += 1
  }
  return count > VISIBLE.share * width * height
}

function giveUp(root: HTMLElement, error: unknown): void {
  findPart(root, 'status').hidden = true
  const notice = findPart(root, 'failure')
  notice.title = error instanceof Error ? error.message : ''
  notice.hidden = false
}
