/**
 * Updates the paths in LaTeX sources and settings after a file or folder has moved: `\input`, `\includegraphics`,
 * bibliographies, packages of the project and the like. Paths are relative to the folder of the document, as for TeX. Runs in a worker
 * thread; the time is linear in the size of the sources.
 */
import { posix } from 'node:path'

import { readArguments, scanCommands } from '../project-search/tex-commands.ts'
import { movedPath } from './moved-path.ts'
import type { Move } from './moved-path.ts'
import { isSettingsFile, updateSettings } from './update-settings.ts'

/** A source. Bytes, because sources in Latin-1 keep their encoding. */
export interface SourceBytes {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The sources and all paths of the tree before the move. */
export interface MovedSources {
  readonly files: readonly SourceBytes[]
  readonly paths: readonly string[]
  readonly move: Move
}

/** A changed source, at its path before the move. `count` = changed references. */
export interface UpdatedSource extends SourceBytes {
  readonly count: number
}

/** How a command names a file. */
interface Reference {
  /** Endings that TeX adds. */
  readonly extensions: readonly string[]
  /** Index of the argument in braces. */
  readonly argument: number
  readonly isList: boolean
  readonly isGraphic: boolean
}

/** A folder to which paths are relative, before and after the move; '' = the root of the repository. */
interface Base {
  readonly folder: string
  readonly newFolder: string
}

/** Facts shared by all sources. */
interface Tree {
  readonly move: Move
  readonly paths: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** Folders of the documents. */
  readonly documentBases: readonly Base[]
  /** Folders of `\graphicspath`. */
  readonly graphicBases: readonly Base[]
}

/** A source in Latin-1, which every byte survives. */
interface Source {
  readonly path: string
  readonly text: string
  readonly isDocument: boolean
}

interface Edit {
  readonly at: number
  readonly length: number
  readonly text: string
}

const TEX = ['.tex', '']
/** A source in the first argument. */
const SOURCE: Reference = { extensions: TEX, argument: 0, isList: false, isGraphic: false }
const GRAPHIC = ['', '.pdf', '.png', '.jpg', '.jpeg', '.eps', '.svg', '.tif', '.tiff', '.mps']
const REFERENCES = defineReferences([
  [TEX, 'input include subfile subfileinclude loadglsentries externaldocument verbatiminput VerbatimInput'],
  [TEX, 'InputIfFileExists includestandalone tikzinput lstinputlisting csvreader csvautotabular pgfplotstableread'],
  [TEX, 'pgfplotstabletypeset'],
  [TEX, 'includeonly', { isList: true }],
  [TEX, 'inputminted', { argument: 1 }],
  [GRAPHIC, 'includegraphics includepdf includesvg includeinkscape', { isGraphic: true }],
  [['.bib', ''], 'bibliography nobibliography addbibresource addglobalbib', { isList: true }],
  [['.bst'], 'bibliographystyle'],
  [['.sty'], 'usepackage RequirePackage', { isList: true }],
  [['.cls'], 'documentclass LoadClass'],
])
const MAX_BASES = 50
const IMPORT = /^(?:sub)?(?:import|includefrom|inputfrom)$/
const MAGIC_ROOT = /^(\s{0,99}%{1,9}\s{0,9}!TEX\s{1,9}root\s{0,9}=\s{0,9})([^\r\n]{1,1000})$/im
const MAGIC_ROOT_CHARACTERS = 4_000
/** Documents of their own, but used by others, whose folder counts. */
const PARTS = new Set(['subfiles', 'standalone'])

/** The sources whose references have changed. */
export function updateReferences({ files, paths, move }: MovedSources): readonly UpdatedSource[] {
  const settings = files.flatMap(({ path, bytes }) => {
    const updated = isSettingsFile(path) ? updateSettings(path, bytes, move) : null
    return updated === null ? [] : [{ path, ...updated }]
  })
  const sources = files
    .filter(({ path }) => !isSettingsFile(path))
    .map(({ path, bytes }): Source => {
      const text = Buffer.from(bytes).toString('latin1')
      return { path, text, isDocument: isDocument(text) }
    })
  const tree = describeTree(sources, { paths, move })
  const updated = sources.flatMap((source) => {
    const edits = findEdits(source, tree)
    if (edits.length === 0) return []
    return [{ path: source.path, bytes: Buffer.from(apply(source.text, edits), 'latin1'), count: edits.length }]
  })
  return [...updated, ...settings]
}

function defineReferences(
  rows: readonly (readonly [extensions: readonly string[], names: string, rest?: Partial<Reference>])[],
): ReadonlyMap<string, Reference> {
  return new Map(
    rows.flatMap(([extensions, names, rest = {}]) => {
      const reference = { ...SOURCE, extensions, ...rest }
      return names.split(' ').map((name) => [name, reference] as const)
    }),
  )
}

function isDocument(text: string): boolean {
  for (const token of scanCommands(text)) {
    if (token.kind !== 'command' || token.name !== 'documentclass') continue
    const [name] = [...readArguments(text, token.end)].filter(({ open }) => open === '{')
    return name !== undefined && !PARTS.has(name.content.trim())
  }
  return false
}

function describeTree(sources: readonly Source[], { paths, move }: Omit<MovedSources, 'files'>): Tree {
  const folders = new Set(paths.flatMap(foldersOf))
  const documents = sources.filter((source) => source.isDocument).map(({ path }) => folderOfFile(path, move))
  const documentBases = uniqueBases(documents)
  const tree = { move, paths: new Set(paths), folders, documentBases, graphicBases: [] }
  const graphicFolders = sources.flatMap((source) =>
    findGraphicPaths(source.text).flatMap(({ text }) => {
      const found = findFolder(text, basesOf(source, tree), tree)
      return found === null ? [] : [{ folder: found.path, newFolder: movedPath(found.path, move) }]
    }),
  )
  return { ...tree, graphicBases: uniqueBases(graphicFolders) }
}

/** Every reference is looked up in each of them. */
function uniqueBases(bases: readonly Base[]): readonly Base[] {
  return [...new Map(bases.map((base) => [`${base.folder}\n${base.newFolder}`, base])).values()].slice(0, MAX_BASES)
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

function folderOfFile(path: string, move: Move): Base {
  return { folder: folderOf(path), newFolder: folderOf(movedPath(path, move)) }
}

/** Where TeX may look for the files that a source names, most likely first. */
function basesOf({ path, isDocument: isOwn }: Source, { move, documentBases }: Omit<Tree, 'graphicBases'>) {
  const own = folderOfFile(path, move)
  const root = { folder: '', newFolder: '' }
  return isOwn ? [own, root] : [...documentBases, root, own]
}

/** All edits of a source, in order. */
function findEdits(source: Source, tree: Tree): readonly Edit[] {
  const { text } = source
  const bases = basesOf(source, tree)
  const edits: Edit[] = []
  for (const token of scanCommands(text)) {
    if (token.kind !== 'command') continue
    const { name, end } = token
    const reference = REFERENCES.get(name)
    if (reference !== undefined) edits.push(...editArgument(text, end, { reference, bases, tree }))
    if (name === 'documentclass') edits.push(...editRootFile(text, end, { source, tree }))
    if (IMPORT.test(name)) edits.push(...editImport(text, end, { bases, tree }))
  }
  const graphicPaths = findGraphicPaths(text).flatMap(({ at, text: written }) => {
    const found = findFolder(written, bases, tree)
    if (found === null) return []
    const target = relative(found.base.newFolder, movedPath(found.path, tree.move))
    if (target === relative(found.base.folder, found.path)) return []
    return editOf({ at, written, target: encode(written.endsWith('/') ? `${target}/` : target) })
  })
  return [...editMagicRoot(source, tree), ...edits, ...graphicPaths].toSorted((one, other) => one.at - other.at)
}

function editArgument(
  text: string,
  start: number,
  { reference, bases, tree }: { readonly reference: Reference; readonly bases: readonly Base[]; readonly tree: Tree },
): readonly Edit[] {
  const found = bracedArguments(text, start, reference.argument + 1)[reference.argument]
  if (found === undefined) return []
  let at = found.at
  const names = reference.isList ? found.content.split(',') : [found.content]
  return names.flatMap((name) => {
    const written = name.trim()
    const place = at + (name.length - name.trimStart().length)
    at += name.length + 1
    return editOf({ at: place, written, target: newTarget(written, { reference, bases, tree }) })
  })
}

/** `\documentclass[../main]{subfiles}` names the document that a part belongs to. */
function editRootFile(
  text: string,
  start: number,
  { source, tree }: { readonly source: Source; readonly tree: Tree },
): readonly Edit[] {
  const [options, name] = [...readArguments(text, start)]
  if (options?.open !== '[' || name?.content.trim() !== 'subfiles') return []
  const bases = [folderOfFile(source.path, tree.move)]
  const written = options.content
  return editOf({ at: options.at, written, target: newTarget(written, { reference: SOURCE, bases, tree }) })
}

/** `% !TEX root = ../main.tex`, which editors read near the top of a file. */
function editMagicRoot({ path, text }: Source, tree: Tree): readonly Edit[] {
  const found = MAGIC_ROOT.exec(text.slice(0, MAGIC_ROOT_CHARACTERS))
  if (found === null) return []
  const { 1: start = '', 2: name = '', index } = found
  const written = name.trim()
  const bases = [folderOfFile(path, tree.move)]
  const target = newTarget(written, { reference: SOURCE, bases, tree })
  return editOf({ at: index + start.length, written, target })
}

/** `\import{folder/}{file}`: both arguments make one path. */
function editImport(
  text: string,
  start: number,
  { bases, tree }: { readonly bases: readonly Base[]; readonly tree: Tree },
): readonly Edit[] {
  const [folder, file] = bracedArguments(text, start, 2)
  if (folder === undefined || file === undefined) return []
  const written = posix.join(folder.content, file.content)
  const target = newTarget(written, { reference: SOURCE, bases, tree })
  if (target === written) return []
  const newFolder = posix.dirname(target)
  return [
    ...editOf({ at: folder.at, written: folder.content, target: newFolder === '.' ? '' : `${newFolder}/` }),
    ...editOf({ at: file.at, written: file.content, target: posix.basename(target) }),
  ]
}

function bracedArguments(text: string, start: number, count: number) {
  const found = []
  for (const argument of readArguments(text, start)) {
    if (argument.open === '{') found.push(argument)
    if (argument.open === '(' || found.length === count) break
  }
  return found
}

/** The path to write instead; the same if nothing changes or nothing is found. */
function newTarget(
  written: string,
  { reference, bases, tree }: { readonly reference: Reference; readonly bases: readonly Base[]; readonly tree: Tree },
): string {
  const name = written.replaceAll('"', '')
  if (!isPlainPath(name)) return written
  const searched = reference.isGraphic ? [...bases, ...tree.graphicBases] : bases
  for (const base of searched) {
    for (const extension of reference.extensions) {
      const path = resolve(base.folder, decode(name) + extension)
      if (path === null || !tree.paths.has(path)) continue
      const newPath = movedPath(path, tree.move)
      const direct = relative(base.newFolder, newPath)
      if (direct === relative(base.folder, path)) return written
      // A folder of \graphicspath that the file has left is not part of its new path.
      const isOutside = tree.graphicBases.includes(base) && direct.startsWith('../')
      const target = isOutside ? relative(bases[0]?.newFolder ?? '', newPath) : direct
      return encode(withoutExtension(target, { extension, extensions: reference.extensions }))
    }
  }
  return written
}

/** A name without an ending keeps having none, if TeX finds the file all the same. */
function withoutExtension(
  target: string,
  { extension, extensions }: { readonly extension: string; readonly extensions: readonly string[] },
): string {
  const ending = posix.extname(target)
  return extension !== '' && extensions.includes(ending) ? target.slice(0, -ending.length) : target
}

/** The paths in `\graphicspath{{figures/}{plots/}}`. */
function findGraphicPaths(text: string): readonly { readonly at: number; readonly text: string }[] {
  const found = []
  for (const token of scanCommands(text)) {
    if (token.kind !== 'command' || token.name !== 'graphicspath') continue
    const list = text.slice(token.end, token.end + 4_000)
    const [whole = ''] = /^\s{0,99}\{(?:\s{0,99}\{[^{}]{1,500}\}){1,50}/.exec(list) ?? []
    for (const { index, 1: path = '' } of whole.slice(1).matchAll(/\{([^{}]{1,500})\}/g))
      found.push({ at: token.end + 1 + index + 1, text: path })
  }
  return found
}

function findFolder(written: string, bases: readonly Base[], { folders }: Pick<Tree, 'folders'>) {
  if (!isPlainPath(written)) return null
  for (const base of bases) {
    const path = resolve(base.folder, decode(written).replace(/\/$/, ''))
    if (path !== null && folders.has(path)) return { path, base }
  }
  return null
}

function isPlainPath(name: string): boolean {
  return name !== '' && name.length <= 1_000 && !/[\\#{}~^\n]|^\//.test(name)
}

/** The path in the repository; null = outside. */
function resolve(folder: string, name: string): string | null {
  const path = posix.join(folder, name)
  return path.startsWith('..') ? null : path
}

function relative(folder: string, path: string): string {
  return posix.relative(`/${folder}`, `/${path}`)
}

function editOf({ at, written, target }: { readonly at: number; readonly written: string; readonly target: string }) {
  return target === written ? [] : [{ at, length: written.length, text: target }]
}

function apply(text: string, edits: readonly Edit[]): string {
  let end = 0
  const parts = edits.flatMap(({ at, length, text: inserted }) => {
    const part = [text.slice(end, at), inserted]
    end = at + length
    return part
  })
  return parts.join('') + text.slice(end)
}

/** Paths are UTF-8. */
function decode(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}

function encode(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1')
}
