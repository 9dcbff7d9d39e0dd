/** Escapes text for LaTeX. */
/**
 * Plain text as LaTeX that prints exactly that text.
 *
 * Escapes more than the ten special characters: `--` would become a dash and ?` a Spanish mark, `"` is a command in
 * some languages, `]` ends an optional argument, and a blank line ends the paragraph, which is an error in most
 * arguments.
 */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['\\', '\\textbackslash{}'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['$', '\\$'],
  ['&', '\\&'],
  ['#', '\\#'],
  ['%', '\\%'],
  ['_', '\\_'],
  ['^', '\\textasciicircum{}'],
  ['~', '\\textasciitilde{}'],
  ['<', '\\textless{}'],
  ['>', '\\textgreater{}'],
  ['|', '\\textbar{}'],
  ['"', '{\\char34}'],
  ['`', '\\textasciigrave{}'],
  ['[', '{[}'],
  [']', '{]}'],
])

const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/

/**
 * Escapes text for use in running text and in arguments, not in math, verbatim or file names.
 *
 * Line breaks become spaces; control characters are dropped.
 */
export function escapeLatex(text: string): string {
  return text
    .replaceAll(/[\s\u0085]+/g, (blank) => (LINE_BREAK.test(blank) ? ' ' : blank))
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\ufeff]/gu, '')
    .replaceAll(/[\\{}$&#%_^~<>|"`[\]]/g, (character) => REPLACEMENTS.get(character) ?? character)
    .replaceAll(/-(?=-)|'(?=')|,(?=,)/g, '$&{}')
}

/** LaTeX that a template inserts unescaped. */
export interface RawLatex {
  readonly latex: string
}

/** Values of a template: text and numbers are escaped, lists are joined, null and undefined are empty. */
export type TexValue = string | number | bigint | RawLatex | null | undefined | readonly TexValue[]

/**
 * A tagged template that escapes every value: `` tex`\textbf{${name}}` ``.
 *
 * The text of the template itself is inserted as typed, so backslashes are not doubled.
 */
export function tex(template: TemplateStringsArray, ...values: readonly TexValue[]): string {
  return template.raw.map((piece, index) => piece + presentValue(values[index])).join('')
}

/** Marks LaTeX that a template inserts unescaped: `` tex`${raw(rows.join('\\\\'))}` ``. */
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
