/**
 * Plain text as LaTeX that prints exactly that text.
 *
 * More than the ten special characters can surprise: `--` becomes a dash and ?` a Spanish mark, `"` is a command under
 * some languages, `]` ends an optional argument, and a blank line ends the paragraph, which is an error inside most
 * arguments. All of these lose their meaning too.
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

/**
 * Escapes text for use in running text and in arguments, not in math, verbatim or file names.
 *
 * Line breaks become spaces; control characters are dropped.
 */
export function escapeLatex(text: string): string {
  return text
    .replaceAll(/\s*[\n\r\u0085\u2028\u2029]\s*/g, ' ')
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\ufeff]/gu, '')
    .replaceAll(/[\\{}$&#%_^~<>|"`[\]]/g, (character) => REPLACEMENTS.get(character) ?? character)
    .replaceAll(/-(?=-)|'(?=')|,(?=,)/g, '$&{}')
}
