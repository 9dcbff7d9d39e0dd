import { escapeLatex } from './escape-latex.ts'

/** LaTeX that a template takes as it is. */
export interface RawLatex {
  readonly latex: string
}

/** What a template can hold: text and numbers are escaped, lists are joined, nothing at all is empty. */
export type TexValue = string | number | bigint | RawLatex | null | undefined | readonly TexValue[]

/**
 * A tagged template that escapes every value: `` tex`\textbf{${name}}` ``.
 *
 * The template's own text is taken as typed, so a backslash needs no doubling.
 */
export function tex(template: TemplateStringsArray, ...values: readonly TexValue[]): string {
  return template.raw.map((piece, index) => piece + presentValue(values[index])).join('')
}

/** Marks LaTeX of one's own to go into a template unescaped: `` tex`${raw(rows.join('\\\\'))}` ``. */
export function raw(latex: string): RawLatex {
  return { latex }
}

function presentValue(value: TexValue): string {
  if (value === undefined || value === null) return ''
  if (isList(value)) return value.map(presentValue).join('')
  return typeof value === 'object' ? value.latex : escapeLatex(String(value))
}

function isList(value: TexValue): value is readonly TexValue[] {
  return Array.isArray(value)
}
