/**
 * Decides by content hashes whether another engine pass is due: a pass is final if what it read equals what it left.
 *
 * The state *before* a pass is compared with the state *after* it and its tools, over the files a pass can depend on. This
 * stops one pass earlier than "run until two passes agree", detects a growing table of contents that the log does not
 * mention, and ends as soon as a state repeats: a cycle.
 */
import type { State } from './state.ts'

/** The parts of an engine pass, and of the tools after it, that decide. */
export interface PassRecord {
  readonly before: State
  readonly after: State
  /** Files that this pass read before it wrote them, or did not find. */
  readonly read: ReadonlySet<string>
  /** Files that only tools read, such as raw indexes and control files. */
  readonly writeOnly: ReadonlySet<string>
  /** True if the document is known to need no second pass, whatever its `.aux` contains. */
  readonly isTrivial: boolean
  /** True if the pages of this pass are incomplete. */
  readonly isDraft: boolean
  /** The message in the log that asks for another pass. */
  readonly rerunPhrase: string | null
  /** True if a tool ran after this pass and its output changed. */
  readonly hasNewToolOutput: boolean
}

export type RerunDecision =
  | { readonly kind: 'rerun'; readonly reason: string }
  | { readonly kind: 'converged' }
  /** The state repeats after `length` passes. */
  | { readonly kind: 'cycle'; readonly length: number; readonly files: readonly string[] }
  | { readonly kind: 'exhausted'; readonly files: readonly string[] }

/** Maximum number of engine passes: after the last tool that changed something, and in total. */
const MAX_PASSES_AFTER_TOOL = 5
const MAX_PASSES = 8

/** Decides after the pass `last`, which followed `earlier`. */
export function decideRerun(earlier: readonly PassRecord[], last: PassRecord): RerunDecision {
  const passes = [...earlier, last]
  const relevant = relevantFiles(passes, last)
  const changed = relevant.filter((path) => last.before.get(path) !== last.after.get(path)).sort()
  if (changed.length === 0) return settle(passes, last)
  if (passes.length === 1 && last.isTrivial && !last.isDraft) return { kind: 'converged' }
  const length = cycleLength(passes, relevant)
  if (length !== null && !last.isDraft) return { kind: 'cycle', length, files: changed }
  if (isExhausted(passes)) return { kind: 'exhausted', files: changed }
  return { kind: 'rerun', reason: explainChange(changed, last) }
}

/** Nothing changed: converged, unless the pass was a draft or the log asks for a pass for the first time. */
function settle(passes: readonly PassRecord[], last: PassRecord): RerunDecision {
  if (last.isDraft) return { kind: 'rerun', reason: 'the pass was a draft' }
  const isNewPhrase = last.rerunPhrase !== null && passes.at(-2)?.rerunPhrase !== last.rerunPhrase
  if (!isNewPhrase || passes.length >= MAX_PASSES) return { kind: 'converged' }
  return { kind: 'rerun', reason: `the log says "${last.rerunPhrase}"` }
}

/**
 * Files that a pass can depend on: all files read by a pass so far, and new files.
 *
 * The recorder does not list files that a pass did not find, so a new file counts once: the next pass can read it.
 */
function relevantFiles(passes: readonly PassRecord[], last: PassRecord): readonly string[] {
  const known = new Set([...last.before.keys(), ...last.after.keys()])
  const isNew = (path: string) => !last.before.has(path) && !last.writeOnly.has(path)
  return [...known].filter((path) => isNew(path) || passes.some((pass) => pass.read.has(path)))
}

/** The length of the cycle, two or more passes, that led back to the current state; null if the state is new. */
function cycleLength(passes: readonly PassRecord[], relevant: readonly string[]): number | null {
  const now = passes.at(-1)?.after
  if (now === undefined) return null
  for (let length = 2; length < passes.length; length += 1) {
    const then = passes[passes.length - 1 - length]?.after
    if (then !== undefined && relevant.every((path) => then.get(path) === now.get(path))) return length
  }
  return null
}

function isExhausted(passes: readonly PassRecord[]): boolean {
  const sinceTool = passes.length - 1 - passes.findLastIndex((pass) => pass.hasNewToolOutput)
  return passes.length >= MAX_PASSES || sinceTool >= MAX_PASSES_AFTER_TOOL
}

/** `main.toc changed`, `main.bbl is new`, `main.aux, main.toc and 3 more changed`. */
export function explainChange(changed: readonly string[], pass: Pick<PassRecord, 'before' | 'after'>): string {
  const [first = '', ...others] = changed
  if (others.length === 0) {
    if (!pass.before.has(first)) return `${first} is new`
    return pass.after.has(first) ? `${first} changed` : `${first} was removed`
  }
  const [second = '', ...more] = others
  return more.length === 0 ? `${first} and ${second} changed` : `${first}, ${second} and ${more.length} more changed`
}
