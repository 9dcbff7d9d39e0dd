/** Removes what names the authors of a document, for double-blind review. */
import { findGroupEnd, splitSource } from './split-source.ts'

const REPLACED = new Set(['author'])
const REMOVED = new Set([
  'address', 'affil', 'affiliation', 'authornote', 'authorrunning', 'authorsaddresses', 'correspondingauthor', 'corref',
  'cortext', 'ead', 'email', 'fntext', 'institute', 'institution', 'orcid', 'orcidID', 'thanks', 'titlerunninghead',
]) // prettier-ignore
const COMMAND = /(?<!\\)\\([A-Za-z]{1,30})\*?/g
const THANKS_ENVIRONMENT = /\\begin\{(acks|acknowledge?ments?|Acknowledge?ments?)\}[^]{0,20000}?\\end\{\1\}/g
const THANKS_SECTION =
  /\\(?:sub)?section\*?\s{0,9}\{\s{0,9}(?:Acknowledge?ments?|Danksagung|Remerciements)\s{0,9}\}[^]{0,20000}?(?=\\(?:sub)?section\b|\\bibliography|\\printbibliography|\\begin\{thebibliography\}|\\appendix|\\end\{document\})/gi
const PDF_AUTHOR = /(pdfauthor\s{0,9}=\s{0,9})(?:\{[^{}]{0,1000}\}|[^,}\]]{0,400})/g
/** The author in `\\pdfinfo`. */
const PDF_INFO_AUTHOR = /(\/Author\s{0,9})\((?:\\[^]|[^()\\]){0,1000}\)/g

/** Removes authors, affiliations, acknowledgements and the author of the PDF. Comments must be removed before. */
export function anonymizeSource(source: string, verbatimEnvironments: ReadonlySet<string>): string {
  const code = splitSource(source, verbatimEnvironments).filter(({ kind }) => kind === 'code')
  let anonymous = ''
  let copied = 0
  for (const { text, start } of code) {
    for (const { index, 1: name = '', 0: command } of text.matchAll(COMMAND)) {
      const at = start + index
      if (at < copied || !(REPLACED.has(name) || REMOVED.has(name))) continue
      const end = findArgumentsEnd(source, at + command.length)
      if (end === null) continue
      anonymous += source.slice(copied, at) + (REPLACED.has(name) ? '\\author{Anonymous}' : '')
      copied = end
    }
  }
  return (anonymous + source.slice(copied))
    .replaceAll(THANKS_ENVIRONMENT, '')
    .replaceAll(THANKS_SECTION, '')
    .replaceAll(PDF_AUTHOR, '$1{}')
    .replaceAll(PDF_INFO_AUTHOR, '$1()')
}

/** The names in `\author`, to look for in the rebuilt document: two words or more, without macros. */
export function listAuthors(source: string): readonly string[] {
  const names: string[] = []
  for (const { index, 0: command, 1: name } of source.matchAll(COMMAND)) {
    if (name !== 'author') continue
    const open = source.indexOf('{', index + command.length)
    const end = open === -1 || open - index > 200 ? null : findGroupEnd(source, open)
    if (end === null) continue
    const plain = source
      .slice(open + 1, end - 1)
      .replaceAll(/\\(?:thanks|inst|affil|orcidID|email|textsuperscript)\s{0,9}\{[^{}]{0,1000}\}/g, '')
      .replaceAll(/%[^\n]{0,1000}/g, '')
    for (const part of plain.split(/\\and\b|\\And\b|\\AND\b|\\\\|,|\band\b|\n\n/)) {
      const author = part
        .replaceAll(/\\[A-Za-z]+|[{}~$^]|\d/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
      if (/^\p{L}[\p{L}.'-]*(?: \p{L}[\p{L}.'-]*){1,4}$/u.test(author)) names.push(author)
    }
  }
  return [...new Set(names)].slice(0, 50)
}

/** Optional arguments and one required argument; null if there is none. */
function findArgumentsEnd(source: string, start: number): number | null {
  const options = /^(?:\s{0,9}\[[^\]]{0,400}\]){0,3}\s{0,9}/.exec(source.slice(start, start + 1_300))?.[0].length ?? 0
  return source[start + options] === '{' ? findGroupEnd(source, start + options) : null
}
