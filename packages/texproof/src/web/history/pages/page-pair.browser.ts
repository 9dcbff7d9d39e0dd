/** Two pages side by side: drawn while they are near the window, with marks on the words that changed. */
import type * as Library from 'pdfjs-dist'

import type { PagePair } from './align-pages.browser.ts'
import type { WordBox } from './read-words.browser.ts'

/** A page of a pair. */
export interface Sheet {
  readonly pdf: Library.PDFDocumentProxy
  /** 0 = the first. */
  readonly page: number
  /** Accessible name. */
  readonly label: string
  /** The words that only this side has. */
  readonly marks: readonly WordBox[]
}

/** An item of the list of pages. */
export interface PairRow {
  readonly item: HTMLElement
  readonly old: Sheet | null
  readonly new: Sheet | null
  /** Says that the pages differ, and why. */
  markChanged(reason: string): void
}

/** Distance from the window within which pages are drawn. */
const NEAR = '1000px'

/** Creates the items, and draws those near the window from then on. */
export function createRows(
  pairs: readonly (PagePair & { readonly sheets: readonly [Sheet | null, Sheet | null] })[],
): readonly PairRow[] {
  const drawings = new Map<Element, () => Promise<() => void>>()
  const shown = new Map<Element, Promise<() => void>>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const draw = drawings.get(target)
        if (isIntersecting && draw !== undefined && !shown.has(target)) shown.set(target, draw())
        if (isIntersecting) continue
        // Hundreds of drawn pages would take gigabytes.
        void shown.get(target)?.then((clear) => clear())
        shown.delete(target)
      }
    },
    { rootMargin: `${NEAR} 0px` },
  )
  return pairs.map((pair, index) => {
    const [old, young] = pair.sheets
    const item = document.createElement('li')
    item.id = `pages-${index + 1}`
    const heading = document.createElement('h2')
    const reasons = document.createElement('span')
    reasons.className = 'quiet'
    heading.append(`${nameOf(pair)} `, reasons)
    const sides = document.createElement('div')
    sides.className = 'page-pair'
    for (const [sheet, kind] of [
      [old, 'removed'],
      [young, 'added'],
    ] as const) {
      const side = document.createElement('div')
      if (sheet !== null) {
        const holder = document.createElement('div')
        holder.className = 'compared-page'
        side.append(holder)
        drawings.set(holder, () => drawSheet(holder, sheet, kind))
        observer.observe(holder)
      }
      sides.append(side)
    }
    item.append(heading, sides)
    const markChanged = (reason: string): void => {
      item.dataset['changed'] = ''
      reasons.textContent = [reasons.textContent, reason].filter(Boolean).join(', ')
    }
    return { item, old, new: young, markChanged }
  })
}

function nameOf({ old, new: young }: PagePair): string {
  if (old === null) return `Page ${(young ?? 0) + 1}`
  if (young === null || young === old) return `Page ${old + 1}`
  return `Page ${old + 1}, now ${young + 1}`
}

/** Draws a page as wide as its holder. The returned function removes it again. */
async function drawSheet(holder: HTMLElement, sheet: Sheet, kind: 'removed' | 'added'): Promise<() => void> {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', sheet.label)
  const { width, height } = await drawPage(canvas, sheet, holder.clientWidth * devicePixelRatio)
  // The holder keeps its height without the page.
  holder.style.aspectRatio = `${width} / ${height}`
  holder.replaceChildren(canvas, ...sheet.marks.map((box) => createMark(box, kind)))
  return () => holder.replaceChildren()
}

function createMark({ left, top, width, height }: WordBox, kind: 'removed' | 'added'): HTMLElement {
  const mark = document.createElement('span')
  mark.className = kind
  Object.assign(mark.style, { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` })
  return mark
}

/** Draws a page `widthPx` wide; returns its size. */
export async function drawPage(
  canvas: HTMLCanvasElement,
  { pdf, page: number }: Pick<Sheet, 'pdf' | 'page'>,
  widthPx: number,
): Promise<{ readonly width: number; readonly height: number }> {
  const page = await pdf.getPage(number + 1)
  const scale = widthPx / page.getViewport({ scale: 1 }).width
  const viewport = page.getViewport({ scale })
  canvas.width = Math.max(1, Math.round(viewport.width))
  canvas.height = Math.max(1, Math.round(viewport.height))
  await page.render({ canvas, viewport }).promise
  return { width: canvas.width, height: canvas.height }
}
