import type MarkdownIt from 'markdown-it'

/**
 * Gives each heading an id from its words, for links within the text: `## Building it` is `#building-it`, a second one
 * `#building-it-1`, as on GitHub. `env.headingCounts` counts them.
 */
export function addHeadingIds(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.push('heading-ids', ({ tokens, env }) => {
    const { headingCounts: counts } = env as { readonly headingCounts: Map<string, number> }
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue
      const words =
        tokens[at + 1]?.children?.filter(({ type }) => /^(?:text|code_inline|math_inline)$/.test(type)) ?? []
      const slug = toSlug(words.map(({ content }) => content).join(''))
      const count = counts.get(slug) ?? 0
      counts.set(slug, count + 1)
      if (slug !== '') token.attrSet('id', count === 0 ? slug : `${slug}-${count}`)
    }
  })
}

function toSlug(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

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
