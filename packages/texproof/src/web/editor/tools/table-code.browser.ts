/** Converts a pasted table to LaTeX. */

/** The rows of an HTML text that is a table; null if it has other text or several tables. */
export function readTable(html: string): readonly (readonly string[])[] | null {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const [table, ...others] = body.querySelectorAll('table')
  if (table === undefined || others.length > 0) return null
  for (const unseen of body.querySelectorAll('style, script')) unseen.remove()
  if (lengthOf(body) !== lengthOf(table)) return null
  const rows = [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [
      (cell.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
      ...Array.from({ length: Math.min(cell.colSpan, 50) - 1 }, () => ''),
    ]),
  )
  return rows.some((row) => row.length > 0) ? rows : null
}

/** Length without white space, which only lays out the source. */
function lengthOf({ textContent }: Element): number {
  return (textContent ?? '').replaceAll(/\s/g, '').length
}

/** A `tabular` with aligned columns; numbers are flush right. */
export function tableCode(
  rows: readonly (readonly string[])[],
  { hasBooktabs }: { readonly hasBooktabs: boolean },
): string {
  const width = Math.max(...rows.map((row) => row.length))
  const [head = [], ...body] = rows.map((row) => Array.from({ length: width }, (_, at) => escapeText(row[at] ?? '')))
  const columns = Array.from({ length: width }, (_, at) =>
    body.length > 0 && body.every((row) => /^[-+−]?[\d.,\s]*(?:\\%)?$/.test(row[at] ?? '')) ? 'r' : 'l',
  )
  const [top, middle, bottom] = hasBooktabs
    ? ['\\toprule', '\\midrule', '\\bottomrule']
    : ['\\hline', '\\hline', '\\hline']
  const line = (row: readonly string[]): string => `  ${row.join(' & ')} \\\\\n`
  return `\\begin{tabular}{${columns.join('')}}\n  ${top}\n${line(head)}  ${middle}\n${body.map(line).join('')}  ${bottom}\n\\end{tabular}\n`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Escapes text for LaTeX. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\~^&%$#_{}]/g, (character) => ESCAPES[character] ?? `\\${character}`)
}
