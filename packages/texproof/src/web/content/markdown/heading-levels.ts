/** What a heading becomes, asked of one heading after the other. */
export type HeadingLevels = (tag: string) => string

/**
 * Brings the headings of a text below the heading of the page it stands on: the first become `h2`, what is deeper goes
 * one step at a time, so that whoever walks a page by its headings finds no level missing.
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
