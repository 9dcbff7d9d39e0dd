/** Completion: citations, labels, environments, commands and files of the project. */
import { autocompletion, snippet } from '@codemirror/autocomplete'
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Extension, Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

import { BIBTEX_FIELDS, BIBTEX_TYPES, listCommands, listEnvironments } from './latex-words.browser.ts'
import type { Project, ProjectIndex } from './project.browser.ts'
import { hasLoneEnd, listBetween, needsEnd, readStructure } from './structure.browser.ts'
import type { Mark } from './structure.browser.ts'

/** Where completion applies: the text before the cursor, and what fits there. */
interface Source {
  readonly before: RegExp
  readonly options: (index: ProjectIndex) => readonly Completion[]
  /** Text that may be typed while the list stays open. */
  readonly validFor: RegExp
}

const NAME = /^[^\s{},\\]*$/
const CITE = /\\(?:[a-zA-Z]*[cC]ite[a-zA-Z]*|Cite)\*?(?:\[[^\]\n]{0,200}\]){0,2}\{[^{}]{0,400}$/
const REF = /\\(?:ref|eqref|pageref|autoref|nameref|vref|[a-z]*[cC](?:page)?ref)\*?\{[^{}]{0,400}$/
const IMAGE = /\.(?:pdf|png|jpe?g|eps|svg)$/i

const LATEX: readonly Source[] = [
  { before: CITE, options: listCitations, validFor: NAME },
  { before: REF, options: listLabels, validFor: NAME },
  { before: /\\begin\{[^{}]{0,100}$/, options: listBegins, validFor: NAME },
  {
    before: /\\end\{[^{}]{0,100}$/,
    options: ({ packages, environments }) => toOptions([...listEnvironments(packages), ...environments], 'type'),
    validFor: NAME,
  },
  {
    before: /\\(?:input|include|includeonly|subfile)\{[^{}]{0,200}$/,
    options: (index) => listPaths(index, /\.(?:tex|ltx|tikz)$/i, /\.tex$/i),
    validFor: NAME,
  },
  {
    before: /\\includegraphics\*?(?:\[[^\]\n]{0,200}\])?\{[^{}]{0,200}$/,
    options: (index) => listPaths(index, IMAGE, null),
    validFor: NAME,
  },
  {
    before: /\\bibliography\{[^{}]{0,200}$/,
    options: (index) => listPaths(index, /\.bib$/i, /\.bib$/i),
    validFor: NAME,
  },
  { before: /\\addbibresource\{[^{}]{0,200}$/, options: (index) => listPaths(index, /\.bib$/i, null), validFor: NAME },
  { before: /\\[a-zA-Z@]{0,50}$/, options: listTemplates, validFor: /^\\?[a-zA-Z@*]*$/ },
]

const BIBTEX: readonly Source[] = [
  { before: /^[ \t]*@[a-zA-Z]{0,40}$/, options: () => BIBTEX_TYPES.map(entryOption), validFor: /^@?[a-zA-Z]*$/ },
  { before: /^[ \t]+[a-zA-Z]{1,40}$/, options: () => BIBTEX_FIELDS.map(fieldOption), validFor: /^[a-zA-Z]*$/ },
]

/** Completion in LaTeX and BibTeX files. */
export function completion(project: Project, path: string): Extension {
  const sources = path.toLowerCase().endsWith('.bib') ? BIBTEX : LATEX
  return autocompletion({ override: [(context) => complete(context, sources, project)], icons: false })
}

async function complete(
  context: CompletionContext,
  sources: readonly Source[],
  project: Project,
): Promise<CompletionResult | null> {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(Math.max(0, context.pos - line.from - 700), context.pos - line.from)
  const source = sources.find(({ before: pattern }) => pattern.test(before))
  if (source === undefined) return null
  // The backslash and the at sign belong to what is completed.
  const typed = /\\[a-zA-Z@]*$|@[a-zA-Z]*$|[^\s{},\\]*$/.exec(before)?.[0] ?? ''
  const index = await project.read()
  if (index === null || context.aborted) return null
  return { from: context.pos - typed.length, options: [...source.options(index)], validFor: source.validFor }
}

function listCitations({ citations }: ProjectIndex): readonly Completion[] {
  return citations.map(({ key, author, year, title }) => ({
    label: key,
    detail: [author, year].filter((part) => part !== '').join(', '),
    ...(title === '' ? {} : { info: title }),
  }))
}

function listLabels({ labels }: ProjectIndex): readonly Completion[] {
  return labels.map(({ name, context }) => ({ label: name, detail: context }))
}

/** The end of the environment is added unless it is there. */
function listBegins({ packages, environments }: ProjectIndex): readonly Completion[] {
  return [...new Set([...listEnvironments(packages), ...environments])].map((name) => ({
    label: name,
    apply: (view: EditorView, _: Completion, from: number, to: number) => applyEnvironment(view, { name, from, to }),
  }))
}

function applyEnvironment(view: EditorView, { name, from, to }: { name: string; from: number; to: number }): void {
  const { doc } = view.state
  const end = doc.sliceString(to, to + 1) === '}' ? to + 1 : to
  const line = doc.lineAt(from)
  const rest = doc.sliceString(end, line.to).trim()
  const indent = /^[ \t]*/.exec(line.text)?.[0] ?? ''
  const inside = `${name}}\n${indent}  `
  const begin = findBegin(doc, name, line.from, from)
  const isClosed = rest !== '' || (begin === null ? hasLoneEnd(doc, name, end) : !needsEnd(doc, begin))
  const insert = isClosed ? `${name}}` : `${inside}\n${indent}\\end{${name}}`
  view.dispatch({
    changes: { from, to: end, insert },
    selection: { anchor: from + (isClosed ? insert : inside).length },
    userEvent: 'input.complete',
  })
}

/** The `\\begin{name}` that is completed, if its name is complete; a brace is closed while the name is typed. */
function findBegin(doc: Text, name: string, lineFrom: number, nameFrom: number): Mark | null {
  const last = listBetween(readStructure(doc).marks, lineFrom, nameFrom).at(-1)
  return last?.kind === 'begin' && last.name === name && last.to > nameFrom ? last : null
}

function listTemplates({ packages, commands }: ProjectIndex): readonly Completion[] {
  const templates = listCommands(packages).map((template): Completion => {
    const label = `\\${/^[a-zA-Z]+/.exec(template)?.[0] ?? ''}`
    const isPlain = !template.includes('#{')
    return { label, apply: isPlain ? `\\${template}` : snippet(`\\${template}`) }
  })
  return [...templates, ...commands.map((name) => ({ label: `\\${name}`, boost: 1 }))]
}

/** Paths relative to the folder in which TeX runs, without an extension that TeX adds. */
function listPaths({ root, files }: ProjectIndex, wanted: RegExp, added: RegExp | null): readonly Completion[] {
  const found = files
    .filter((path) => wanted.test(path) && path.startsWith(root))
    .map((path) => path.slice(root.length))
  return toOptions(
    found.map((path) => (added === null ? path : path.replace(added, ''))),
    'text',
  )
}

function toOptions(labels: readonly string[], type: string): readonly Completion[] {
  return [...new Set(labels)].map((label) => ({ label, type }))
}

function entryOption(type: string): Completion {
  return {
    label: `@${type}`,
    apply: snippet(`@${type}{#{key},\n  author = {#{author}},\n  title = {#{title}},\n  year = {#{year}},\n}`),
  }
}

function fieldOption(name: string): Completion {
  return { label: name, apply: snippet(`${name} = {#{}},`) }
}
