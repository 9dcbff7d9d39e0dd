import { decodeText } from '../decode-text.ts'
import { escapeHtml } from '../escape-html.ts'
import { createMarkdownRenderer, type MarkdownPlace } from '../markdown/render-markdown.ts'
import { highlightLines } from '../source/highlight-lines.ts'
import { LANGUAGES, type Language } from '../source/find-language.ts'
import { readImage } from './read-image.ts'
import { readNotebook, type NotebookCell } from './read-notebook.ts'
import { renderOutput } from './render-output.ts'

/** Maximum length of the HTML: images make pages large. */
const MAX_RENDERED_LENGTH = 5 * 1024 * 1024
/** Characters of a code cell that are highlighted. */
const MAX_HIGHLIGHTED_LENGTH = 50_000

/** Names of kernels for languages with another name in the highlighter. */
const KERNEL_LANGUAGES: Readonly<Record<string, Language>> = {
  'c++': 'cpp',
  ipython: 'python',
  python3: 'python',
  octave: 'matlab',
  sagemath: 'python',
  node: 'javascript',
}

/** A notebook as stored, and the target of its links. */
export interface NotebookSource {
  readonly bytes: Uint8Array
  readonly place: MarkdownPlace
}

/**
 * Renders the cells of a notebook in order as safe HTML; null for other files. HTML and scripts in outputs are not
 * shown. Runs on a thread.
 *
 * @throws Error if the result is too long.
 */
export function renderNotebook({ bytes, place }: NotebookSource): string | null {
  const notebook = readNotebook(decodeText(bytes))
  if (notebook === null) return null
  const { cells, cellCount } = notebook
  const language = findKernelLanguage(notebook.language)
  const renderMarkdown = createMarkdownRenderer(place)
  const shown: string[] = []
  let length = 0
  for (const [at, cell] of cells.entries()) {
    const html =
      cell.cell_type === 'markdown'
        ? renderMarkdown({ source: cell.source, notePrefix: `${at}-`, attachments: readAttachments(cell) })
        : renderCode(cell, language)
    length += html.length
    if (length > MAX_RENDERED_LENGTH) break
    shown.push(`<div class="cell ${cell.cell_type}-cell">${html}</div>`)
  }
  const rest =
    shown.length === cellCount ? '' : `<p class="notice">${shown.length} of ${cellCount} cells are shown.</p>\n`
  return `${rest}${shown.join('\n')}`
}

function findKernelLanguage(name: string): Language | null {
  return KERNEL_LANGUAGES[name] ?? LANGUAGES.find((language) => language === name) ?? null
}

function readAttachments({
  attachments,
}: Extract<NotebookCell, { cell_type: 'markdown' }>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(attachments).flatMap(([name, bundle]) => {
      const image = readImage(bundle)
      return image === null ? [] : [[name, image] as const]
    }),
  )
}

function renderCode(cell: Exclude<NotebookCell, { cell_type: 'markdown' }>, language: Language | null): string {
  if (cell.cell_type === 'raw') return `<pre tabindex="0"><code>${escapeHtml(cell.source)}</code></pre>`
  const { source, execution_count: count, outputs } = cell
  const code =
    language === null || source.length > MAX_HIGHLIGHTED_LENGTH
      ? escapeHtml(source)
      : highlightLines(source, language).join('\n')
  const rest = outputs.count > outputs.shown.length ? `<p class="notice">Some outputs are not shown.</p>` : ''
  const label = `<span class="cell-count"><span class="visually-hidden">Code cell </span>[${count ?? ' '}]</span>`
  const rendered = outputs.shown.map((output) => renderOutput(output, count)).join('')
  return `${label}<pre tabindex="0"><code>${code}</code></pre>${rendered}${rest}`
}
