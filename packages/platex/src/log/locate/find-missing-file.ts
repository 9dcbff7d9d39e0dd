import type { Fault, Place } from './places.ts'
import { filesToSearch } from './places.ts'
import { doesLoad, listSourceLoads, type SourceLoad } from '../source-loads.ts'
import { squeeze } from '../squeeze.ts'
import type { SourceTexts } from '../source-texts.ts'

const missing: readonly RegExp[] = [
  /File [`'"]([^`'"]{1,300})['"] not found/,
  /[Cc]an(?:'t| ?not) find (?:file )?[`'"]([^`'"]{1,300})['"]/,
  /Unable to load picture or PDF file [`'"]([^`'"]{1,300})['"]/,
  /[Tt]he font [`'"]([^`'"]{1,300})['"] can ?not be found/,
  /\(file ([^()]{1,300})\)(?: \([^()]*\))?: cannot (?:open|find)/,
  /^(?:pdfTeX|LuaTeX)? ?error:? .*\(file (?:\.\/)?([^()]{1,300})\)/,
  /Loading .{1,80}metadata for [`'"]([^`'"]{1,300})['"]/,
]

const loadedWrongly: readonly RegExp[] = [
  /Option clash for package ([^\s]+?)\.(?: |$)/,
  /Unknown option [`'][^`']{0,200}' for package [`']([^`']{1,200})'/,
  /^Package ([^\s]+) Error: Unknown option/,
]

/**
 * The command that asks for a file which is missing or cannot be loaded as asked. TeX reports it a token late, on the
 * next line that is not empty, because a package may be followed by a date.
 */
export function findMissingFile(fault: Fault): Place | null {
  const name = firstMatch(missing, fault.error.message)
  if (name !== null) return findLoad(fault, (load) => asksFor(load, name))
  const packageName = firstMatch(loadedWrongly, fault.error.message)
  if (packageName === null) return null
  return findLoad(fault, (load) => doesLoad(load, `${packageName}.sty`))
}

/** Line of `file` that makes TeX read the file printed as `name`, or null. */
export function findLoadingLine(sources: SourceTexts, file: string, name: string): number | null {
  const loads = listSourceLoads(sources, file)
  return loads.find((load) => doesLoad(load, name))?.nameLine ?? null
}

/** LuaTeX prints font names without spaces. */
function asksFor(load: SourceLoad, name: string): boolean {
  const wanted = squeeze(name)
  const isNamed = (written: string): boolean =>
    squeeze(written) === wanted || squeeze(written.replace(/\.\w+$/, '')) === wanted
  return load.names.some(isNamed) || doesLoad(load, name)
}

/** The last such command up to the reported line; otherwise the first one, in the reported file before any other. */
function findLoad(fault: Fault, isIt: (load: SourceLoad) => boolean): Place | null {
  for (const file of filesToSearch(fault)) {
    const found = listSourceLoads(fault.sources, file).filter(isIt)
    const limit = file === fault.reported.file ? (fault.reported.line ?? Infinity) : Infinity
    const load = (limit === Infinity ? undefined : found.findLast(({ line }) => line <= limit)) ?? found[0]
    if (load !== undefined) return { file, line: load.nameLine }
  }
  return null
}

function firstMatch(patterns: readonly RegExp[], text: string): string | null {
  for (const pattern of patterns) {
    const name = pattern.exec(text)?.[1]
    if (name !== undefined) return name
  }
  return null
}
