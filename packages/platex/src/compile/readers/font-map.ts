/**
 * Which font map the engine of a job reads: the short one unless the job uses a font that it omits.
 *
 * Sources that load a package of such a font get the whole map from the start. Otherwise the recorder file of a pass shows
 * it, and the pass is repeated. The PDF is the same with both maps if it uses only fonts of the short one.
 */
import { posix } from 'node:path'
import type { EngineRow } from '../../engine/engines.ts'
import type { FontMap, ShortFontMapScope } from '../../sandbox/cache/short-font-map.ts'
import type { Sandbox } from '../../sandbox/types.ts'
import { latin1 } from '../canonical-digest.ts'
import type { CompileJob } from '../job.ts'
import { MEMORY_NAME, openToolMemory } from '../tools/tool-memory.ts'

export type FontMapJob = Pick<CompileJob, 'files' | 'warmStartFiles'> & {
  readonly sandbox: Pick<Sandbox, 'shortFontMap'>
}

/**
 * Own fonts can have the names of omitted ones, and pdfTeX replaces fonts in pictures with fonts of its map. Words: changes of
 * the font map.
 */
const NEEDS_WHOLE_MAP = {
  files: /\.(?:tfm|vf|map|pfb|pfa|otf|ttf|enc|pdf|eps|ps|svg|mps|tiff?)$/i,
  words: [Buffer.from('mapfile'), Buffer.from('mapline')],
}
/** Options and packages for which other packages load an omitted font: Greek, the phonetic encoding T4, Korean, PT Serif. */
const LOAD_OMITTED = new Set('greek polutonikogreek lgr textgreek teubner t4 kotex paratype'.split(' '))
/**
 * This runs on the main thread over whole files. A match ends before the next command, so the search takes linear time. The
 * limits keep V8's stack of positions small; a font that is missed because of them is found by the pass.
 */
const LOADED_PACKAGES =
  /\\(?:usepackage|RequirePackage|documentclass)\s{0,1000}(?:\[((?:(?!\\usepackage|\\RequirePackage|\\documentclass)[^\]]){0,10000})\]\s{0,1000})?\{([^{}]{0,10000})\}/g
/** Longer than the name of any font family. */
const MAX_FAMILY_LENGTH = 64

const chosen = new WeakMap<CompileJob['files'], FontMap>()

/** The font map for the next pass of a job. */
export function fontMapOf(job: FontMapJob): FontMap {
  const scope = job.sandbox.shortFontMap
  if (scope === null) return 'whole'
  const map = chosen.get(job.files) ?? (mayUseShortMap(job, scope) ? 'short' : 'whole')
  chosen.set(job.files, map)
  return map
}

/** The choice as part of a command; only the pdfTeX that writes a PDF has one. */
export function fontMapFor(job: FontMapJob, { program }: Pick<EngineRow, 'program'>): { readonly fontMap?: FontMap } {
  return program === 'pdflatex' ? { fontMap: fontMapOf(job) } : {}
}

/**
 * True if a pass has used a font that its map does not have: from then on, the job gets the whole map. `names`: the files that
 * the pass opened.
 */
export function lacksFonts(job: FontMapJob, row: Pick<EngineRow, 'program'>, names: readonly string[]): boolean {
  const scope = job.sandbox.shortFontMap
  if (scope === null || fontMapFor(job, row).fontMap !== 'short') return false
  const isMissing = names.some((name) =>
    isMetrics(name) ? scope.omittedFolders.has(posix.dirname(name)) : mayNeedFonts(name, scope),
  )
  if (isMissing) chosen.set(job.files, 'whole')
  return isMissing
}

function isMetrics(name: string): boolean {
  return name.endsWith('.tfm')
}

/** A picture of the installation, unless it is known to have none of the omitted fonts. The names of other pictures are relative. */
function mayNeedFonts(name: string, { usablePictures }: ShortFontMapScope): boolean {
  return name.startsWith('/') && name.endsWith('.pdf') && !usablePictures.has(name)
}

function mayUseShortMap({ files, warmStartFiles }: FontMapJob, scope: ShortFontMapScope): boolean {
  if (openToolMemory(warmStartFiles?.get(MEMORY_NAME)).usesWholeFontMap) return false
  if ([...files.keys()].some((path) => NEEDS_WHOLE_MAP.files.test(path))) return false
  const folders = [...scope.omittedFolders].map((folder) => posix.basename(folder))
  const families = new Set(folders.map((folder) => folder.replace(/-?(?:type1|otf)$/, '')))
  return [...files.values()].every((source) => {
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    if (NEEDS_WHOLE_MAP.words.some((word) => bytes.includes(word))) return false
    return [...latin1(source).matchAll(LOADED_PACKAGES)].every(([, options = '', names = '']) => {
      const packages = listNames(names)
      return (
        ![...listNames(options), ...packages].some((name) => LOAD_OMITTED.has(name)) &&
        !packages.some((name) => scope.packages.has(name) || isOfFamily(name, families))
      )
    })
  })
}

function listNames(list: string): readonly string[] {
  return list.split(/[,=]/).map((name) => name.trim().toLowerCase())
}

/** Packages have the names of their families, often with an addition: `FiraSans`, `plex-serif`. */
function isOfFamily(packageName: string, families: ReadonlySet<string>): boolean {
  for (let length = Math.min(packageName.length, MAX_FAMILY_LENGTH); length > 2; length -= 1) {
    if (families.has(packageName.slice(0, length))) return true
  }
  return false
}
