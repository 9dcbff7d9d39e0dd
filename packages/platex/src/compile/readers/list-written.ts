import type { CompileJob } from '../job.ts'
import { listCarriedOver } from '../separate-build-products.ts'
import { LABELS_NAME, MEMORY_NAME } from '../tools/tool-memory.ts'

/** The files that a compile writes into its workspace before the first pass. */
export function listWritten(
  job: Pick<CompileJob, 'files' | 'rootFile' | 'warmStartFiles'>,
): ReadonlyMap<string, Uint8Array> {
  const written = new Map([...(job.warmStartFiles ?? []), ...job.files])
  // Warm-start files are from the last compile; auxiliary files that came with the project are older.
  const carriedOver = listCarriedOver(job.warmStartFiles?.keys() ?? [], job.rootFile)
  for (const path of carriedOver) written.set(path, job.warmStartFiles?.get(path) ?? new Uint8Array())
  written.delete(MEMORY_NAME)
  written.delete(LABELS_NAME)
  return written
}
