/**
 * Finds the documents of a tree without configuration, with a reason for each.
 *
 * Explicit settings have priority, in this order: `.texproof.toml`, a latexmkrc, the settings of a submission
 * to arXiv, magic comments, a `main.tex`, and finally the files that are complete documents and that no other file
 * includes. Several such files are several documents. With a `main.tex`, only files in the same folder count: otherwise,
 * old drafts and examples in subfolders would fail in repositories that never meant to build them.
 */
import { posix } from 'node:path'

import { sortNames } from '../../domain/text/natural-order.ts'
import { chooseBibliography } from './choose-bibliography.ts'
import { chooseEngine } from './choose-engine.ts'
import { nameDocuments } from './name-documents.ts'
import { ARXIV_READMES, parseArxivReadme, type ArxivReadme } from './parse-arxiv-readme.ts'
import { parseLatexmkrc, type LatexmkSettings } from './parse-latexmkrc.ts'
import { parseTexproofToml, type ConfiguredDocument, type TexproofToml } from './parse-texproof-toml.ts'
import { isHidden, isLatexSource, scanSources, type SourceMap } from './scan-sources.ts'
import type { DocumentTree, FoundDocuments, NearDocument, PaperDocument } from './types.ts'

/** Further documents of a tree are not built: such a tree is not a paper. */
const MAX_DOCUMENTS = 100

/** The settings of a repository. */
export const CONFIGURATION_FILE = '.texproof.toml'
/** A hidden one has priority. */
const LATEXMKRC_NAMES = ['.latexmkrc', 'latexmkrc']
const NO_CONFIGURATION: TexproofToml = { documents: [], trigger: 'branches', timeoutMs: null }
/** Classes whose documents are parts of other documents. */
const PART_CLASSES: ReadonlySet<string> = new Set(['standalone', 'subfiles'])

/** Whether the content of a file decides which documents a tree contains. */
export function isDecisive(path: string): boolean {
  return (
    path === CONFIGURATION_FILE ||
    ARXIV_READMES.includes(path) ||
    /(?:^|\/)\.?latexmkrc$/.test(path) ||
    isLatexSource(path)
  )
}

/** The files with settings of the documents in a folder of a tree, whether or not they exist. */
export function listSettingsFiles(folder: string): readonly string[] {
  const latexmk = LATEXMKRC_NAMES.flatMap((name) => [name, posix.join(folder, name)])
  return [...new Set([CONFIGURATION_FILE, ...ARXIV_READMES, ...latexmk])]
}

interface Root {
  readonly path: string
  readonly why: string
  readonly configured: ConfiguredDocument | null
}

/**
 * Finds the documents of a tree. The first one is the default. A source that the user has `requested` by its path is always
 * one of them, the last one if nothing else makes it a document: a drawing, for example, or a draft in a folder.
 */
export async function findDocuments(
  tree: DocumentTree,
  { requested = null }: { readonly requested?: string | null } = {},
): Promise<FoundDocuments> {
  const configuration = await readConfiguration(tree)
  if ('message' in configuration) return misconfigured(configuration.message)
  const sources = await scanSources(tree)
  const latexmk = await readLatexmkrc(tree, '')

  const missing = configuration.documents.find(({ root }) => !tree.paths.has(root))
  if (missing !== undefined) return misconfigured(`root "${missing.root}" ${explainAbsence(tree, missing.root)}`)
  const arxiv = await readArxivReadme(tree)
  const roots = findRoots(sources, { configuration, latexmk, arxiv }).slice(0, MAX_DOCUMENTS)
  if (requested !== null && sources.has(requested) && !roots.some(({ path }) => path === requested))
    roots.push({ path: requested, why: `${requested} as requested`, configured: null })
  if (roots.length === 0) return { kind: 'none', near: findNearDocument(tree, sources) }

  const names = nameDocuments(roots.map(({ path, configured }) => ({ path, wanted: configured?.name ?? null })))
  const documents: PaperDocument[] = []
  for (const [at, root] of roots.entries()) {
    const nearest = (await readLatexmkrc(tree, posix.dirname(root.path))) ?? latexmk
    documents.push(describeDocument(root, { name: names[at] ?? root.path, sources, latexmk: nearest, arxiv }))
  }
  return { kind: 'found', documents, trigger: configuration.trigger }
}

async function readConfiguration(tree: DocumentTree): Promise<TexproofToml | { readonly message: string }> {
  if (!tree.paths.has(CONFIGURATION_FILE)) return NO_CONFIGURATION
  const source = await tree.readText(CONFIGURATION_FILE)
  return source === null ? { message: 'cannot be read as text' } : parseTexproofToml(source)
}

function explainAbsence({ links }: DocumentTree, path: string): string {
  return links?.has(path) === true ? 'is a symbolic link: name its target instead' : 'is not in the repository'
}

function misconfigured(message: string): FoundDocuments {
  return { kind: 'misconfigured', file: CONFIGURATION_FILE, message }
}

async function readLatexmkrc(tree: DocumentTree, folder: string): Promise<LatexmkSettings | null> {
  for (const name of LATEXMKRC_NAMES) {
    const path = posix.join(folder === '.' ? '' : folder, name)
    const source = tree.paths.has(path) ? await tree.readText(path) : null
    if (source !== null) return parseLatexmkrc(source)
  }
  return null
}

async function readArxivReadme(tree: DocumentTree): Promise<ArxivReadme | null> {
  const name = ARXIV_READMES.find((path) => tree.paths.has(path))
  const source = name === undefined ? null : await tree.readText(name)
  return name === undefined || source === null ? null : parseArxivReadme(name, source)
}

interface StatedRoots {
  readonly configuration: TexproofToml
  readonly latexmk: LatexmkSettings | null
  readonly arxiv: ArxivReadme | null
}

function findRoots(sources: SourceMap, { configuration, latexmk, arxiv }: StatedRoots): Root[] {
  if (configuration.documents.length > 0) {
    return configuration.documents.map((configured) => ({
      path: configured.root,
      why: `listed in ${CONFIGURATION_FILE}`,
      configured,
    }))
  }
  const isBuilt = ({ path }: Pick<Root, 'path'>) => arxiv?.excluded.includes(path) !== true
  const found =
    firstNonEmpty([
      () =>
        [...matchDefaultFiles(sources, latexmk?.defaultFiles ?? [])].map((path) => ({
          path,
          why: 'listed in latexmkrc',
        })),
      () => findArxivRoots(sources, arxiv),
      () => findMagicRoots(sources).filter(isBuilt),
      () => findRootsBesideMain(sources).filter(isBuilt),
      () => findLoneRoots(sources).filter(isBuilt),
    ]) ?? []
  return found.map((root) => ({ ...root, configured: null }))
}

function firstNonEmpty<T>(searches: readonly (() => readonly T[])[]): readonly T[] | null {
  for (const search of searches) {
    const found = search()
    if (found.length > 0) return found
  }
  return null
}

/** `@default_files` may omit `.tex` and may contain `*` and `?`, which match within one folder. */
function* matchDefaultFiles(sources: SourceMap, patterns: readonly string[]): Generator<string> {
  const seen = new Set<string>()
  for (const pattern of patterns) {
    const wanted = pattern.replace(/^\.\//, '').replace(/(?:\.tex)?$/, '.tex')
    for (const path of sortNames([...sources.keys()].filter((path) => posix.matchesGlob(path, wanted)))) {
      if (!seen.has(path)) yield path
      seen.add(path)
    }
  }
}

function findArxivRoots(sources: SourceMap, arxiv: ArxivReadme | null): Pick<Root, 'path' | 'why'>[] {
  if (arxiv === null) return []
  return arxiv.roots.filter((path) => sources.has(path)).map((path) => ({ path, why: `listed in ${arxiv.name}` }))
}

function findMagicRoots(sources: SourceMap): Pick<Root, 'path' | 'why'>[] {
  const tellers = new Map<string, string>()
  for (const { path, magicRoot } of sources.values()) {
    if (magicRoot === null) continue
    const root = posix.join(posix.dirname(path), magicRoot.replaceAll('\\', '/'))
    if (sources.has(root) && !tellers.has(root)) tellers.set(root, path)
  }
  const roots = sortByRank([...tellers.keys()]).map((path) => ({
    path,
    why: `"% !TEX root" in ${tellers.get(path) ?? path}`,
  }))
  return [...roots, ...findNeighbors(sources, roots)]
}

function findRootsBesideMain(sources: SourceMap): Pick<Root, 'path' | 'why'>[] {
  const main = sources.get('main.tex')
  if (main === undefined || main.documentClass === null) return []
  const roots = [{ path: main.path, why: 'named main.tex' }]
  return [...roots, ...findNeighbors(sources, roots)]
}

function findNeighbors(sources: SourceMap, roots: readonly Pick<Root, 'path'>[]): Pick<Root, 'path' | 'why'>[] {
  const taken = new Set(roots.map(({ path }) => path))
  const folders = new Map(roots.toReversed().map(({ path }) => [posix.dirname(path), path]))
  return findWholeDocuments(sources)
    .filter((path) => !taken.has(path) && folders.has(posix.dirname(path)))
    .map((path) => ({ path, why: `a separate document beside ${folders.get(posix.dirname(path))}` }))
}

function findLoneRoots(sources: SourceMap): Pick<Root, 'path' | 'why'>[] {
  const paths = findWholeDocuments(sources)
  const why = paths.length === 1 ? 'the only document' : 'not included by another file'
  return paths.map((path) => ({ path, why }))
}

/** Files that contain a complete document and are not part of another one, best candidate first. */
function findWholeDocuments(sources: SourceMap): string[] {
  const included = new Set([...sources.keys()].flatMap((path) => sources.includedBy(path)))
  const whole = [...sources.values()]
    .filter(
      ({ path, documentClass }) => documentClass !== null && !PART_CLASSES.has(documentClass) && !included.has(path),
    )
    .filter(({ path }) =>
      [path, ...sources.closureOf(path)].some((part) => sources.get(part)?.hasDocumentBody === true),
    )
  return sortByRank(whole.map(({ path }) => path))
}

/** Without it, authors would wait for their PDFs. */
function findNearDocument({ paths }: DocumentTree, sources: SourceMap): NearDocument | null {
  const scans = sortByRank([...sources.keys()]).flatMap((path) => sources.get(path) ?? [])
  for (const { path, documentClass, hasDocumentBody } of scans) {
    if (hasDocumentBody && documentClass !== null && PART_CLASSES.has(documentClass))
      return { kind: 'part', path, documentClass }
  }
  const plain = scans.find(({ documentClass, hasPlainEnd }) => documentClass === null && hasPlainEnd)
  if (plain !== undefined) return { kind: 'plain-tex', path: plain.path }
  const findBy = (extension: RegExp) => sortByRank([...paths].filter((one) => extension.test(one) && !isHidden(one)))[0]
  const dtx = findBy(/\.dtx$/i)
  if (dtx !== undefined) return { kind: 'dtx', path: dtx }
  const rnw = findBy(/\.[rs]nw$/i)
  return rnw === undefined ? null : { kind: 'rnw', path: rnw }
}

/** `main.tex` first, then files nearest to the root folder, then by name in natural order. */
function sortByRank(paths: readonly string[]): string[] {
  const rank = (path: string): number => (posix.basename(path) === 'main.tex' ? 0 : 1)
  const depth = (path: string): number => path.split('/').length
  return sortNames(paths).toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b))
}

function describeDocument(
  root: Root,
  context: { name: string; sources: SourceMap } & Pick<StatedRoots, 'latexmk' | 'arxiv'>,
): PaperDocument {
  const { name, sources, latexmk, arxiv } = context
  const parts = [root.path, ...sources.closureOf(root.path)].flatMap((path) => sources.get(path) ?? [])
  const engine = chooseEngine(parts, {
    configured: root.configured?.engine ?? null,
    latexmk: latexmk?.engine ?? null,
    arxiv: arxiv?.roots.includes(root.path) === true ? arxiv : null,
  })
  const bibliography = chooseBibliography(parts, root.configured?.bibliography ?? null)
  return {
    rootFile: root.path,
    name,
    documentClass: sources.get(root.path)?.documentClass ?? null,
    engine: engine.engine,
    bibliography: bibliography.bibliography,
    reason: [root.why, engine.why, bibliography.why].filter((why) => why !== null).join(', '),
    reasons: { root: root.why, engine: engine.why, bibliography: bibliography.why },
  }
}
