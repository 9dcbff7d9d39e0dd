/**
 * The words of the prose in a LaTeX source with their places and languages: without commands, formulas, comments, listings
 * and arguments that are not text. The source is read once from start to end, so the time is linear in its size.
 */

/** A word as it is written in the text: accents that were commands are letters. */
export interface ProseWord {
  readonly from: number
  readonly to: number
  readonly word: string
  /** Name of its dictionary. */
  readonly language: string
}

interface Group {
  readonly language: string
  /** Name of the environment; '' = braces. */
  readonly environment: string
}

/** Dictionaries by the names of languages in babel and polyglossia. */
const DICTIONARIES = new Map(
  Object.entries({
    en: 'english american USenglish usenglish canadian',
    'en-gb': 'british UKenglish ukenglish australian newzealand',
    de: 'german ngerman austrian naustrian swissgerman nswissgerman',
    fr: 'french francais frenchb acadian canadien',
    es: 'spanish castilian',
    it: 'italian',
    nl: 'dutch',
    pt: 'portuguese portuges brazilian brazil',
  }).flatMap(([dictionary, names]) => names.split(' ').map((name) => [name, dictionary] as const)),
)
const LAST_LANGUAGE =
  /\\(?:usepackage\s{0,9}\[([^\]]{0,1000})\]\s{0,9}\{babel\}|set(?:main|default)language\s{0,9}(?:\[[^\]]{0,200}\])?\s{0,9}\{([a-zA-Z]{1,30})\})/
const CLASS_OPTIONS = /\\documentclass\s{0,9}\[([^\]]{0,1000})\]/
/** Environments without prose. */
const SKIPPED_ENVIRONMENT =
  /^(?:equation|align|alignat|flalign|gather|multline|eqnarray|math|displaymath|dmath|array|tikzpicture|pgfpicture|picture|thebibliography|lstlisting|minted|verbatim|Verbatim|BVerbatim|comment|algorithmic|filecontents|axis|forest|CD)\*?$/
/** Commands whose first arguments are not prose, with the number of these arguments. */
const SKIPPED = new Map(
  Object.entries({
    1: 'label ref eqref pageref autoref cref Cref nameref vref includegraphics bibliography bibliographystyle addbibresource printbibliography usepackage documentclass RequirePackage vspace hspace pagestyle thispagestyle pagenumbering index glossary gls Gls glspl glsentryshort ac acs acl hypertarget hyperlink url path href input include subfile color textcolor colorbox pagecolor counterwithin stepcounter refstepcounter graphicspath lstinputlisting includepdf bibitem newpage phantom hphantom vphantom raisebox scalebox rotatebox SI si num unit qty ang ensuremath captionsetup selectlanguage usetikzlibrary newtheorem newenvironment renewenvironment hyphenation tikz ce texttt lstset hypersetup geometry DeclareMathOperator def let tikzset pgfplotsset sisetup theoremstyle setlist crefname Crefname email orcid todoauthor glsadd fontfamily newacronym newglossaryentry',
    2: 'setlength addtolength setcounter addtocounter newcommand renewcommand providecommand NewDocumentCommand fontsize rule resizebox SI qty newlength inputminted colorlet',
    3: 'definecolor multicolumn',
  }).flatMap(([count, names]) => names.split(' ').map((name) => [name, Number(count)] as const)),
)
const MAX_ARGUMENT = 500
/** How many open groups an `\\end` may close. */
const MAX_CLOSED = 50
const COMBINING: Readonly<Record<string, string>> = {
  '"': '\u0308',
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  '.': '\u0307',
}
const LETTER = String.raw`[\p{L}\p{M}\p{N}]|\\["'${'`'}^~=.](?:[a-zA-Z]|\{\\?[a-zA-Z]\})|\\-|\{\\["'${'`'}^~=.](?:[a-zA-Z]|\{[a-zA-Z]\})\}|\\ss\{\}|\{\\ss\}`
const TOKEN = new RegExp(
  String.raw`%[^\n]*|(?<word>(?:${LETTER})+(?:['’"](?:${LETTER})+)*)|\\(?<command>[a-zA-Z@]+)\*?|\\[^]|[{}$]`,
  'gu',
)
/** Acronyms, numbers, names in mixed case, single letters and words with quotes of babel are not checked. */
const CHECKED = /^(?=\p{L}\p{M}?[\p{L}\p{M}])[\p{Script=Latin}\p{M}]\p{M}?(?:[\p{Ll}\p{M}]|['’](?=\p{Ll}))+$/u

/** The dictionary of the main language of a document; '' if its preamble names none that is known. */
export function findDocumentLanguage(source: string): string {
  const preamble = source.slice(0, 100_000)
  const [, options, main] = LAST_LANGUAGE.exec(preamble) ?? []
  if (main !== undefined) return DICTIONARIES.get(main) ?? ''
  const named = [CLASS_OPTIONS.exec(preamble)?.[1], options].flatMap((list) => list?.split(',') ?? [])
  const explicit = /(?:^|,)\s*main\s*=\s*([a-zA-Z]+)/.exec(options ?? '')?.[1]
  const known = [...named.map((name) => name.trim()), ...(explicit === undefined ? [] : [explicit])]
  return known.map((name) => DICTIONARIES.get(name)).findLast((dictionary) => dictionary !== undefined) ?? ''
}

/** The words to check. `language` is the language of the document: the dictionary for text whose language no command changes. */
export function* findProse(source: string, language: string): Generator<ProseWord> {
  const begin = /\\begin\s{0,9}\{document\}/.exec(source)
  const groups: Group[] = []
  let current = language
  let next: string | null = null
  const pattern = new RegExp(TOKEN)
  pattern.lastIndex = begin === null ? 0 : begin.index + begin[0].length
  for (let found = pattern.exec(source); found !== null; found = pattern.exec(source)) {
    const [token] = found
    const { word, command } = found.groups ?? {}
    if (word !== undefined) {
      const plain = toPlainWord(word)
      if (current !== '' && CHECKED.test(plain))
        yield { from: found.index, to: found.index + token.length, word: plain, language: current }
    } else if (token === '{') {
      groups.push({ language: current, environment: '' })
      current = next ?? current
      next = null
    } else if (token === '}') current = groups.pop()?.language ?? language
    else if (token === '$') pattern.lastIndex = endOfFormula(source, pattern.lastIndex)
    else if (token === '\\[' || token === '\\(')
      pattern.lastIndex = after(source, token === '\\[' ? '\\]' : '\\)', pattern.lastIndex)
    else if (command !== undefined) readCommand(command)
    if (command === 'end' && source.startsWith('{document}', pattern.lastIndex - 10)) return
  }

  function readCommand(name: string): void {
    const from = pattern.lastIndex
    if (name === 'begin' || name === 'end') readEnvironment(name, from)
    else if (name === 'verb' || name === 'lstinline' || name === 'mintinline')
      pattern.lastIndex = endOfVerbatim(source, from)
    else if (name === 'foreignlanguage' || name === 'selectlanguage') {
      const chosen = readName(source, from)
      const dictionary = DICTIONARIES.get(chosen.name) ?? ''
      if (name === 'selectlanguage') current = dictionary
      else next = dictionary
      pattern.lastIndex = chosen.end
    } else if (/^text[a-z]{4,}$/.test(name) && DICTIONARIES.has(name.slice(4)))
      next = DICTIONARIES.get(name.slice(4)) ?? ''
    else pattern.lastIndex = skipArguments(source, from, /cite/i.test(name) ? 1 : (SKIPPED.get(name) ?? 0))
  }

  function readEnvironment(edge: 'begin' | 'end', from: number): void {
    const { name, end } = readName(source, from)
    pattern.lastIndex = end
    if (edge === 'end') {
      const inner = groups.slice(-MAX_CLOSED)
      const opened = groups.length - inner.length + inner.findLastIndex(({ environment }) => environment === name)
      if (groups[opened]?.environment !== name || name === '') return
      current = groups[opened]?.language ?? language
      groups.length = opened
    } else if (SKIPPED_ENVIRONMENT.test(name)) pattern.lastIndex = after(source, `\\end{${name}}`, end)
    else {
      groups.push({ language: current, environment: name })
      if (/^otherlanguage\*?$/.test(name)) {
        const chosen = readName(source, end)
        current = DICTIONARIES.get(chosen.name) ?? ''
        pattern.lastIndex = chosen.end
      } else if (DICTIONARIES.has(name)) current = DICTIONARIES.get(name) ?? ''
      else
        pattern.lastIndex = skipArguments(
          source,
          end,
          /^(?:tabular|longtable|tabu|array|minipage|multicols|wrap|subfigure|adjust|list$|columns?$)/.test(name)
            ? 1
            : 0,
        )
    }
  }
}

function toPlainWord(written: string): string {
  if (!/[\\{]/.test(written)) return written.replaceAll('’', "'")
  return written
    .replaceAll(/\\ss\{\}|\{\\ss\}/g, 'ß')
    .replaceAll('\\-', '')
    .replaceAll(/[{}]|\\(?=[ij]\})/g, '')
    .replaceAll(/\\(.)([a-zA-Z])/g, (_, accent: string, letter: string) => letter + (COMBINING[accent] ?? ''))
    .normalize('NFC')
    .replaceAll('’', "'")
}

/** The position after a text; the end of the source if it is not there. */
function after(source: string, closing: string, from: number): number {
  const at = source.indexOf(closing, from)
  return at === -1 ? source.length : at + closing.length
}

/** The end of a formula that began with `$` or `$$`; one that does not end in its paragraph is a stray sign. */
function endOfFormula(source: string, from: number): number {
  const isDisplayed = source[from] === '$'
  const start = isDisplayed ? from + 1 : from
  const paragraph = source.indexOf('\n\n', start)
  const limit = paragraph === -1 ? source.length : paragraph
  for (let at = start; at < limit; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '$') return isDisplayed && source[at + 1] === '$' ? at + 2 : at + 1
  }
  return from
}

function endOfVerbatim(source: string, from: number): number {
  const delimiter = source[from] === '{' ? '}' : source[from]
  if (delimiter === undefined || /[\sa-zA-Z]/.test(delimiter)) return from
  const at = source.indexOf(delimiter, from + 1)
  const line = source.indexOf('\n', from)
  return at === -1 || (line !== -1 && at > line) ? from : at + 1
}

/** A name in braces, and the position after it. */
function readName(source: string, from: number): { readonly name: string; readonly end: number } {
  const found = /^\s{0,9}(?:\[[^\]]{0,200}\])?\{([^{}\n]{1,60})\}/.exec(source.slice(from, from + 300))
  return found === null ? { name: '', end: from } : { name: found[1] ?? '', end: from + found[0].length }
}

/** The position after options in brackets and a number of groups. */
function skipArguments(source: string, from: number, count: number): number {
  let at = skipOptions(source, from)
  for (let skipped = 0; skipped < count; skipped += 1) {
    const end = source[at] === '{' ? findClosing(source, at) : null
    if (end === null) return at
    at = skipOptions(source, end)
  }
  return at
}

function skipOptions(source: string, from: number): number {
  let at = from
  for (let options = 0; options < 3 && source[at] === '['; options += 1) {
    const end = source.indexOf(']', at)
    if (end === -1 || end - at > MAX_ARGUMENT) return at
    at = end + 1
  }
  return at
}

/** The position after a group; null if it is too long. */
function findClosing(source: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < Math.min(source.length, from + MAX_ARGUMENT); at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '{') depth += 1
    else if (source[at] === '}' && (depth -= 1) === 0) return at + 1
  }
  return null
}
