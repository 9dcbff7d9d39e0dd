import type { ToolPlan } from './types.ts'

/** Input digests of the last run of each tool, and whether the document needs the whole font map. */
export interface ToolMemory {
  readonly usesWholeFontMap: boolean
  noteWholeFontMap(): void
  isDue(plan: ToolPlan): boolean
  /** True if the tool has run in this compile. */
  hasRun(plan: ToolPlan): boolean
  /** Why the tool is due. */
  reasonFor(plan: ToolPlan): string
  /** `isClean`: no diagnostics, so a later compile need not repeat the run. */
  remember(plan: ToolPlan, run: { isClean: boolean }): void
  /** The input digests of clean runs, for the warm-start files of the next compile. */
  toBytes(): Uint8Array
}

/** No tool has this name. */
const FONT_MAP = 'font map'

interface PathSet {
  has(path: string): boolean
}

/** The files beside which a tool runs. */
interface FilesAtStart {
  /** Files of the job. One that a tool writes, such as a committed `.bbl`, has replaced the output of its last run. */
  readonly given: PathSet
  /** The other warm-start files. Without the output of the last run, such as a replaced `.bbl`, the tool runs again. */
  readonly kept: PathSet
}

/**
 * Opens the memory with the warm-start files of an earlier compile; invalid entries are ignored.
 *
 * `files`: null if no tool will run.
 */
export function openToolMemory(stored: Uint8Array | undefined, files: FilesAtStart | null = null): ToolMemory {
  const clean = new Map(parseMemory(stored))
  const last = new Map(clean)
  const ranNow = new Set<string>()
  const keyOf = (plan: ToolPlan) => `${plan.tool} ${plan.subject}`
  const isReplaced = (plan: ToolPlan) =>
    !ranNow.has(keyOf(plan)) && plan.outputs.some((path) => files?.given.has(path) === true)
  const isLost = (plan: ToolPlan) =>
    !ranNow.has(keyOf(plan)) && plan.outputs.length > 0 && plan.outputs.every((path) => files?.kept.has(path) === false)
  return {
    get usesWholeFontMap() {
      return clean.get(FONT_MAP) === 'whole'
    },
    noteWholeFontMap: () => clean.set(FONT_MAP, 'whole'),
    isDue: (plan) => last.get(keyOf(plan)) !== plan.inputDigest || isReplaced(plan) || isLost(plan),
    hasRun: (plan) => ranNow.has(keyOf(plan)),
    reasonFor: (plan) => {
      if (!last.has(keyOf(plan))) return `${plan.subject} is new`
      if (isReplaced(plan)) return 'the project has a file in place of its output'
      return isLost(plan) ? 'its last output was not kept' : `${plan.subject} changed`
    },
    remember: (plan, { isClean }) => {
      ranNow.add(keyOf(plan))
      last.set(keyOf(plan), plan.inputDigest)
      if (isClean) clean.set(keyOf(plan), plan.inputDigest)
      else clean.delete(keyOf(plan))
    },
    toBytes: () => new TextEncoder().encode(JSON.stringify([...clean])),
  }
}

function parseMemory(stored: Uint8Array | undefined): readonly [string, string][] {
  if (stored === undefined) return []
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder().decode(stored))
  } catch {
    return [] // Falls back to running every tool.
  }
  const rows: readonly unknown[] = Array.isArray(parsed) ? parsed : []
  return rows.filter(
    (row): row is [string, string] => Array.isArray(row) && row.every((cell) => typeof cell === 'string'),
  )
}

/** Name of the memory among the warm-start files. It is never written to the workspace. */
export const MEMORY_NAME = '.platex-tools.json'
/** The same for the list of documents whose labels were imported. */
export const LABELS_NAME = '.platex-labels.json'
