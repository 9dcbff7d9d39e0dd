import type { LatexError } from '../../base/types.ts'

interface Place {
  readonly file: string
  readonly line: number
}

const SOURCE = /\.(?:tex|ltx)$/i
const TOKEN =
  /\\begin\{(?:frame\}\s{0,20}(?:<[^<>]{0,60}>\s{0,20})?((?:\[[^[\]]{0,300}\]\s{0,20}){0,3})|(lstlisting)\})|\\end\{frame\}/g

/**
 * The first environment `lstlisting` in a frame of beamer without the option fragile, where TeX looks for its end forever.
 *
 * @param rootFile Other complete documents are not read.
 */
export function findListingInFrame(
  paths: readonly string[],
  readText: (path: string) => string | undefined,
  rootFile: string | null,
): Place | null {
  for (const file of paths.filter((path) => SOURCE.test(path))) {
    const text = (readText(file) ?? '').replaceAll(/(?<!\\)%.*/g, '')
    const isOtherDocument = rootFile !== null && file !== rootFile && text.includes('\\documentclass')
    const at = isOtherDocument ? null : findListing(text)
    if (at !== null) return { file, line: text.slice(0, at).split('\n').length }
  }
  return null
}

function findListing(text: string): number | null {
  let isInFrame = false
  for (const { 0: token, 1: options = '', 2: listing, index } of text.matchAll(TOKEN)) {
    if (listing === undefined) isInFrame = token !== '\\end{frame}' && !/\b(?:fragile|containsverbatim)\b/.test(options)
    else if (isInFrame) return index
  }
  return null
}

/** True if the time limit stopped TeX itself and not one of its tools. */
export function isEngineTimeout({ message }: LatexError): boolean {
  return /^Compilation timed out after .*\(pass \d+, \w*latex\)/.test(message)
}

export const LISTING_IN_FRAME = {
  summary: 'TeX never finds the end of this listing, because its frame does not have the option fragile.',
  remedy: 'Add the option: \\begin{frame}[fragile].',
} as const
