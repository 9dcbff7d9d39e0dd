/**
 * Replaces `\input` and `\include` by the text of the files, and gives the pictures and listings that the text names
 * safe names in one folder. What cannot be resolved without running TeX, such as names that macros build, stays.
 */
import { posix } from 'node:path'

import { mapCode } from './split-source.ts'
import { normalizeText } from '../../domain/text/normalize-text.ts'

/** Sources in, sources and new names out. */
export interface FlatSources {
  readonly rootText: string
  /** Sources whose text is now part of the root. */
  readonly inlined: ReadonlySet<string>
  /** Old → new path. */
  readonly renamed: ReadonlyMap<string, string>
}

/** The sources of a package. */
export interface SourceTree {
  readonly rootFile: string
  /** Path → text of every LaTeX source. */
  readonly sources: ReadonlyMap<string, string>
  /** Every path of the package. */
  readonly paths: readonly string[]
  readonly verbatimEnvironments: ReadonlySet<string>
}

const INCLUSION = /(?<!\\)\\(input|include)\s{0,9}\{([^{}\\#]{1,400})\}/g
/** A command with a file: what precedes its argument, then the argument. */
export const PICTURE =
  /(?<!\\)(\\(?:includegraphics|includepdf|includesvg|lstinputlisting|verbatiminput|VerbatimInput|inputminted)\*?\s{0,9}(?:\[[^\]]{0,2000}\]\s{0,9})?(?:\{[A-Za-z]{1,20}\}(?=\{))?)\{([^{}\\#]{1,400})\}/g
const PICTURE_FOLDERS = /\\graphicspath\s{0,9}\{((?:\s{0,9}\{[^{}]{0,400}\}){1,50})\s{0,9}\}/g
const PICTURE_SUFFIXES = ['', '.pdf', '.png', '.jpg', '.jpeg', '.eps', '.svg', '.mps', '.PDF', '.PNG', '.JPG', '.EPS']
const MAX_DEPTH = 20
const MAX_LENGTH = 20_000_000

/** Flattens the sources of a document. */
export function flattenSources(tree: SourceTree): FlatSources {
  const { rootFile, sources } = tree
  const inlined = new Set<string>()
  const keepsIncludes = [...sources.values()].some((text) => /\\includeonly\b/.test(text))
  const bibliographies = new Set(tree.paths.filter((path) => path.endsWith('.bbl')))
  let length = 0

  function inline(path: string, depth: number): string {
    const text = sources.get(path) ?? ''
    length += text.length
    return mapCode(text, tree.verbatimEnvironments, (code) =>
      code.replaceAll(INCLUSION, (command, name: string, argument: string) => {
        const included = resolveSource(argument, sources)
        if (included === null || depth >= MAX_DEPTH || length > MAX_LENGTH) return command
        // Such a file has its own `.aux`, and with it its own bibliography.
        const hasBibliography = bibliographies.has(included.replace(/\.[^.]*$/, '.bbl'))
        if (name === 'include' && (keepsIncludes || hasBibliography)) return command
        const content = sources.get(included) ?? ''
        // The rest of such a file is not read.
        if (/\\endinput\b|\\end\{document\}/.test(content)) return command
        inlined.add(included)
        const flat = inline(included, depth + 1).replace(/\r?\n$/, '')
        // The file ends with a line break, and another space or line break follows the command: without the empty
        // group, they would be one space, or the end of a paragraph.
        return name === 'include' ? `\\clearpage\n${flat}\n\\clearpage` : `${flat}\n{}`
      }),
    )
  }

  const flat = inline(rootFile, 0)
  const renamed = chooseNames(flat, { ...tree, inlined })
  return { rootText: renameReferences(flat, { ...tree, renamed }), inlined, renamed }
}

/** TeX looks for the name with `.tex` first. */
function resolveSource(argument: string, sources: ReadonlyMap<string, string>): string | null {
  const path = posix.normalize(argument.trim())
  return [`${path}.tex`, path].find((candidate) => sources.has(candidate)) ?? null
}

/** The path that a name in a command stands for; null if there is no such file. */
export function resolvePicture(
  argument: string,
  { paths, folders }: { readonly paths: ReadonlySet<string>; readonly folders: readonly string[] },
): { readonly path: string; readonly suffix: string } | null {
  const name = argument.trim().replaceAll('"', '')
  for (const folder of ['', ...folders])
    for (const suffix of PICTURE_SUFFIXES) {
      const path = posix.normalize(folder + name + suffix)
      if (paths.has(path)) return { path, suffix }
    }
  return null
}

/** The folders of `\\graphicspath`. */
export function findPictureFolders(text: string): readonly string[] {
  return [...text.matchAll(PICTURE_FOLDERS)].flatMap(([, list = '']) =>
    [...list.matchAll(/\{([^{}]{0,400})\}/g)].map(([, folder = '']) => folder.trim()),
  )
}

function chooseNames(
  flat: string,
  { paths, inlined, rootFile, verbatimEnvironments }: SourceTree & { readonly inlined: ReadonlySet<string> },
): ReadonlyMap<string, string> {
  const known = { paths: new Set(paths), folders: findPictureFolders(flat) }
  const named = new Set<string>()
  mapCode(flat, verbatimEnvironments, (code) => {
    for (const [, , argument = ''] of code.matchAll(PICTURE)) {
      const found = resolvePicture(argument, known)
      if (found !== null) named.add(found.path)
    }
    return code
  })
  const taken = new Set(paths.filter((path) => !inlined.has(path) && (!named.has(path) || isFlatName(path))))
  taken.add(rootFile)
  const renamed = new Map<string, string>()
  for (const path of named) {
    if (isFlatName(path)) continue
    const short = safeName(posix.basename(path))
    const name = [short, safeName(path.replaceAll('/', '-'))].find((each) => !taken.has(each))
    if (name === undefined) continue
    taken.add(name)
    renamed.set(path, name)
    const converted = convertedName(path)
    if (converted !== null && known.paths.has(converted)) renamed.set(converted, convertedName(name) ?? name)
  }
  return renamed
}

function renameReferences(
  flat: string,
  { paths, renamed, verbatimEnvironments }: SourceTree & { readonly renamed: ReadonlyMap<string, string> },
): string {
  const known = { paths: new Set(paths), folders: findPictureFolders(flat) }
  return mapCode(flat, verbatimEnvironments, (code) =>
    code.replaceAll(PICTURE, (whole, command: string, argument: string) => {
      const found = resolvePicture(argument, known)
      const name = found === null ? undefined : renamed.get(found.path)
      return found === null || name === undefined ? whole : `${command}{${withoutSuffix(name, found.suffix)}}`
    }),
  )
}

/** The PDF that graphics packages look for beside an EPS picture; null for other files. */
export function convertedName(path: string): string | null {
  return path.endsWith('.eps') ? path.replace(/\.eps$/, '-eps-converted-to.pdf') : null
}

/** ASCII, without spaces: every target and system can store the name. */
export function isSafeName(path: string): boolean {
  return path.split('/').every((part) => /^[A-Za-z0-9_+=][A-Za-z0-9_.+=,-]*$/.test(part))
}

function isFlatName(path: string): boolean {
  return !path.includes('/') && isSafeName(path)
}

function safeName(name: string): string {
  const ascii = normalizeText(name, 'NFKD').replaceAll(/\p{M}/gu, '')
  return ascii.replaceAll(/[^A-Za-z0-9_.+=-]+/g, '-').replace(/^[-.]+/, '') || 'file'
}

function withoutSuffix(name: string, suffix: string): string {
  return suffix !== '' && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}
