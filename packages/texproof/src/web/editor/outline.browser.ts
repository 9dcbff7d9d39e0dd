/** The outline of the document beside the editor: its sections, across all files. */
import type { Project, Section } from './project.browser.ts'
import type { SourcePlace } from './references.browser.ts'

const RETRY_AFTER_MS = 5_000

/** Shows the outline. Call the result when a draft is stored. */
export function wireOutline(project: Project, open: (place: SourcePlace) => void): () => void {
  let shown = ''
  let sections: readonly Section[] = []
  // Lines change with every edit above a section: its button uses the lines of the newest index.
  const openSection = (at: number): void => {
    const section = sections[at]
    if (section !== undefined) open(section)
  }
  let retry: ReturnType<typeof setTimeout> | undefined
  const show = async (): Promise<void> => {
    clearTimeout(retry)
    const index = await project.read()
    const outline = document.querySelector<HTMLElement>('[data-editor-outline]')
    if (index === null) retry = setTimeout(() => void show(), RETRY_AFTER_MS)
    if (index === null || outline === null) return
    sections = index.sections
    // A list that is drawn again loses the focus and its position.
    const state = JSON.stringify(sections.map(({ level, title }) => [level, title]))
    if (state === shown && outline.querySelector('ol') !== null) return
    shown = state
    outline.hidden = sections.length === 0
    outline.querySelector('ol')?.remove()
    outline.append(list(sections, openSection))
  }
  void show()
  return () => void show()
}

function list(sections: readonly Section[], open: (at: number) => void): HTMLElement {
  const top = Math.min(...sections.map(({ level }) => level))
  const items = sections.map((section, at) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain-button'
    button.textContent = section.title === '' ? 'Untitled' : section.title
    button.style.paddingInlineStart = `${Math.min(4, section.level - top) * 0.75}rem`
    button.addEventListener('click', () => open(at))
    const item = document.createElement('li')
    item.append(button)
    return item
  })
  const ordered = document.createElement('ol')
  ordered.append(...items)
  return ordered
}
