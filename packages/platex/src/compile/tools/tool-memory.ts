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

interface GivenFiles {
  has(path: string): boolean
}

/**
 * Opens the memory with the warm-start files of an earlier compile; invalid entries are ignored.
 *
 * `given`: the files of the job. One that a tool writes, such as a committed `.bbl`, has replaced the output of its last run.
 */
export function openToolMemory(stored: Uint8Array | undefined, given: GivenFiles = new Set<string>()): ToolMemory {
  const clean = new Map(parseMemory(stored))
  const last = new Map(clean)
  const ranNow = new Set<string>()
  const keyOf = (plan: ToolPlan) => `${plan.tool} ${plan.subject}`
  const isReplaced = (plan: ToolPlan) => !ranNow.has(keyOf(plan)) && plan.outputs.some((path) => given.has(path))
  return {
    get usesWholeFontMap() {
      return clean.get(FONT_MAP) === 'whole'
    },
    noteWholeFontMap: () => clean.set(FONT_MAP, 'whole'),
    isDue: (plan) => last.get(keyOf(plan)) !== plan.inputDigest || isReplaced(plan),
    hasRun: (plan) => ranNow.has(keyOf(plan)),
    reasonFor: (plan) => {
      if (!last.has(keyOf(plan))) return `${plan.subject} is new`
      return isReplaced(plan) ? 'the project has a file in place of its output' : `${plan.subject} changed`
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
