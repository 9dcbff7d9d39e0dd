/**
 * Line numbers of a source: a click marks the line, with Shift a range, in the address as `#L3-L9`. `n` and `N` go to
 * the next and the previous note, `l` prompts for a line.
 */

const rows = [...document.querySelectorAll<HTMLTableRowElement>('.source tr[id]')]
const numberOf = (row: Element | null | undefined): number => Number(row?.id.slice(1) ?? 0)

function readRange(): readonly [from: number, to: number] | null {
  const [, from, to] = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash) ?? []
  if (from === undefined) return null
  const ends = [Number(from), Number(to ?? from)] as const
  return [Math.min(...ends), Math.max(...ends)]
}

function markRange(): void {
  const range = readRange()
  for (const row of rows) {
    const number = numberOf(row)
    row.classList.toggle('chosen', range !== null && number >= range[0] && number <= range[1])
  }
  // A range is not an id of the page, so the browser does not scroll to it.
  if (range !== null && location.hash.includes('-')) document.getElementById(`L${range[0]}`)?.scrollIntoView()
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('.source td:first-of-type a') : null
  if (link === null) return
  const range = readRange()
  const number = numberOf(link.closest('tr'))
  if (!event.shiftKey || range === null) return
  event.preventDefault()
  const [from, to] = [Math.min(range[0], number), Math.max(range[0], number)]
  history.replaceState(null, '', from === to ? `#L${from}` : `#L${from}-L${to}`)
  markRange()
})

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.documentElement.dataset['keys'] === 'off') return
  if (event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
  if (document.querySelector('dialog[open]') !== null) return
  if (event.key === 'l') return askLine(event)
  if (event.key.toLowerCase() !== 'n') return
  const marked = rows.filter((row) => row.classList.contains('marked')).map(numberOf)
  const here = readRange()?.[0] ?? 0
  const next = event.key === 'n' ? marked.find((number) => number > here) : marked.findLast((number) => number < here)
  if (next !== undefined) location.hash = `#L${next}`
})

/** Prompts for a line number and scrolls to it. */
function askLine(event: KeyboardEvent): void {
  event.preventDefault()
  const dialog = document.createElement('dialog')
  dialog.className = 'keys'
  const form = dialog.appendChild(document.createElement('form'))
  form.method = 'dialog'
  const label = form.appendChild(document.createElement('label'))
  // A part of a long file starts at a later line.
  const [first, last] = [numberOf(rows[0]), numberOf(rows.at(-1))]
  label.textContent = `Line, ${first} to ${last} `
  const field = label.appendChild(document.createElement('input'))
  Object.assign(field, { type: 'number', min: String(first), max: String(last), required: true })
  const button = form.appendChild(document.createElement('button'))
  button.className = 'drawn-button'
  button.textContent = 'Go to line'
  form.addEventListener('submit', () => (location.hash = `#L${field.value}`))
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

addEventListener('hashchange', markRange)
markRange()
