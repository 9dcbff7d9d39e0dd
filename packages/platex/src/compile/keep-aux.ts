import type { PassContext, PassHistory } from './passes/run.ts'
import { MEMORY_NAME } from './tools/tool-memory.ts'

/** Beyond this size, storing warm-start files costs more than a pass. */
const MAX_WARM_START_BYTES = 16 * 1024 * 1024

const READ_AT_ONCE = 8

/**
 * Warm-start files for the next compile of this document: all files left by passes and tools, except those that only
 * tools read.
 *
 * They include files that no pass read, such as the `.vrb` of beamer: a missing one would count as new in the next compile
 * and cause another pass.
 *
 * Empty unless the passes converged, because an intermediate state saves nothing.
 */
export async function keepAux(history: PassHistory, context: PassContext): Promise<ReadonlyMap<string, Uint8Array>> {
  const last = history.records.at(-1)
  if (history.end.kind !== 'converged' || last === undefined) return new Map()
  const isRead = (path: string): boolean => history.records.some((record) => record.read.has(path))
  const paths = [...last.after.keys()].filter((path) => isRead(path) || !last.writeOnly.has(path))
  const kept = new Map<string, Uint8Array>()
  let size = 0
  for (let start = 0; start < paths.length; start += READ_AT_ONCE) {
    const some = paths.slice(start, start + READ_AT_ONCE)
    const contents = await Promise.all(some.map((path) => context.workspace.read(path)))
    for (const [index, path] of some.entries()) {
      const bytes = contents[index] ?? null
      if (bytes === null) continue
      size += bytes.length
      kept.set(path, bytes)
    }
    if (size > MAX_WARM_START_BYTES) return new Map()
  }
  if (kept.size === 0) return new Map()
  return kept.set(MEMORY_NAME, context.memory.toBytes())
}
