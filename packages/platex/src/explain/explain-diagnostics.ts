/**
 * Adds to diagnostics what TeX does not print: code, summary, remedy, column, and which errors only follow from another.
 * Causes come before the errors that follow from them.
 */
import type { LatexError, LatexWarning } from '../base/types.ts'
import { explainDiagnostic, codeOf } from './explain-diagnostic.ts'
import { explainFragment } from './rules/explain-fragment.ts'
import { findCauses } from './causes/find-causes.ts'
import type { ReadText } from './causes/types.ts'
import { findColumn } from './find-column.ts'
import { explainRecursion, findRecursion, isEndless } from './endless/find-recursion.ts'
import { findListingInFrame, isEngineTimeout, LISTING_IN_FRAME } from './endless/find-listing-in-frame.ts'
import { gatherKnowledge } from './gather-knowledge.ts'
import type { Knowledge } from './types.ts'

/** Finding causes compares every pair of errors. */
const MAX_EXPLAINED = 500

/** Facts that explanations depend on. */
interface Known {
  readonly knowledge: Knowledge
  /** The engine that a comment of the root file names, or null. */
  readonly engine: string | null
}

interface Diagnostics {
  readonly errors: readonly LatexError[]
  readonly warnings: readonly LatexWarning[]
}

/**
 * Explains the diagnostics of one compile.
 *
 * @param files The project: relative path → bytes. "Did you mean" suggests only names that it defines.
 * @param rootFile Path of the root file, if it is known.
 */
export function explainDiagnostics(
  { errors, warnings }: Diagnostics,
  files: ReadonlyMap<string, Uint8Array>,
  rootFile: string | null = null,
): Diagnostics {
  if (errors.length + warnings.length === 0) return { errors, warnings }
  const knowledge = gatherKnowledge(files)
  const texts = new Map<string, string>()
  const readText: ReadText = (path) => {
    const bytes = files.get(path)
    if (bytes === undefined) return undefined
    const text = texts.get(path) ?? new TextDecoder().decode(bytes)
    texts.set(path, text)
    return text
  }
  const engine = rootFile === null ? null : findEngineComment(readText(rootFile) ?? '')
  const known = { knowledge, engine }
  const endless = findEndless(errors, { paths: [...files.keys()], readText, rootFile })
  return {
    errors: [
      ...orderByCause(errors.slice(0, MAX_EXPLAINED), readText).map((error) =>
        endless !== null && isEndless(error)
          ? placeEndless(error, endless)
          : explainError(error, { ...known, rootFile, readText }),
      ),
      ...errors.slice(MAX_EXPLAINED),
    ],
    warnings: [
      ...warnings.slice(0, MAX_EXPLAINED).map((warning) => {
        return isAfterError(warning, errors) ? warning : { ...warning, ...explanationOf(warning, known) }
      }),
      ...warnings.slice(MAX_EXPLAINED),
    ],
  }
}

/** Each cause is followed by the errors that follow from it, which carry its index. */
function orderByCause(errors: readonly LatexError[], readText: ReadText): readonly LatexError[] {
  const causes = findCauses(errors, readText)
  const ordered: LatexError[] = []
  for (const [at, error] of errors.entries()) {
    if (causes[at] !== null) continue
    const cause = ordered.length
    const followers = errors.filter((_, index) => causes[index] === at)
    ordered.push(error, ...followers.map((follower) => ({ ...follower, cause })))
  }
  return ordered
}

/** After an error, TeX itself opens groups and skips the end of conditions, and later reports them as open. */
function isAfterError(warning: LatexWarning, errors: readonly LatexError[]): boolean {
  if (warning.message.includes('\\end occurred when')) return errors.length > 0
  // graphics prints the name of a missing image in its place.
  if (/^Missing character: .* in font cmtt/.test(warning.message) && warning.line === null)
    return errors.some(({ message }) => /\P{ASCII}.*using draft setting/u.test(message))
  // The error is about the same command, or TeX reads text as a formula.
  const isEcho = /\\end occurred inside a group|invalid in math mode/.test(warning.message)
  if (warning.line === null || !isEcho) return false
  return errors.some(({ file, line }) => file === warning.file && line === warning.line)
}

/** What TeX repeats without end. */
interface Endless extends Pick<LatexError, 'summary' | 'remedy'> {
  readonly file: string
  readonly line: number
}

interface Project {
  readonly paths: readonly string[]
  readonly readText: ReadText
  readonly rootFile: string | null
}

function findEndless(errors: readonly LatexError[], { paths, readText, rootFile }: Project): Endless | null {
  const listing = errors.some(isEngineTimeout) ? findListingInFrame(paths, readText, rootFile) : null
  if (listing !== null) return { ...listing, ...LISTING_IN_FRAME }
  const recursion = errors.some(isEndless) ? findRecursion(paths, readText) : null
  if (recursion === null) return null
  const { file, line } = recursion
  return { file, line, ...explainRecursion(recursion) }
}

/** TeX reports where the command is used, or nothing. */
function placeEndless(error: LatexError, endless: Endless): LatexError {
  const code = codeOf(error)
  return { ...error, ...endless, ...(code === null ? {} : { code }) }
}

function explainError(
  error: LatexError,
  { rootFile, readText, ...known }: Known & { rootFile: string | null; readText: ReadText },
): LatexError {
  const code = codeOf(error)
  const isAtBeginning = code === 'missing-begin-document' && error.file !== null && error.file === rootFile
  const fragment = isAtBeginning ? explainFragment(readText(rootFile) ?? '') : null
  const column = error.file === null ? null : findColumn(error, readText(error.file))
  return {
    ...error,
    ...(column === null ? {} : { column }),
    ...(code === null ? {} : { code }),
    ...(fragment ?? explanationOf(error, known)),
  }
}

function explanationOf(
  diagnostic: LatexError | LatexWarning,
  { knowledge, engine }: Known,
): Pick<LatexError, 'summary' | 'remedy'> {
  const explanation = explainDiagnostic(diagnostic, knowledge)
  if (explanation === null) return {}
  const { summary, remedy } = explanation
  return { summary, ...(remedy === null ? {} : { remedy: withEngineOption(remedy, engine) }) }
}

/** The engine that a comment of the root file names; null without one. */
function findEngineComment(rootText: string): string | null {
  const program = /^%[^\S\n]{0,9}!TEX[^\S\n]{1,9}(?:TS-)?program[^\S\n]{0,9}=[^\S\n]{0,9}(\w+)/im.exec(rootText)?.[1]
  return program?.toLowerCase() ?? null
}

/** The HTTP API and the library ignore the comment, and `.texproof.toml` overrides it. */
function withEngineOption(remedy: string, engine: string | null): string {
  if (engine === null || !remedy.includes(`% !TEX program = ${engine}`) || !OPTIONS.has(engine)) return remedy
  return `${remedy} This comment has no effect here: set the option engine to ${engine}.`
}

const OPTIONS: ReadonlySet<string> = new Set(['pdflatex', 'xelatex', 'lualatex'])
