/**
 * Chooses and rewrites the files of a package. Runs in a worker thread: sources are untrusted, and packing takes time.
 */
import { posix } from 'node:path'

import type { ProjectEngine } from '@texproof/platex'
import { zipSync, type Zippable } from 'fflate'

import { anonymizeSource, listAuthors } from './anonymize-source.ts'
import { checkSource } from './check-sources.ts'
import { flattenSources, isSafeName } from './flatten-sources.ts'
import { listPictures, type PlacedPicture } from './list-pictures.ts'
import { includeConverted } from './include-converted.ts'
import { placeBesideRoot } from './place-beside-root.ts'
import { changesComments, findVerbatimEnvironments } from './split-source.ts'
import { stripComments } from './strip-comments.ts'
import { findNoteCommands, stripNotes } from './strip-notes.ts'
import type { Finding, PackOptions, PackTarget } from './types.ts'

/** Results of a compile that the package needs. */
export interface BuildPackageInput {
  /** Files of the project that the compile read. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Files that passes and tools wrote. */
  readonly written: ReadonlyMap<string, Uint8Array>
  /** PDFs that the build made of SVG pictures, by the path of the picture. */
  readonly drawn: ReadonlyMap<string, Uint8Array>
  readonly rootFile: string
  /** Folders of a latexmkrc in which TeX looks for files, relative to the folder of the root file; `//` = with subfolders. */
  readonly searchPaths: readonly string[]
  readonly engine: ProjectEngine
  readonly target: PackTarget
  readonly options: PackOptions
}

/** The files of a package. */
export interface BuiltPackage {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly rootFile: string
  readonly zip: Uint8Array
  readonly findings: readonly Finding[]
  /** Names that an anonymous document must not contain. */
  readonly authors: readonly string[]
  readonly pictures: readonly PlacedPicture[]
}

/** Results of tools that targets do not run: bibliographies, indexes, glossaries. */
const TOOL_RESULTS = /\.(?:bbl|ind|gls|acr|nls|sls|[a-z]{2,4}-glstex|gls-abr|[\w-]{1,100}-gls)$/
const PICTURE_RESULTS = /-eps-converted-to\.pdf$/
const LATEX_SOURCE = /\.(?:tex|ltx|latex)$/i
/** Zip files cannot store earlier times, and the time of an export tells nothing. */
const ENTRY_TIME = new Date(1980, 0, 1)

/** Builds the files and the archive of a package. */
export function buildPackage(input: BuildPackageInput): BuiltPackage {
  const { originals, ...placed } = placeBesideRoot(input)
  const built = buildPlaced({ ...input, ...placed })
  const original = (path: string): string => originals.get(path) ?? path
  return {
    ...built,
    findings: built.findings.map((finding) => ({
      ...finding,
      file: finding.file === null ? null : original(finding.file),
    })),
    pictures: built.pictures.map(({ path, file, line }) => ({ path: original(path), file: original(file), line })),
  }
}

function buildPlaced(input: BuildPackageInput): BuiltPackage {
  const { target, options, engine } = input
  const moved = moveToTop(input)
  const texts = new Map(
    [...moved.files].filter(([path]) => LATEX_SOURCE.test(path)).map(([path, bytes]) => [path, decode(bytes)]),
  )
  const environments = findVerbatimEnvironments(texts.values())
  const files = new Map<string, Uint8Array>(moved.files)
  const authors = options.isAnonymous ? listAuthors([...texts.values()].join('\n')) : []
  const known = { verbatimEnvironments: environments, commands: findNoteCommands(texts.values()) }
  const sources = new Map([...texts].map(([path, text]) => [path, rewrite(text, options, known)] as const))
  for (const [path, text] of sources) if (text !== texts.get(path)) files.set(path, encode(text, moved.files.get(path)))
  const { files: unconverted, renamed } = options.isFlat
    ? flatten(files, { ...moved, sources, environments })
    : { files, renamed: new Map<string, string>() }
  const drawn = new Map(
    [...input.drawn].map(([path, pdf]) => {
      const at = posix.relative(moved.folder, path)
      return [renamed.get(at) ?? at, pdf] as const
    }),
  )
  const flat = includeConverted({ files: unconverted, drawn, verbatimEnvironments: environments })
  if (target === 'arxiv') flat.set('00README.json', Buffer.from(readmeOf(moved.rootFile, engine)))
  const packed = new Map([...flat].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    files: packed,
    rootFile: moved.rootFile,
    zip: zipOf(packed),
    authors,
    pictures: listPictures({ texts, paths: moved.files.keys(), folder: moved.folder, environments }),
    findings: [
      ...[...texts].flatMap(([path, text]) => checkSource(posix.join(moved.folder, path), text, environments)),
      ...[...texts]
        .filter(([, text]) => options.withoutComments && changesComments(text))
        .map(([path]) =>
          notice(posix.join(moved.folder, path), 'Comments are kept: the file changes the meaning of %'),
        ),
      ...checkConverters(packed.keys(), moved.folder),
      ...checkNames(packed.keys(), moved.folder, target),
    ],
  }
}

interface Moved {
  readonly rootFile: string
  /** The folder of the root file, which becomes the top folder; empty if it is that already. */
  readonly folder: string
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** TeX runs in the folder of the root file, so that becomes the top folder, unless files outside of it are read. */
function moveToTop({ files, written, rootFile, target }: BuildPackageInput): Moved {
  const chosen = new Map(files)
  const glossaries = listGlossaries(written)
  const stem = rootFile.replace(/\.[^.]*$/, '')
  const hasLabels = (path: string): boolean => path !== `${stem}.aux` && isOfOtherDocument(path, files)
  for (const [path, bytes] of written)
    if (TOOL_RESULTS.test(path) || PICTURE_RESULTS.test(path) || glossaries.has(path) || hasLabels(path))
      chosen.set(path, bytes)
  const hasBibliography = [...chosen.keys()].some((path) => path.endsWith('.bbl'))
  for (const path of chosen.keys()) {
    // arXiv uses the bibliography of the package; databases and styles would only be read again.
    const isDatabase = target === 'arxiv' && hasBibliography && /\.(?:bib|bst)$/.test(path)
    if (isDatabase || path === `${stem}.pdf`) chosen.delete(path)
  }
  const folder = posix.dirname(rootFile)
  if (folder === '.' || ![...chosen.keys()].every((path) => path.startsWith(`${folder}/`)))
    return { rootFile, folder: '', files: chosen }
  return {
    rootFile: posix.basename(rootFile),
    folder,
    files: new Map([...chosen].map(([path, bytes]) => [path.slice(folder.length + 1), bytes])),
  }
}

/**
 * Sorted glossaries, whose endings `\newglossary` can choose: `\@newglossary{notation}{nlg}{not}{ntn}` in `main.aux` stands for
 * `main.not`.
 */
function listGlossaries(written: ReadonlyMap<string, Uint8Array>): ReadonlySet<string> {
  const line = /^\\@newglossary\{[^{}\n]{0,200}\}\{[\w-]{1,100}\}\{([\w-]{1,100})\}/gm
  const found = [...written]
    .filter(([path]) => path.endsWith('.aux'))
    .flatMap(([path, bytes]) => {
      const endings = Buffer.from(bytes).toString('latin1').matchAll(line)
      return [...endings].map(([, ending]) => `${path.slice(0, -'aux'.length)}${ending ?? ''}`)
    })
  return new Set(found)
}

/** Whether it has the labels of another document, which are imported: targets compile only the root file. */
function isOfOtherDocument(path: string, files: BuildPackageInput['files']): boolean {
  const source = path.endsWith('.aux') ? files.get(path.replace(/aux$/, 'tex')) : undefined
  return source !== undefined && Buffer.from(source).includes('\\documentclass')
}

/** Names that the sources define. */
interface DefinedNames {
  readonly verbatimEnvironments: ReadonlySet<string>
  /** Commands of to-do notes. */
  readonly commands: ReadonlySet<string>
}

function rewrite(text: string, options: PackOptions, names: DefinedNames): string {
  const environments = names.verbatimEnvironments
  const bare = options.withoutComments || options.isAnonymous ? stripComments(text, environments) : text
  const plain = options.withoutNotes ? stripNotes(bare, names) : bare
  return options.isAnonymous ? anonymizeSource(plain, environments) : plain
}

function flatten(
  files: ReadonlyMap<string, Uint8Array>,
  { rootFile, sources, environments }: Moved & SourcesOf,
): { readonly files: ReadonlyMap<string, Uint8Array>; readonly renamed: ReadonlyMap<string, string> } {
  const paths = [...files.keys()]
  const { rootText, inlined, renamed } = flattenSources({
    rootFile,
    sources,
    paths,
    verbatimEnvironments: environments,
  })
  const flat = new Map<string, Uint8Array>()
  for (const [path, bytes] of files) if (!inlined.has(path)) flat.set(renamed.get(path) ?? path, bytes)
  flat.set(rootFile, encode(rootText, files.get(rootFile)))
  return { files: flat, renamed }
}

interface SourcesOf {
  readonly sources: ReadonlyMap<string, string>
  readonly environments: ReadonlySet<string>
}

/** Sources in legacy encodings keep every byte. */
function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}

function encode(text: string, like: Uint8Array | undefined): Uint8Array {
  return Buffer.from(text, like === undefined || isUtf8(like) ? 'utf8' : 'latin1')
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false // A legacy encoding.
  }
}

/** The instructions that arXiv reads instead of guessing. Source: https://info.arxiv.org/help/00README.html */
function readmeOf(rootFile: string, engine: ProjectEngine): string {
  const compiler = engine === 'tectonic' ? 'xelatex' : engine
  const readme = { process: { compiler }, sources: [{ filename: rootFile, usage: 'toplevel' }] }
  return `${JSON.stringify(readme, null, 2)}\n`
}

function checkConverters(paths: Iterable<string>, folder: string): readonly Finding[] {
  return [...paths]
    .filter((path) => path.endsWith('.svg'))
    .map((path) => ({
      level: 'error',
      message: `${path} needs a converter, which arXiv and journals do not run`,
      file: posix.join(folder, path),
      line: null,
      remedy: 'Convert the image to PDF, and include it with \\includegraphics.',
    }))
}

function checkNames(paths: Iterable<string>, folder: string, target: PackTarget): readonly Finding[] {
  return [...paths]
    .filter((path) => !isSafeName(path) && !PICTURE_RESULTS.test(path))
    .slice(0, 20)
    .map((path) => ({
      level: target === 'arxiv' ? 'error' : 'warning',
      message: `The name "${path}" has characters that other systems may reject`,
      file: posix.join(folder, path),
      line: null,
      remedy: 'Rename the file with A–Z, a–z, 0–9, "_", "-" and ".", or export one flat file.',
    }))
}

function notice(file: string, message: string): Finding {
  return { level: 'notice', message, file, line: null, remedy: null }
}

function zipOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const entries: Zippable = {}
  for (const [path, bytes] of files) entries[path] = [bytes, { mtime: ENTRY_TIME, level: 6 }]
  return zipSync(entries)
}
