import { randomUUID } from 'node:crypto'

/** Trusted HTML that bypasses the sanitizer: until it is inserted, the text contains a placeholder. */
export interface Insertions {
  /** Stores HTML that is safe and closes its own tags, and returns its placeholder. */
  add(safeHtml: string): string
  /** Replaces the placeholders by the HTML. */
  fill(sanitizedHtml: string): string
  /** Characters added in total. */
  readonly length: number
}

/** Attribute of the placeholders: the sanitizer allows it on a `span`. */
export const INSERTION_ATTRIBUTE = 'data-insertion'

/**
 * Placeholders are elements, which the sanitizer removes from attributes, and have an unguessable name, so user text
 * cannot contain one.
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
