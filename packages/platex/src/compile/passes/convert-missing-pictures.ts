import { mkdir } from 'node:fs/promises'
import { posix } from 'node:path'
import { listBriefly } from './make-missing-fonts.ts'
import type { PictureRequest } from './list-picture-requests.ts'
import type { PassScene } from './run.ts'

/**
 * Converts the pictures that a pass wanted as PDF, and names them; empty when there is no use in repeating the pass.
 *
 * What cannot be converted is remembered with the reason, for the error of the command that includes it.
 */
export async function convertMissingPictures(
  scene: PassScene,
  { requests: wanted, passNumber }: { readonly requests: readonly PictureRequest[]; readonly passNumber: number },
): Promise<readonly string[]> {
  const { job, budget, pictures } = scene
  const requests = wanted.filter(({ source }) => !pictures.has(source))
  if (requests.length === 0) return []
  const program = 'convert'
  const startedAt = performance.now()
  const reason = `pictures to convert: ${listBriefly(requests.map(({ source }) => source))}`
  job.onProgress?.({ kind: 'pass-started', passNumber, program, reason })
  const converted: string[] = []
  for (const request of requests) if (await convertOne(request, scene)) converted.push(request.source)
  job.onProgress?.({ kind: 'pass-ended', passNumber, program, durationMs: performance.now() - startedAt })
  budget.signal?.throwIfAborted()
  return converted
}

/**
 * Puts the PDFs of pictures there that an earlier compile converted, so that no pass has to miss them first.
 */
export async function placeConvertedPictures({ job, workspace, row }: PassScene): Promise<void> {
  if (row.output !== 'pdf' || row.isWholePipeline) return
  for (const [path, bytes] of job.files) {
    const target = path.replace(/\.eps$/, '-eps-converted-to.pdf')
    if (target === path || job.files.has(target)) continue
    const pdf = await workspace.sandbox.findConvertedPicture({ kind: 'eps', bytes })
    if (pdf !== null) await workspace.replace(target, pdf)
  }
}

async function convertOne({ kind, source, targets }: PictureRequest, scene: PassScene): Promise<boolean> {
  const { workspace, budget, pictures } = scene
  const bytes = await workspace.read(source)
  if (bytes === null) return false
  const { signal } = budget
  const outcome = await workspace.sandbox.convertPicture({ kind, bytes, timeoutMs: budget.remainingMs(), signal })
  pictures.set(source, outcome.kind === 'failed' ? outcome.reason : null)
  if (outcome.kind === 'failed') return false
  for (const target of targets) {
    await mkdir(`${workspace.dir}/${posix.dirname(target)}`, { recursive: true })
    await workspace.replace(target, outcome.pdf)
    if (target.endsWith('_svg-tex.pdf')) await workspace.replace(`${target}_tex`, inclusionOf(posix.basename(target)))
  }
  return true
}

/** What Inkscape writes beside the PDF, without the texts: they are drawn in the PDF already. */
function inclusionOf(pdfName: string): Uint8Array {
  const text = String.raw`\begingroup
\ifx\svgwidth\undefined
  \ifx\svgscale\undefined\includegraphics{NAME}\else\includegraphics[scale=\svgscale]{NAME}\fi
\else\includegraphics[width=\svgwidth]{NAME}\fi
\endgroup
`
  return new TextEncoder().encode(text.replaceAll('NAME', pdfName).replaceAll(/\n\s*/g, '%\n'))
}
