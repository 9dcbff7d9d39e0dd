import type MarkdownIt from 'markdown-it'

/**
 * Renders `- [ ]` and `- [x]` as read-only check boxes.
 *
 * @param render Returns the HTML of a box; `env` is the one given to `markdown.render`.
 */
export function addTaskLists(
  markdown: InstanceType<typeof MarkdownIt>,
  render: (isDone: boolean, env: unknown) => string,
): void {
  markdown.core.ruler.after('inline', 'task-lists', (state) => {
    for (const [at, { type, children }] of state.tokens.entries()) {
      if (type !== 'inline' || state.tokens[at - 2]?.type !== 'list_item_open') continue
      const first = children?.[0]
      const [marker, mark] = (first?.type === 'text' ? /^\[([ xX])\](?=\s)/.exec(first.content) : null) ?? []
      if (children === null || first === undefined || marker === undefined) continue
      const box = new state.Token('task_box', 'input', 0)
      box.markup = mark ?? ''
      first.content = first.content.slice(marker.length)
      children.unshift(box)
    }
  })
  markdown.renderer.rules['task_box'] = (tokens, at, _options, env) => render(tokens[at]?.markup !== ' ', env)
}
