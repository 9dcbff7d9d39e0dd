/**
 * Edits `.texproof.toml` line by line, so that comments, unknown keys and their order are kept. Every result is parsed
 * again and compared with the wanted settings: a file written in a way that this editor does not know stays unchanged.
 */
import { isDeepStrictEqual } from 'node:util'

import { parse } from 'smol-toml'

import { parseTexproofToml } from './parse-texproof-toml.ts'

/** The settings of a document, as written in the file; `''` = absent. */
export interface DocumentSettings {
  readonly root: string
  readonly name: string
  readonly engine: string
  readonly bibliography: string
}

/** The settings of a repository, as written in the file; `''` = absent. */
export interface BuildSettings {
  readonly documents: readonly DocumentSettings[]
  readonly auto: string
  readonly timeout: string
}

/** The settings of a file. `problem` = why builds do not accept it, although its settings can be edited. */
export type ReadSettings =
  | { readonly kind: 'read'; readonly settings: BuildSettings; readonly problem: string | null }
  | { readonly kind: 'invalid'; readonly problem: string }

/** A document of the edited file. */
export interface EditedDocument extends DocumentSettings {
  /** Position of its table in the file, from 0; null = a new one. */
  readonly at: number | null
}

/** The settings to write. */
export interface SettingsEdit {
  readonly source: string
  /** Tables of the file that are not listed are removed. */
  readonly documents: readonly EditedDocument[]
  readonly auto: string
  readonly timeout: string
}

/** The edited file. `unsupported` = the file can only be edited as text. */
export type EditedSettings =
  | { readonly kind: 'edited'; readonly text: string; readonly problem: string | null }
  | { readonly kind: 'unsupported' }

const DOCUMENT_KEYS = ['root', 'name', 'engine', 'bibliography'] as const
const BUILD_KEYS = ['auto', 'timeout'] as const

type Table = Readonly<Record<string, unknown>>

/** Reads the settings of the file, even if it contains keys that builds do not accept. */
export function readBuildSettings(source: string): ReadSettings {
  const checked = parseTexproofToml(source)
  const problem = 'message' in checked ? checked.message : null
  const file = parseToml(source)
  if (file === null) return { kind: 'invalid', problem: problem ?? 'not TOML' }
  const { document = [], build = {} } = file
  if (!Array.isArray(document) || !document.every(isTable) || !isTable(build))
    return { kind: 'invalid', problem: problem ?? 'not a valid configuration' }
  const documents = document.map((table) => ({
    root: textOf(table['root']),
    name: textOf(table['name']),
    engine: textOf(table['engine']),
    bibliography: textOf(table['bibliography']),
  }))
  return {
    kind: 'read',
    settings: { documents, auto: textOf(build['auto']), timeout: textOf(build['timeout']) },
    problem,
  }
}

/** Writes settings into the file. */
export function editBuildSettings(edit: SettingsEdit): EditedSettings {
  const before = parseToml(edit.source)
  if (before === null) return { kind: 'unsupported' }
  const text = writeSections(edit)
  const after = parseToml(text)
  if (after === null || !isDeepStrictEqual(plain(after), plain(expectedFile(before, edit))))
    return { kind: 'unsupported' }
  const checked = parseTexproofToml(text)
  return { kind: 'edited', text, problem: 'message' in checked ? checked.message : null }
}

/** Part of the file: a header and its lines up to the next header. */
interface Section {
  readonly header: string | null
  lines: string[]
}

function writeSections({ source, documents, auto, timeout }: SettingsEdit): string {
  const sections = splitSections(source)
  const tables = sections.filter(({ header }) => header === 'document')
  for (const [at, table] of tables.entries()) {
    const edited = documents.find((document) => document.at === at)
    if (edited === undefined) table.lines = withoutTable(table.lines)
    else for (const key of DOCUMENT_KEYS) setKey(table, key, edited[key])
  }
  const added = documents.filter(({ at }) => at === null).map(newTable)
  const last = tables.at(-1)
  if (last === undefined) for (const lines of added) appendSection(sections, 'document', lines)
  else last.lines = withTables(last.lines, added)
  const build = sections.find(({ header }) => header === 'build')
  const values = { auto, timeout }
  if (build !== undefined) for (const key of BUILD_KEYS) setKey(build, key, values[key])
  else if (auto !== '' || timeout !== '')
    appendSection(sections, 'build', [
      '[build]',
      ...BUILD_KEYS.filter((key) => values[key] !== '').map((key) => `${key} = ${quote(values[key])}`),
    ])
  const text = sections.flatMap(({ lines }) => lines).join('\n')
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function splitSections(source: string): Section[] {
  const sections: Section[] = [{ header: null, lines: [] }]
  for (const line of source === '' ? [] : source.split('\n')) {
    const header = /^\s*\[\[\s*(document)\s*\]\]/.exec(line)?.[1] ?? /^\s*\[\s*(build)\s*\]/.exec(line)?.[1]
    if (header !== undefined || /^\s*\[/.test(line)) sections.push({ header: header ?? 'other', lines: [] })
    sections.at(-1)?.lines.push(line)
  }
  return sections
}

function newTable(document: EditedDocument): string[] {
  const keys = DOCUMENT_KEYS.filter((key) => document[key] !== '')
  return ['[[document]]', ...keys.map((key) => `${key} = ${quote(document[key])}`)]
}

/** The comments before the next section belong to it and stay. */
function withoutTable(lines: readonly string[]): string[] {
  return lines.slice(contentEnd(lines)).slice(1)
}

/** New tables follow the last line that sets a key. */
function withTables(lines: readonly string[], added: readonly (readonly string[])[]): string[] {
  const end = contentEnd(lines)
  return [...lines.slice(0, end), ...added.flatMap((table) => ['', ...table]), ...lines.slice(end)]
}

function appendSection(sections: Section[], header: string, lines: readonly string[]): void {
  const last = sections.at(-1)
  while (last?.lines.at(-1) === '') last.lines.pop()
  const isFirst = sections.every((section) => section.lines.length === 0)
  sections.push({ header, lines: [...(isFirst ? [] : ['']), ...lines, ''] })
}

/** Index after the last line that is neither blank nor a comment. */
function contentEnd(lines: readonly string[]): number {
  return lines.findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line)) + 1
}

/** Sets or, with `''`, removes a key. An unchanged value keeps its spelling, and every line its comment. */
function setKey(section: Section, key: string, value: string): void {
  const pattern = new RegExp(
    String.raw`^(\s*(?:${key}|"${key}"|'${key}')\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^#]*?)(\s*(?:#.*)?)$`,
  )
  const at = section.lines.findIndex((line) => pattern.test(line))
  if (at === -1) {
    if (value !== '') section.lines.splice(contentEnd(section.lines), 0, `${key} = ${quote(value)}`)
    return
  }
  const [, start = '', written = '', end = ''] = pattern.exec(section.lines[at] ?? '') ?? []
  if (value === '') section.lines.splice(at, 1)
  else if (parseToml(`value = ${written}`)?.['value'] !== value) section.lines[at] = `${start}${quote(value)}${end}`
}

/** A TOML basic string. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007f')
}

/** Expected content of the edited file. */
function expectedFile(before: Table, { documents, auto, timeout }: SettingsEdit): Table {
  const tables: readonly unknown[] = Array.isArray(before['document']) ? before['document'] : []
  const kept = tables.flatMap((table, at) => {
    const edited = documents.find((document) => document.at === at)
    return edited === undefined ? [] : [setKeys(isTable(table) ? table : {}, DOCUMENT_KEYS, edited)]
  })
  const added = documents.filter(({ at }) => at === null).map((document) => setKeys({}, DOCUMENT_KEYS, document))
  const build = setKeys(isTable(before['build']) ? before['build'] : {}, BUILD_KEYS, { auto, timeout })
  const { document: _, build: hadBuild, ...others } = before
  return {
    ...others,
    ...(kept.length + added.length === 0 ? {} : { document: [...kept, ...added] }),
    ...(hadBuild === undefined && Object.keys(build).length === 0 ? {} : { build }),
  }
}

function setKeys<Key extends string>(table: Table, keys: readonly Key[], values: Readonly<Record<Key, string>>): Table {
  const others = Object.entries(table).filter(([key]) => !(keys as readonly string[]).includes(key))
  const set = keys.filter((key) => values[key] !== '').map((key) => [key, values[key]] as const)
  return Object.fromEntries([...others, ...set])
}

/** Tables of the parser have no prototype, and dates their own class. */
function plain(table: Table): unknown {
  return JSON.parse(JSON.stringify(table, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
}

function parseToml(source: string): Table | null {
  try {
    return parse(source)
  } catch {
    // Not TOML: the caller reports the problem that the parser of builds finds.
    return null
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
