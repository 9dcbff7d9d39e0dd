/**
 * Is another engine pass due? Content hashes decide: a pass is valid when what it read equals what it left behind.
 *
 * So the state *before* a pass is compared with the state *after* it and after its tools, over the files that a pass
 * can depend on. That stops one pass earlier than "run until two passes agree", sees a table of contents that grows
 * without a word in the log, and ends at once when a state comes back, which proves a circle.
 */
import type { State } from './state.ts'

/** One engine pass with the tools after it, as far as this decision looks at it. */
export interface Step {
  readonly before: State
  readonly after: State
  /** Files that this pass read before it wrote them, or asked for and missed. */
  readonly read: ReadonlySet<string>
  /** Files that only tools read: raw indexes, control files. */
  readonly writeOnly: ReadonlySet<string>
  /** True when the document is known to need no second pass whatever its `.aux` says. */
  readonly isTrivial: boolean
  /** True when nobody may look at the pages of this pass. */
  readonly isDraft: boolean
  /** Words of the log that ask for another pass. */
  readonly rerunPhrase: string | null
  /** True when a tool ran after this pass and its output changed. */
  readonly hasNewToolOutput: boolean
}

export type Verdict =
  | { readonly kind: 'rerun'; readonly reason: string }
  | { readonly kind: 'converged' }
  /** `length` passes lead back to the same state. */
  | { readonly kind: 'circle'; readonly length: number; readonly files: readonly string[] }
  | { readonly kind: 'exhausted'; readonly files: readonly string[] }

/** Engine passes after the last tool that changed something, and in all. */
const MAX_PASSES_AFTER_TOOL = 5
const MAX_PASSES = 8

/** Decides after `last`, the step that follows on `earlier`. */
export function decideRerun(earlier: readonly Step[], last: Step): Verdict {
  const steps = [...earlier, last]
  const relevant = relevantFiles(steps, last)
  const changed = relevant.filter((path) => last.before.get(path) !== last.after.get(path)).sort()
  if (changed.length === 0) return settle(steps, last)
  if (steps.length === 1 && last.isTrivial && !last.isDraft) return { kind: 'converged' }
  const length = circleLength(steps, relevant)
  if (length !== null && !last.isDraft) return { kind: 'circle', length, files: changed }
  if (isExhausted(steps)) return { kind: 'exhausted', files: changed }
  return { kind: 'rerun', reason: explainChange(changed, last) }
}

/** Nothing changed: over, but for a draft, or for the first time that the log asks for a pass all the same. */
function settle(steps: readonly Step[], last: Step): Verdict {
  if (last.isDraft) return { kind: 'rerun', reason: 'the first pass was a draft' }
  const isNewPhrase = last.rerunPhrase !== null && steps.at(-2)?.rerunPhrase !== last.rerunPhrase
  if (!isNewPhrase || steps.length >= MAX_PASSES) return { kind: 'converged' }
  return { kind: 'rerun', reason: `the log says "${last.rerunPhrase}"` }
}

/**
 * Files that a pass can depend on: what any pass so far read, and what first appeared now.
 *
 * The recorder does not tell which files a pass asked for in vain, so a new file counts once, until the next pass had
 * its chance to read it.
 */
function relevantFiles(steps: readonly Step[], last: Step): readonly string[] {
  const known = new Set([...last.before.keys(), ...last.after.keys()])
  const isNew = (path: string) => !last.before.has(path) && !last.writeOnly.has(path)
  return [...known].filter((path) => isNew(path) || steps.some((step) => step.read.has(path)))
}

/** The smallest number of passes, two or more, that led back to the state of now; null when it is a new one. */
function circleLength(steps: readonly Step[], relevant: readonly string[]): number | null {
  const now = steps.at(-1)?.after
  if (now === undefined) return null
  for (let length = 2; length < steps.length; length += 1) {
    const then = steps[steps.length - 1 - length]?.after
    if (then !== undefined && relevant.every((path) => then.get(path) === now.get(path))) return length
  }
  return null
}

function isExhausted(steps: readonly Step[]): boolean {
  const sinceTool = steps.length - 1 - steps.findLastIndex((step) => step.hasNewToolOutput)
  return steps.length >= MAX_PASSES || sinceTool >= MAX_PASSES_AFTER_TOOL
}

/** `main.toc changed`, `main.bbl is new`, `main.aux, main.toc and 3 more changed`. */
export function explainChange(changed: readonly string[], step: Pick<Step, 'before' | 'after'>): string {
  const [first = '', ...others] = changed
  if (others.length === 0) {
    if (!step.before.has(first)) return `${first} is new`
    return step.after.has(first) ? `${first} changed` : `${first} is gone`
  }
  const [second = '', ...more] = others
  return more.length === 0 ? `${first} and ${second} changed` : `${first}, ${second} and ${more.length} more changed`
}
