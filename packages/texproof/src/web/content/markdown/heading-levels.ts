/** Maps each heading tag to its new one, in order of the text. */
export type HeadingLevels = (tag: string) => string

/**
 * Moves the headings of a text below the heading of its page: the first become `h2`, deeper ones follow one level at a
 * time, so that screen reader users find no level missing.
 */
export function createHeadingLevels(): HeadingLevels {
  const open: number[] = []
  return (tag) => {
    const level = Number(tag.slice(1))
    while ((open.at(-1) ?? 0) >= level) open.pop()
    open.push(level)
    return `h${Math.min(6, open.length + 1)}`
  }
}
