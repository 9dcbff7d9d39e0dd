import { escapeHtml } from '../escape-html.ts'
import { convertFormula } from '../markdown/render-formula.ts'
import { readImage } from './read-image.ts'
import type { NotebookOutput } from './read-notebook.ts'

/** Maximum length of a text. */
const MAX_TEXT_LENGTH = 50_000

/** An output of a code cell as safe HTML: image, formula, text or error. */
export function renderOutput(output: NotebookOutput, cellCount: number | null): string {
  switch (output.output_type) {
    case 'stream':
      return textBlock(output.text, output.name === 'stderr' ? 'cell-stderr' : 'cell-output')
    case 'error': {
      const trace = output.traceback.join('\n')
      return textBlock(trace === '' ? `${output.ename}: ${output.evalue}` : trace, 'cell-error')
    }
    case 'display_data':
    case 'execute_result':
      return renderBundle(output.data, cellCount)
  }
}

/** The richest value that is safe to show, in Jupyter's order, except HTML and scripts. */
function renderBundle(bundle: Readonly<Record<string, string>>, cellCount: number | null): string {
  const image = readImage(bundle)
  const alt = bundle['text/plain']?.slice(0, 200) || `Output of cell ${cellCount ?? ''}`
  if (image !== null)
    return `<p class="cell-image"><img src="${image}" alt="${escapeHtml(alt.trim())}" loading="lazy" /></p>`
  const formula = renderLatex(bundle['text/latex'] ?? '')
  if (formula !== null) return `<div class="cell-output">${formula}</div>`
  const plain = bundle['text/plain'] ?? ''
  if (plain !== '') return textBlock(plain, 'cell-output')
  const types = Object.keys(bundle).join(', ')
  return `<p class="quiet">Output of type ${escapeHtml(types.slice(0, 100))} is not shown.</p>`
}

/** `$x$`, `$$x$$` or an environment, as printed by computer algebra systems. */
function renderLatex(text: string): string | null {
  const [, dollars] = /^(?:\$\$?)([^]*[^$])\$\$?$/.exec(text.trim()) ?? []
  const source = dollars ?? (/^\s*\\begin\{/.test(text) ? text : '')
  if (source === '' || source.length > MAX_TEXT_LENGTH) return null
  const outcome = convertFormula({ source, isDisplay: true })
  return outcome.kind === 'math' ? outcome.html : null
}

function textBlock(text: string, className: string): string {
  const shown = cleanTerminalText(text.slice(0, MAX_TEXT_LENGTH))
  const rest = text.length > MAX_TEXT_LENGTH ? '<p class="notice">The rest of this output is not shown.</p>' : ''
  return `<pre class="${className}" tabindex="0">${escapeHtml(shown)}</pre>${rest}`
}

/** Terminal text without colors; of an overwritten line, such as a progress bar, the last state. */
function cleanTerminalText(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- the escape character begins a color
      .replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, '')
      .replaceAll('\r\n', '\n')
      .replaceAll(/^[^\n]*\r(?=[^\n])/gm, '')
  )
}
