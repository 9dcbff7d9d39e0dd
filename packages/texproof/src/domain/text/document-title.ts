import { usePdfStrings } from './pdf-strings.ts'

/** Commands whose argument is not part of the title: notes, sizes, labels. */
const DROPPED = /\\(?:thanks|footnote|label|vspace|hspace|fontsize|selectfont)\*?(?![A-Za-z])/
const MAX_LENGTH = 300

/**
 * The title of a paper as plain text, from the source of its root file; null if there is none, or if it contains more
 * than text. A wrong title is worse than none.
 */
export function findDocumentTitle(source: string): string | null {
  // Bounded repetitions: a malicious source must be parsed in linear time.
  const text = source.replace(/(?<!\\)%.*\n?[ \t]*/g, '')
  const start = /\\title\s{0,99}(?:\[[^\]]{0,2000}\])?\s{0,99}\{/.exec(text)
  if (start === null) return null
  const raw = readGroup(text, start.index + start[0].length - 1)
  if (raw === null || raw.length > 4 * MAX_LENGTH) return null
  const words = toWords(usePdfStrings(dropNotes(raw)))
  return words === '' || words.length > MAX_LENGTH || /[\\{}$]/.test(words) ? null : words
}

/** The text between the brace at `open` and its closing brace. */
function readGroup(text: string, open: number): string | null {
  let depth = 0
  for (let at = open; at < text.length && at - open < 4_000; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return text.slice(open + 1, at)
  }
  return null
}

function dropNotes(text: string): string {
  let rest = text
  for (let round = 0; round < 8; round++) {
    const found = DROPPED.exec(rest)
    if (found === null) return rest
    const after = found.index + found[0].length
    const group = rest[after] === '{' ? readGroup(rest, after) : ''
    if (group === null) return rest
    rest = rest.slice(0, found.index) + rest.slice(after + (rest[after] === '{' ? group.length + 2 : 0))
  }
  return rest
}

function toWords(text: string): string {
  return text
    .replaceAll(/\\\\(?:\[[^\]]*\])?|\\(?:newline|linebreak|par)(?![A-Za-z])|~/g, ' ')
    .replaceAll(/\\(["'`^~c])\s*(?:\{([A-Za-z])\}|([A-Za-z]))/g, (_, accent: string, braced?: string, bare?: string) =>
      ((braced ?? bare ?? '') + (COMBINING[accent] ?? '')).normalize('NFC'),
    )
    .replaceAll(/\\(?:TeX|LaTeX)(?![A-Za-z])/g, (name) => name.slice(1))
    .replaceAll(/\\(?:[A-Za-z]+\*?)(?=\s*\{)/g, '')
    .replaceAll(
      /\\(?:bf|it|sc|sf|tt|em|Large|LARGE|huge|Huge|large|bfseries|itshape|scshape|centering)(?![A-Za-z])\s*/g,
      '',
    )
    .replaceAll(/\\([&%#_$])/g, '$1')
    .replaceAll(/(?<!\\)[{}]/g, '')
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll('``', '“')
    .replaceAll("''", '”')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const COMBINING: Readonly<Record<string, string>> = {
  '"': '\u0308',
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  c: '\u0327',
}
