/**
 * The words of a document, counted in its sources as texcount does: prose, headings, and captions with footnotes.
 * Formulas, tables, listings, citations and the preamble do not count. Commands are skipped and their arguments read,
 * except those known not to be prose. The text is read once from start to end, so the time is linear in its size.
 */
import { posix } from 'node:path'

import { maskTexSource } from '../../papers/detect/mask-tex-source.ts'
import type { SourceText } from '../project-index/scan-source-file.ts'

/** Numbers of words. */
export interface Words {
  readonly text: number
  readonly headings: number
  /** Captions, footnotes and notes in the margin. */
  readonly notes: number
}

export interface SectionWords extends Words {
  /** '' = before the first section. */
  readonly title: string
  /** 0 = part, 1 = chapter, 2 = section … */
  readonly level: number
}

export interface WordCount {
  readonly total: Words
  readonly sections: readonly SectionWords[]
}

type Kind = keyof Words

interface OpenSection {
  readonly level: number
  readonly parts: Record<Kind, string[]>
}

interface Walk {
  readonly texts: ReadonlyMap<string, string>
  readonly folder: string
  readonly sections: OpenSection[]
  /** Files that were read: each counts once. */
  readonly seen: Set<string>
}

const LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']
const MAX_SECTIONS = 1_000
const MAX_DEPTH = 20
const MAX_ARGUMENT = 2_000
const NOTES = new Set(['caption', 'captionof', 'footnote', 'footnotetext', 'marginpar', 'thanks', 'todo'])
/** Commands whose arguments are not prose, with the number of those arguments. */
const SKIPPED = new Map(
  Object.entries({
    1: 'label ref eqref pageref autoref cref Cref nameref vref cite citet citep citealp citealt citeauthor citeyear parencite textcite autocite footcite fullcite supercite nocite includegraphics bibliography bibliographystyle addbibresource printbibliography usepackage vspace hspace pagestyle thispagestyle pagenumbering index glossary gls Gls glspl hypertarget url hyperlink input include color textcolor colorbox fontsize setlength addtolength counterwithin setcounter addtocounter stepcounter graphicspath lstinputlisting inputminted includepdf bibitem newpage phantom hphantom vphantom rule raisebox scalebox resizebox rotatebox href SI si num qty unit ensuremath captionsetup hyphenation newcommand renewcommand providecommand def let',
    2: 'setlength addtolength setcounter addtocounter newcommand renewcommand providecommand rule SI qty resizebox fontsize',
  }).flatMap(([count, names]) => names.split(' ').map((name) => [name, Number(count)] as const)),
)
const INPUTS = new Set(['input', 'include', 'subfile'])
const SKIPPED_ENVIRONMENT =
  /^(?:equation|align|alignat|flalign|gather|multline|eqnarray|math|displaymath|dmath|array|tabular[xy]?|longtable|tabu|tblr|tikzpicture|pgfpicture|picture|thebibliography|lstlisting|minted|verbatim|Verbatim|comment|algorithmic|filecontents|axis|forest|CD)\*?$/
/** Environments whose first argument is a length or a number. */
const WITH_ARGUMENT = /^(?:minipage|multicols|wrapfigure|wraptable|adjustbox|subfigure|subtable|list|adjustwidth)\*?$/
/** Letters written as commands. */
const LETTERS: Readonly<Record<string, string>> = {
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'i',
  j: 'j',
}
/** Commands that put an accent on the next letter. */
const ACCENTS = new Set(['c', 'v', 'H', 'u', 'k', 'r', 'd', 'b', 't'])
/** Chinese and Japanese have no spaces between words: each character counts, as in texcount. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’.,-](?=[\p{L}\p{N}])(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+)*/gu
const TOKEN = /\\(?:[a-zA-Z@]+\*?|[^a-zA-Z@]|$)|[{}$~]|--+|[^\\{}$~-]+|-/gs

/** Counts the words of a document and of the files that it inputs. Runs in a worker thread. */
export function countWords({
  files,
  rootFile,
}: {
  readonly files: readonly SourceText[]
  readonly rootFile: string
}): WordCount {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const walk: Walk = { texts, folder: posix.dirname(rootFile), sections: [openSection(0)], seen: new Set([rootFile]) }
  const root = maskTexSource(texts.get(rootFile) ?? '')
  const begin = /\\begin\s{0,9}\{document\}/.exec(root)
  const end = /\\end\s{0,9}\{document\}/.exec(root)
  readText(root.slice(begin === null ? 0 : begin.index + begin[0].length, end?.index), walk, 0)
  const sections = walk.sections
    .map(closeSection)
    .filter(({ title, text, headings, notes }, at) => at > 0 || title !== '' || text + headings + notes > 0)
  const sum = (kind: Kind): number => sections.reduce((total, section) => total + section[kind], 0)
  return { total: { text: sum('text'), headings: sum('headings'), notes: sum('notes') }, sections }
}

function openSection(level: number): OpenSection {
  return { level, parts: { text: [], headings: [], notes: [] } }
}

function closeSection({ level, parts }: OpenSection): SectionWords {
  const title = parts.headings.join('').replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  const count = (kind: Kind): number => parts[kind].join('').match(WORD)?.length ?? 0
  return { title, level, text: count('text'), headings: count('headings'), notes: count('notes') }
}

/** Adds the words of a text to the sections. */
function readText(text: string, walk: Walk, depth: number): void {
  const groups: Kind[] = []
  const absent = new Set<string>()
  let kind: Kind = 'text'
  let nextKind: Kind | null = null
  const write = (part: string): void => void walk.sections.at(-1)?.parts[kind].push(part)
  /** The position after a closing text; null if there is none, which is remembered. */
  const findAfter = (closing: string, from: number): number | null => {
    const at = absent.has(closing) ? -1 : text.indexOf(closing, from)
    if (at === -1) absent.add(closing)
    return at === -1 ? null : at + closing.length
  }
  const pattern = new RegExp(TOKEN)
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [token] = found
    const after = pattern.lastIndex
    if (token === '{') {
      groups.push(kind)
      if (nextKind !== null) kind = nextKind
      nextKind = null
    } else if (token === '}') {
      const outer = groups.pop() ?? 'text'
      if (outer !== kind) write(' ')
      kind = outer
    } else if (token === '$') pattern.lastIndex = endOfFormula(text, after)
    else if (token === '~' || token.startsWith('--')) write(' ')
    else if (token === '\\[' || token === '\\(')
      pattern.lastIndex = findAfter(token === '\\[' ? '\\]' : '\\)', after) ?? after
    else if (!token.startsWith('\\')) write(token)
    else pattern.lastIndex = readCommand(token.slice(1).replace(/\*$/, ''), after)
  }

  /** Reads a command and its arguments that are not prose; returns the position after them. */
  function readCommand(name: string, after: number): number {
    if (/^[^a-zA-Z@]/.test(name)) {
      // An accent, a hyphenation point, or a character such as \& and \\.
      if (!/^["'`^~=.-]$/.test(name)) write(' ')
      return after
    }
    if (name === 'begin' || name === 'end') return readEnvironment(name, after)
    const level = LEVELS.indexOf(name)
    if (level !== -1 && walk.sections.length < MAX_SECTIONS) walk.sections.push(openSection(level))
    if (level !== -1) nextKind = 'headings'
    else if (NOTES.has(name)) nextKind = 'notes'
    else if (INPUTS.has(name)) readInput(text, after)
    const letter = LETTERS[name]
    if (letter !== undefined) write(letter)
    else if (!ACCENTS.has(name)) write(' ')
    if (letter !== undefined || ACCENTS.has(name)) return skipBlanks(text, after)
    return skipArguments(text, after, SKIPPED.get(name) ?? 0)
  }

  function readEnvironment(edge: 'begin' | 'end', after: number): number {
    write(' ')
    const name = /^\s{0,9}\{([^{}\n]{1,60})\}/.exec(text.slice(after, after + 80))
    if (name === null) return after
    const inner = after + name[0].length
    if (edge === 'end') return inner
    if (SKIPPED_ENVIRONMENT.test(name[1] ?? '')) return findAfter(`\\end{${name[1]}}`, inner) ?? inner
    return skipArguments(text, inner, WITH_ARGUMENT.test(name[1] ?? '') ? 1 : 0)
  }

  function readInput(source: string, after: number): void {
    const target = /^\s{0,9}\{([^{}\n]{1,400})\}/.exec(source.slice(after, after + 420))?.[1]?.trim()
    if (target === undefined || depth === MAX_DEPTH) return
    const named = posix.join(walk.folder, target)
    const path = walk.texts.has(named) ? named : `${named}.tex`
    const input = walk.texts.get(path)
    if (input === undefined || walk.seen.has(path)) return
    walk.seen.add(path)
    readText(maskTexSource(input), walk, depth + 1)
  }
}

/** The end of a formula that began with `$` or `$$`; one that does not end in its paragraph is a stray sign. */
function endOfFormula(text: string, after: number): number {
  const isDisplayed = text[after] === '$'
  for (let at = isDisplayed ? after + 1 : after; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '$') return isDisplayed && text[at + 1] === '$' ? at + 2 : at + 1
    else if (text[at] === '\n' && /^\n[ \t]{0,99}\n/.test(text.slice(at, at + 101))) break
  }
  return after
}

/** The position after options in brackets and a number of groups. */
function skipArguments(text: string, from: number, groupCount: number): number {
  let at = skipOptions(text, from)
  for (let skipped = 0; skipped < groupCount; skipped += 1) {
    const begin = skipBlanks(text, at)
    const end = text[begin] === '{' ? findClosing(text, begin) : null
    if (end === null) return at
    at = skipOptions(text, end)
  }
  return at
}

function skipOptions(text: string, from: number): number {
  let at = from
  for (let options = 0; options < 3; options += 1) {
    const end = text[at] === '[' ? text.slice(at, at + MAX_ARGUMENT).indexOf(']') : -1
    if (end === -1) return at
    at += end + 1
  }
  return at
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at += 1
  return at
}

/** The position after a group; null if it is too long. */
function findClosing(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + MAX_ARGUMENT); at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}' && (depth -= 1) === 0) return at + 1
  }
  return null
}
