import { randomUUID } from 'node:crypto'

/** HTML of ours that must not pass through the sanitizer, and stands in the text as a mark until then. */
export interface Insertions {
  /** Keeps HTML that is safe and closes its own tags, and returns the mark for it. */
  add(safeHtml: string): string
  /** Puts the HTML in the place of its marks. */
  fill(sanitizedHtml: string): string
  /** Characters of everything that was added. */
  readonly length: number
}

/** Attribute of the marks: the sanitizer lets it through on a `span`. */
export const INSERTION_ATTRIBUTE = 'data-insertion'

/**
 * Marks are elements, which the sanitizer leaves out of attributes, and have a name that no text can guess: nothing that
 * a user writes becomes one.
 */
export function createInsertions(): Insertions {
  const id = randomUUID()
  const parts: string[] = []
  const mark = new RegExp(`<span ${INSERTION_ATTRIBUTE}="${id}-(\\d+)"></span>`, 'g')
  let length = 0
  return {
    add(safeHtml) {
      length += safeHtml.length
      return `<span ${INSERTION_ATTRIBUTE}="${id}-${parts.push(safeHtml) - 1}"></span>`
    },
    fill: (sanitizedHtml) => sanitizedHtml.replace(mark, (_, at: string) => parts[Number(at)] ?? ''),
    get length() {
      return length
    },
  }
}
