import { changesComments, splitSource } from './split-source.ts'

/** The comment that names the engine. Without it, editors and hosts build the sources with another engine. */
const ENGINE_COMMENT = /^%{1,9}\s{0,9}!T[Ee]X\s{1,9}(?:TS-)?program\s{0,9}=\s{0,9}[A-Za-z]{1,20}\s*$/

/**
 * Removes the text of comments without changing what TeX reads: a line that is only a comment disappears, as TeX skips
 * it with its line break; behind other text, the percent sign stays, because it hides the line break. Text after
 * `\end{document}` and `comment` environments are removed too. A comment that names the engine stays.
 */
export function stripComments(source: string, verbatimEnvironments: ReadonlySet<string>): string {
  if (changesComments(source)) return source
  const lines: string[] = []
  let line = ''
  const add = (text: string): void => {
    const lineEnd = text.lastIndexOf('\n') + 1
    if (lineEnd > 0) lines.push(line + text.slice(0, lineEnd))
    line = lineEnd > 0 ? text.slice(lineEnd) : line + text
  }
  // A removed line takes its line break with it, which is in the part after it.
  let skipsBreak = false
  for (const { kind, text } of splitSource(source, verbatimEnvironments)) {
    if (kind === 'comment' && !ENGINE_COMMENT.test(text)) {
      skipsBreak = line.trim() === ''
      if (skipsBreak) line = ''
      else add(text.endsWith('\r') ? '%\r' : '%')
      continue
    }
    const rest = skipsBreak ? text.replace(/^\n/, '') : text
    skipsBreak = false
    add(kind === 'after' ? '\n' : kind === 'verbatim' ? emptyComment(rest) : rest)
  }
  return lines.join('') + line
}

/** The text of a `comment` environment, which the package reads line by line. */
function emptyComment(text: string): string {
  return /^\\begin\{comment\}[ \t]*\r?\n[^]*\n[ \t]*\\end\{comment\}$/.test(text)
    ? '\\begin{comment}\n\\end{comment}'
    : text
}
