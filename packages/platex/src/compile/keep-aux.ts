import type { PassScene, PassTrail } from './passes/run.ts'
import { MEMORY_NAME } from './tools/tool-memory.ts'

/** A seed is a cache: past this size it would cost more to keep than a pass. */
const MAX_SEED_BYTES = 16 * 1024 * 1024

/**
 * The files from which the next compile of this document can start: what a pass read of what passes and tools wrote.
 *
 * Empty unless the passes converged: half-way states are no start for anybody.
 */
export async function keepAux(trail: PassTrail, scene: PassScene): Promise<ReadonlyMap<string, Uint8Array>> {
  const last = trail.steps.at(-1)
  if (trail.end.kind !== 'converged' || last === undefined) return new Map()
  const paths = [...last.after.keys()].filter((path) => trail.steps.some((step) => step.read.has(path)))
  const kept = new Map<string, Uint8Array>()
  let size = 0
  for (const path of paths) {
    const bytes = await scene.workspace.read(path)
    if (bytes === null) continue
    size += bytes.length
    if (size > MAX_SEED_BYTES) return new Map()
    kept.set(path, bytes)
  }
  if (kept.size === 0) return new Map()
  return kept.set(MEMORY_NAME, scene.memory.toBytes())
}
