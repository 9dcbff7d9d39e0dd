/**
 * Index of one source for the editor: labels, sections, citations, inputs, definitions. Every pattern is
 * bounded, so the time is linear in the size of the file.
 */
import { usePdfStrings } from '../../domain/text/pdf-strings.ts'
import { maskTexSource } from '../../papers/detect/mask-tex-source.ts'

/** A label, with the caption or section that it belongs to. */
export interface Label {
  readonly name: string
  readonly context: string
  /** 1-based. */
  readonly line: number
}

export interface Section {
  /** 0 = part, 1 = chapter, 2 = section … */
  readonly level: number
  readonly title: string
  readonly line: number
}

/** A bibliography entry, or a `\bibitem`. */
export interface Citation {
  readonly key: string
  readonly author: string
  readonly year: string
  readonly title: string
  readonly line: number
}

export interface InputCommand {
  /** Target as written. */
  readonly target: string
  readonly line: number
}

export interface FileIndex {
  readonly path: string
  readonly isRoot: boolean
  readonly labels: readonly Label[]
  readonly sections: readonly Section[]
  readonly citations: readonly Citation[]
  readonly inputs: readonly InputCommand[]
  /** Commands that the file defines, without backslash. */
  readonly commands: readonly string[]
  /** Environments that the file defines. */
  readonly environments: readonly string[]
  /** Packages that the file loads. */
  readonly packages: readonly string[]
  /** The commands that choose the languages of a document. */
  readonly languages: string
}

export interface SourceText {
  readonly path: string
  readonly text: string
}

const MAX_ITEMS = 5_000
const MAX_TEXT = 160
const MAX_ENTRY = 20_000
const LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']
const TOKEN = new RegExp(
  [
    String.raw`\\(?<section>part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?[ \t]{0,9}(?:\[[^\]\n]{0,400}\][ \t]{0,9})?(?=\{)`,
    String.raw`\\(?<caption>caption)\*?[ \t]{0,9}(?:\[[^\]\n]{0,400}\][ \t]{0,9})?(?=\{)`,
    String.raw`\\label[ \t]{0,9}\{(?<label>[^{}\n]{1,200})\}`,
    String.raw`\\(?<edge>begin|end)[ \t]{0,9}\{[^{}\n]{0,100}\}`,
    String.raw`\\(?:input|include|subfile)[ \t]{0,9}\{(?<input>[^{}\n]{1,400})\}`,
    String.raw`\\(?:newcommand|renewcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|(?:New|Renew|Provide|Declare)DocumentCommand)\*?[ \t]{0,9}\{?[ \t]{0,9}\\(?<command>[a-zA-Z@]{1,100})`,
    String.raw`\\(?:def|let)[ \t]{0,9}\\(?<definition>[a-zA-Z@]{1,100})`,
    String.raw`\\(?:newenvironment|newtheorem|NewDocumentEnvironment)\*?[ \t]{0,9}\{(?<environment>[^{}\n]{1,100})\}`,
    String.raw`\\(?:usepackage|RequirePackage)[ \t]{0,9}(?:\[[^\]]{0,2000}\])?\s{0,9}\{(?<packages>[^{}]{0,1000})\}`,
    String.raw`\\bibitem[ \t]{0,9}(?:\[[^\]\n]{0,400}\])?[ \t]{0,9}\{(?<bibitem>[^{}\n]{1,200})\}`,
  ].join('|'),
  'g',
)
const LANGUAGES =
  /\\(?:documentclass\s{0,9}\[[^\]]{0,1000}\]|usepackage\s{0,9}\[[^\]]{0,1000}\]\s{0,9}\{babel\}|set(?:main|default)language\s{0,9}(?:\[[^\]]{0,200}\])?\s{0,9}\{[a-zA-Z]{1,30}\})/g
const ENTRY = /^[ \t]{0,99}@([a-zA-Z]{1,40})[ \t]{0,9}[{(][ \t]{0,9}([^\s,{}()]{1,200})[ \t]{0,9},/gm

/**
 * Scans sources. Runs in a worker thread.
 *
 * The limits hold for all files together, because the thread that serves requests combines the results.
 */
export function scanSourceFiles(files: readonly SourceText[]): readonly FileIndex[] {
  const counts = new Map<keyof FileIndex, number>()
  const within = <Item>(kind: keyof FileIndex, items: readonly Item[]): readonly Item[] => {
    const count = counts.get(kind) ?? 0
    const kept = items.slice(0, MAX_ITEMS - count)
    counts.set(kind, count + kept.length)
    return kept
  }
  return files.map((file) => {
    const index = scanSourceFile(file)
    return {
      ...index,
      labels: within('labels', index.labels),
      sections: within('sections', index.sections),
      citations: within('citations', index.citations),
      inputs: within('inputs', index.inputs),
      commands: within('commands', index.commands),
      environments: within('environments', index.environments),
      packages: within('packages', index.packages),
    }
  })
}

function scanSourceFile({ path, text }: SourceText): FileIndex {
  return path.toLowerCase().endsWith('.bib')
    ? { path, ...NO_SOURCE, citations: scanBibliography(text) }
    : scanSource(path, text)
}

function scanSource(path: string, source: string): FileIndex {
  const text = maskTexSource(source)
  const labels: Label[] = []
  const sections: Section[] = []
  const citations: Citation[] = []
  const inputs: InputCommand[] = []
  const defined = { commands: new Set<string>(), environments: new Set<string>(), packages: new Set<string>() }
  const lineAt = countLines(text)
  let caption = ''
  for (const { index, 0: token, groups = {} } of text.matchAll(TOKEN)) {
    const line = lineAt(index)
    const { section, label, input, command = groups['definition'], environment, packages, bibitem } = groups
    if (section !== undefined) {
      caption = ''
      add(sections, { level: LEVELS.indexOf(section), title: readGroup(text, index + token.length), line })
    } else if (groups['caption'] !== undefined) caption = readGroup(text, index + token.length)
    else if (label !== undefined) add(labels, { name: label, context: caption || (sections.at(-1)?.title ?? ''), line })
    else if (groups['edge'] !== undefined) caption = ''
    else if (input !== undefined) add(inputs, { target: input.trim(), line })
    else if (command !== undefined && defined.commands.size < MAX_ITEMS) defined.commands.add(command)
    else if (environment !== undefined && defined.environments.size < MAX_ITEMS) defined.environments.add(environment)
    else if (packages !== undefined) for (const name of packages.split(',', 100)) defined.packages.add(name.trim())
    else if (bibitem !== undefined) add(citations, { key: bibitem, author: '', year: '', title: '', line })
  }
  return {
    path,
    isRoot: /\\documentclass\b/.test(text) && /\\begin\s{0,9}\{document\}/.test(text),
    labels,
    sections,
    citations,
    inputs,
    commands: [...defined.commands],
    environments: [...defined.environments],
    packages: [...defined.packages].slice(0, MAX_ITEMS),
    languages: (text.match(LANGUAGES) ?? []).slice(0, 10).join('\n'),
  }
}

/** The parts of a source file that a bibliography never has. */
const NO_SOURCE = {
  isRoot: false,
  labels: [],
  sections: [],
  inputs: [],
  commands: [],
  environments: [],
  packages: [],
  languages: '',
} as const

/** The entries of a bibliography. */
export function scanBibliography(source: string): readonly Citation[] {
  const text = source.replaceAll('\r\n', '\n')
  const lineAt = countLines(text)
  const found = [...text.matchAll(ENTRY)].filter(([, type = '']) => !/^(?:comment|string|preamble)$/i.test(type))
  return found.slice(0, MAX_ITEMS).map(({ index, 2: key = '' }, at): Citation => {
    const entry = text.slice(index, Math.min(found[at + 1]?.index ?? text.length, index + MAX_ENTRY))
    const authors = readField(entry, 'author') || readField(entry, 'editor')
    return {
      key,
      author: shortAuthors(authors),
      year: readField(entry, 'year') || readField(entry, 'date').slice(0, 4),
      title: readField(entry, 'title'),
      line: lineAt(index),
    }
  })
}

/** The line of a position; positions must not decrease. */
export function countLines(text: string): (index: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (index) => {
    for (; next !== -1 && next < index; next = text.indexOf('\n', next + 1)) line += 1
    return line
  }
}

function add<Item>(items: Item[], item: Item): void {
  if (items.length < MAX_ITEMS) items.push(item)
}

/** The plain text of the group that begins at a position. */
function readGroup(text: string, at: number): string {
  let depth = 0
  const end = Math.min(text.length, at + 4 * MAX_TEXT)
  for (let index = at; index < end; index += 1) {
    const character = text[index]
    if (character === '\\') index += 1
    else if (character === '{') depth += 1
    else if (character === '}' && (depth -= 1) === 0) return plainText(text.slice(at + 1, index))
  }
  return plainText(text.slice(at + 1, end))
}

/** The value of a field: a group, a quoted text, or a word. */
function readField(entry: string, name: string): string {
  const found = new RegExp(`[\\s,{(]${name}\\s{0,9}=\\s{0,9}`, 'i').exec(entry)
  if (found === null) return ''
  const at = found.index + found[0].length
  if (entry[at] === '{') return readGroup(entry, at)
  if (entry[at] === '"') return plainText(/^"([^"]{0,640})/.exec(entry.slice(at, at + 700))?.[1] ?? '')
  return /^[^\s,{}"]{0,100}/.exec(entry.slice(at, at + 100))?.[0] ?? ''
}

function plainText(text: string): string {
  return usePdfStrings(text)
    .replaceAll(/\\(?:label|index)\{[^{}]{0,200}\}/g, '')
    .replaceAll(/\\(?:[a-zA-Z]{1,50}\*?\s?|[^])|[{}]/g, '')
    .replaceAll(/~|\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT)
}

/** `Smith, Anna and Jones, Ben` → `Smith and Jones`. */
function shortAuthors(authors: string): string {
  const names = authors.split(' and ').map((name) => (name.includes(',') ? (name.split(',')[0] ?? '') : name).trim())
  if (names.length > 3) return `${names[0]} et al.`
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
