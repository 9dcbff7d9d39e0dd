import type { ToolPlan } from './types.ts'

/** What each tool last worked on. */
export interface ToolMemory {
  isDue(plan: ToolPlan): boolean
  /** True when the tool worked on the same subject before. */
  hasRun(plan: ToolPlan): boolean
  /** `isClean`: the run had nothing to report, so a later compile need not repeat it. */
  remember(plan: ToolPlan, run: { isClean: boolean }): void
  /** For the seed of the next compile: input digests of the clean runs. */
  toBytes(): Uint8Array
}

/** Opens the memory, filled from the seed of an earlier compile; anything unreadable in it counts as nothing. */
export function openToolMemory(seed: Uint8Array | undefined): ToolMemory {
  const clean = new Map(parseSeed(seed))
  const last = new Map(clean)
  const keyOf = (plan: ToolPlan) => `${plan.tool} ${plan.subject}`
  return {
    isDue: (plan) => last.get(keyOf(plan)) !== plan.inputDigest,
    hasRun: (plan) => last.has(keyOf(plan)),
    remember: (plan, { isClean }) => {
      last.set(keyOf(plan), plan.inputDigest)
      if (isClean) clean.set(keyOf(plan), plan.inputDigest)
      else clean.delete(keyOf(plan))
    },
    toBytes: () => new TextEncoder().encode(JSON.stringify([...clean])),
  }
}

function parseSeed(seed: Uint8Array | undefined): readonly [string, string][] {
  if (seed === undefined) return []
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder().decode(seed))
  } catch {
    return [] // Falls back to running every tool.
  }
  const rows: readonly unknown[] = Array.isArray(parsed) ? parsed : []
  return rows.filter(
    (row): row is [string, string] => Array.isArray(row) && row.every((cell) => typeof cell === 'string'),
  )
}

/** Where a seed keeps the memory of tools; never a file of the workspace. */
export const MEMORY_NAME = '.platex-tools.json'
