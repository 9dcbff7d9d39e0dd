import { posix } from 'node:path'
import { listBriefly } from './make-missing-fonts.ts'
import type { PictureRequest } from '../facts/list-picture-requests.ts'
import { svgInclusion } from '../facts/svg-inclusion.ts'
import type { PassContext } from './run.ts'

/**
 * Converts the pictures that a pass needed as PDF and returns their names; empty if the pass need not be repeated.
 *
 * Failed conversions are kept with the reason, for the error of the command that includes the picture.
 */
export async function convertMissingPictures(
  context: PassContext,
  { requests: wanted, passNumber }: { readonly requests: readonly PictureRequest[]; readonly passNumber: number },
): Promise<readonly string[]> {
  const { job, budget, pictures } = context
  const requests = wanted.filter(({ source }) => !pictures.has(source))
  if (requests.length === 0) return []
  const program = 'convert'
  const startedAt = performance.now()
  const reason = `pictures to convert: ${listBriefly(requests.map(({ source }) => source))}`
  job.onProgress?.({ kind: 'pass-started', passNumber, program, reason })
  const converted: string[] = []
  for (const request of requests) if (await convertOne(request, context)) converted.push(request.source)
  job.onProgress?.({ kind: 'pass-ended', passNumber, program, durationMs: performance.now() - startedAt })
  budget.signal?.throwIfAborted()
  return converted
}

/**
 * Writes the PDFs of pictures that an earlier compile converted, so that the first pass finds them.
 *
 * Documents see which are there, so this is only done for a known tenant: anonymous callers share none.
 */
export async function placeConvertedPictures({ job, workspace, row }: PassContext): Promise<void> {
  const { tenant } = job
  if (tenant === undefined || row.output !== 'pdf' || row.isWholePipeline) return
  for (const [path, bytes] of job.files) {
    const target = path.replace(/\.eps$/, '-eps-converted-to.pdf')
    if (target === path || job.files.has(target)) continue
    const pdf = await workspace.sandbox.findConvertedPicture({ kind: 'eps', bytes, tenant })
    if (pdf !== null) await workspace.replace(target, pdf)
  }
}

async function convertOne({ kind, source, targets }: PictureRequest, context: PassContext): Promise<boolean> {
  const { workspace, budget, pictures, job } = context
  const bytes = await workspace.read(source)
  if (bytes === null) return false
  const { signal } = budget
  const order = { kind, bytes, tenant: job.tenant, timeoutMs: budget.remainingMs(), signal }
  const outcome = await workspace.sandbox.convertPicture(order)
  pictures.set(source, outcome.kind === 'failed' ? outcome.reason : null)
  if (outcome.kind === 'failed') {
    // The time of a conversion depends on the load of the machine.
    if (outcome.isStopped) budget.noteDisturbance()
    return false
  }
  for (const target of targets) {
    await workspace.makeFolder(posix.dirname(target))
    await workspace.replace(target, outcome.pdf)
    if (target.endsWith('_svg-tex.pdf')) await workspace.replace(`${target}_tex`, svgInclusion(posix.basename(target)))
  }
  return true
}
