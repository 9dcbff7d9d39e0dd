import { posix } from 'node:path'
import { documentEnvironment } from '../document-environment.ts'
import { toWorkspacePath } from '../job-paths.ts'
import { listBriefly } from './make-missing-fonts.ts'
import { isForDvipdfmx, type EngineRun, type PassContext } from './run.ts'

/** Endings of pictures whose size `extractbb` can read. */
const MEASURABLE = ['.png', '.jpg', '.jpeg', '.pdf']
/** More than any real document includes. */
const MAX_PICTURES = 500

/**
 * Writes the sizes of pictures for the definitions of dvipdfmx, and returns the names of the pictures; empty if the pass
 * need not be repeated.
 *
 * Those definitions read the size of a PNG, JPEG or PDF picture from an `.xbb` file. If it is missing, they run `extractbb`
 * in a shell, which documents may not.
 */
export async function measurePictures(
  { job, workspace, budget, pictures }: PassContext,
  pass: EngineRun,
): Promise<readonly string[]> {
  if (pass.output.kind === 'fault' || !isForDvipdfmx(pass)) return []
  const { passNumber } = pass
  const wanted: string[] = []
  for (const stem of pass.output.value.facts.unmeasured.slice(0, MAX_PICTURES)) {
    const path = toWorkspacePath(stem, workspace.folder)
    if (path === null) continue
    const candidates = MEASURABLE.map((ending) => path + ending).filter((picture) => !pictures.has(picture))
    for (const picture of candidates) if (await workspace.has(picture)) wanted.push(picture)
  }
  if (wanted.length === 0 || !workspace.sandbox.has('extractbb')) return []
  for (const picture of wanted) pictures.set(picture, null)
  const program = 'extractbb'
  job.onProgress?.({
    kind: 'pass-started',
    passNumber,
    program,
    reason: `pictures to measure: ${listBriefly(wanted)}`,
  })
  const { durationMs } = await workspace.sandbox.run(
    {
      program,
      args: wanted.map((path) => `./${posix.relative(workspace.folder, path)}`),
      env: documentEnvironment(job, workspace),
    },
    { workspaceDir: workspace.dir, folder: workspace.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  job.onProgress?.({ kind: 'pass-ended', passNumber, program, durationMs })
  budget.signal?.throwIfAborted()
  return wanted
}
