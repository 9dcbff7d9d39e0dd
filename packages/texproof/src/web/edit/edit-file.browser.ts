/**
 * The text field of the editor: the cursor starts on the line given by `#L31` or by the page, and the browser warns
 * before unsaved changes are lost.
 */
/** Distance of a line from the edges of the window. */
const MARGIN_PX = 80

const area = document.querySelector<HTMLTextAreaElement>('[data-edit-form] textarea')

if (area !== null) {
  const line = Number(/^#L(\d+)/.exec(location.hash)?.[1] ?? area.dataset['line'] ?? 0)
  // The list of problems keeps the focus.
  if (line > 0 && document.getElementById('problem') === null) goToLine(area, line)
  guard(area)
}

function goToLine(field: HTMLTextAreaElement, line: number): void {
  const text = field.value
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((length, { length: next }) => length + next + 1, 0)
  const down = measureHeight(field, text.slice(0, start))
  field.value = text
  field.focus({ preventScroll: true })
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  field.scrollTop = Math.max(0, down - field.clientHeight / 2)
  // The field may extend below the window.
  const inWindow = field.getBoundingClientRect().top + down - field.scrollTop
  if (inWindow < MARGIN_PX || inWindow > innerHeight - MARGIN_PX) scrollBy(0, inWindow - innerHeight / 2)
}

/** Height of a text in the field, with wrapped lines; at least the height of the field. */
function measureHeight(field: HTMLTextAreaElement, text: string): number {
  const { height, minHeight } = field.style
  field.value = text
  field.style.minHeight = '0'
  field.style.height = '0'
  const measured = field.scrollHeight
  Object.assign(field.style, { height, minHeight })
  return measured
}

function guard(field: HTMLTextAreaElement): void {
  let isSent = false
  field.form?.addEventListener('submit', () => (isSent = true))
  addEventListener('pageshow', () => (isSent = false))
  addEventListener('beforeunload', (event) => {
    const isUnsaved = field.value !== field.defaultValue || field.form?.dataset['unsaved'] !== undefined
    if (!isSent && isUnsaved) event.preventDefault()
  })
}
