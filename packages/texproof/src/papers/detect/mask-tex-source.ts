/**
 * Blanks everything in a TeX source that is not a command of the document: comments, verbatim material, and text after
 * `\end{document}`. A manual about LaTeX can show `\documentclass` in a listing without being several documents.
 *
 * Line breaks stay, so a match keeps its line number. Changed catcodes and custom verbatim environments are not
 * supported: detection only needs to be right about ordinary papers.
 */
const VERBATIM_ENVIRONMENTS = 'verbatim|Verbatim|BVerbatim|lstlisting|minted|comment|filecontents'
const VERBATIM_BLOCK = new RegExp(`\\\\begin\\{(${VERBATIM_ENVIRONMENTS})(\\*?)\\}[^]*?(?:\\\\end\\{\\1\\2\\}|$)`, 'g')
const INLINE_VERBATIM = /\\(?:verb|lstinline)\*?([^A-Za-z0-9\s*{[])[^\n]{0,500}?\1/g

/** Blanks comments, verbatim material and everything after the end of the document. Line numbers stay the same. */
export function maskTexSource(source: string): string {
  const withoutComments = source.replaceAll(/\r\n?/g, '\n').split('\n').map(cutComment).join('\n')
  const commands = withoutComments.replace(VERBATIM_BLOCK, keepLineBreaks).replace(INLINE_VERBATIM, keepLineBreaks)
  const end = commands.indexOf('\\end{document}')
  return end === -1 ? commands : commands.slice(0, end)
}

/** A `%` starts a comment unless it follows an odd number of backslashes. */
function cutComment(line: string): string {
  for (let at = line.indexOf('%'); at !== -1; at = line.indexOf('%', at + 1)) {
    let backslashes = 0
    while (line[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return line.slice(0, at)
  }
  return line
}

function keepLineBreaks(text: string): string {
  return text.replace(/[^\n]+/g, ' ')
}
