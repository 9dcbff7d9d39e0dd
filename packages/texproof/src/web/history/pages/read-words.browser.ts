/**
 * The words of a PDF in reading order, for a comparison. A word that a line break or a change of font splits is one word,
 * with and without a hyphen. Page numbers and running heads are omitted: they move when a text grows.
 */

/** A piece of text on one line, in pixels from the top left corner of its page. */
export interface TextPiece {
  readonly text: string
  readonly left: number
  readonly baseline: number
  readonly width: number
  readonly height: number
  readonly endsLine: boolean
}

/** The text of a page. */
export interface PageText {
  readonly width: number
  readonly height: number
  readonly pieces: readonly TextPiece[]
}

/** Where a word is, in percent of its page. */
export interface WordBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A word, and where it begins. */
export interface Word {
  readonly text: string
  /** The text without hyphens and ligatures. */
  readonly key: string
  /** 0 = the first. */
  readonly page: number
  readonly boxes: readonly WordBox[]
}

/** A heading or number that appears at the edge of so many pages is not part of the text. */
const RUNNING = 3
/** The share of the height of a letter that is above the baseline. */
const ASCENT = 0.8

/** The width of a text, in any unit. */
export type MeasureText = (text: string) => number

/** Reads the words of all pages. A word is located in its piece by its width and the width of what precedes it. */
export function readWords(pages: readonly PageText[], measure: MeasureText): readonly Word[] {
  const running = findRunningTexts(pages)
  return pages.flatMap((page, number) => wordsOfPage(withoutRunning(page, running), { number, measure }))
}

/** The texts of first and last lines, without digits, that appear on several pages. */
function findRunningTexts(pages: readonly PageText[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const text of new Set(edgesOf(page).map(runningText))) counts.set(text, (counts.get(text) ?? 0) + 1)
  return new Set([...counts].filter(([text, count]) => text === '' || count >= RUNNING).map(([text]) => text))
}

function withoutRunning(page: PageText, running: ReadonlySet<string>): PageText {
  const omitted = new Set(
    edgesOf(page)
      .filter((line) => running.has(runningText(line)))
      .flat(),
  )
  return { ...page, pieces: page.pieces.filter((piece) => !omitted.has(piece)) }
}

/** The first and the last line of a page. */
function edgesOf({ pieces }: PageText): readonly (readonly TextPiece[])[] {
  const lines = Map.groupBy(
    pieces.filter(({ text }) => text.trim() !== ''),
    ({ baseline }) => Math.round(baseline),
  )
  const sorted = [...lines].toSorted(([one], [other]) => one - other).map(([, line]) => line)
  return [sorted[0], sorted.length > 1 ? sorted.at(-1) : undefined].filter((line) => line !== undefined)
}

function runningText(line: readonly TextPiece[]): string {
  return line
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/[\d\s]+/g, ' ')
    .trim()
}

function wordsOfPage(
  page: PageText,
  { number, measure }: { readonly number: number; readonly measure: MeasureText },
): readonly Word[] {
  const words: { text: string; readonly page: number; readonly boxes: WordBox[] }[] = []
  /** Whether the next piece continues the last word. */
  let isOpen = false
  for (const piece of page.pieces) {
    const whole = measure(piece.text)
    for (const { 0: text, index } of piece.text.matchAll(/\S+/g)) {
      const last = words.at(-1)
      const box = boxOf(page, piece, {
        before: measure(piece.text.slice(0, index)) / whole,
        own: measure(text) / whole,
      })
      if (last !== undefined && isOpen && index === 0) {
        last.text += text
        last.boxes.push(box)
      } else words.push({ text, page: number, boxes: [box] })
      isOpen = true
    }
    if (/\s$/.test(piece.text)) isOpen = false
    // The hyphen of a divided word stays in its text, and is not compared.
    if (piece.endsLine) isOpen = isOpen && /\p{L}[-\u00AD\u2010]$/u.test(words.at(-1)?.text ?? '')
  }
  return words.map((word) => ({ ...word, key: keyOf(word.text) }))
}

/** `before` and `own` are shares of the width of the piece. */
function boxOf(
  page: PageText,
  { left, baseline, width, height }: TextPiece,
  { before, own }: { readonly before: number; readonly own: number },
): WordBox {
  return {
    left: (100 * (left + before * width)) / page.width,
    top: (100 * (baseline - ASCENT * height)) / page.height,
    width: (100 * own * width) / page.width,
    height: (100 * height) / page.height,
  }
}

function keyOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/(?<=\p{L})[-\u00AD\u2010](?=\p{L}|$)/gu, '')
}
