import type MarkdownIt from 'markdown-it'

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]

/** Kinds of alerts, in lower case, with their titles. */
export const ALERTS = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
} as const

const MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** Renders quotes that begin with `[!NOTE]` or another kind on a line of its own as alerts, as GitHub does. */
export function addAlerts(markdown: Markdown): void {
  markdown.core.ruler.after('block', 'alerts', (state) => {
    const { tokens } = state
    if (!tokens.some(isAlertText)) return
    const shown: Token[] = []
    let isOpen = false
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at] as Token
      shown.push(token)
      // Top-level quotes only: an alert in a list or another quote stays a quote.
      if (token.level !== 0) continue
      const text = token.type === 'blockquote_open' ? tokens[at + 2] : undefined
      const [marker, kind] = (text && isAlertText(text) ? MARKER.exec(text.content) : null) ?? []
      if (text !== undefined && marker !== undefined && kind !== undefined) {
        isOpen = true
        token.tag = 'div'
        token.attrSet('class', `alert alert-${kind.toLowerCase()}`)
        const title = new state.Token('html_block', '', 0)
        title.content = `<p class="alert-title">${ALERTS[kind.toLowerCase() as keyof typeof ALERTS]}</p>\n`
        shown.push(title)
        text.content = text.content.slice(marker.length)
        // A paragraph with only the marker is left out with its tags.
        if (text.content === '') at += 3
      } else if (token.type === 'blockquote_close' && isOpen) {
        isOpen = false
        token.tag = 'div'
      }
    }
    state.tokens = shown
  })
}

function isAlertText({ type, content, level }: Token): boolean {
  return type === 'inline' && level === 2 && MARKER.test(content)
}
