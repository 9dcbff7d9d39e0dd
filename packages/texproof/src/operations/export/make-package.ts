/**
 * Makes a package for a submission: builds the document to find the files it reads, packs these files, and builds the package
 * alone to prove that it gives the same pages.
 */
import { searchPathsOf, type CompileOutcome } from '@texproof/platex/project'

import type { Parsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { buildPackage, BuiltPackage } from './build-package.ts'
import { checkAnonymity, checkLog, checkPdf, plainMessage } from './check-document.ts'
import { checkPictures } from './check-pictures.ts'
import { convertedName } from './flatten-sources.ts'
import type {
  Finding,
  PackCompiler,
  PackOptions,
  PackOutcome,
  PackRequest,
  RemovedPart,
  Verification,
} from './types.ts'

const BUILD = defineTask<typeof buildPackage>(import.meta.resolve('./build-package.ts'), 'buildPackage')
const PACK_TIME_MS = 30_000
/** Pages whose pictures are compared; a layout that changed differs on most pages. */
const MAX_COMPARED = 40
const COMPARED_WIDTH_PX = 500
/** They include no PDF files. */
const WRITES_DVI: ReadonlySet<string> = new Set(['latex', 'platex', 'uplatex'])
/** Their EPS files need no conversion. */
const READS_EPS: ReadonlySet<string> = new Set(['xelatex', 'latex', 'platex', 'uplatex'])
const GRAVITY = { error: 0, warning: 1, notice: 2 } as const

/** Dependencies of `makePackage`. */
export interface PackTools {
  readonly compiler: PackCompiler
  readonly parsers: Parsers
  /** Called at each step, with a label for the user. */
  readonly onStep: (step: string) => void
}

/** Makes a package. LaTeX failures and differences are values; aborting throws. */
export async function makePackage(request: PackRequest, tools: PackTools): Promise<PackOutcome> {
  const { compiler, onStep } = tools
  const { target, options } = request
  onStep('building the document')
  const original = await compiler.compile(jobOf(request, request))
  const { pdf } = original.result
  if (pdf === null)
    return refuse(
      `${request.rootFile} does not build: ${plainMessage(original.result.errors[0]?.message ?? 'no PDF')}. Fix it first.`,
    )
  onStep('packing the files')
  const built = await pack(request, original, tools)
  if ('problem' in built) return refuse(built.problem)
  onStep('building the package alone')
  const rebuilt = await compiler.compile({
    ...jobOf(request, built),
    // arXiv runs no bibliography tool if the package has a bibliography.
    bibliography: target === 'arxiv' ? 'none' : request.bibliography,
  })
  onStep('comparing the pages')
  const verification = await compare(original, rebuilt, { compiler, removed: listRemoved(options) })
  const description = await compiler.describePdf(rebuilt.result.pdf ?? pdf)
  const sizes = { pdfBytes: pdf.length, zipBytes: built.zip.length, target }
  const findings: readonly Finding[] = [
    ...checkLog(original.result),
    ...built.findings,
    ...checkPdf(description, sizes),
    ...checkAnonymity(description, built.authors),
    ...(await checkPictures(compiler, { pictures: built.pictures, files: request.files, target, options })),
  ]
  const read = new Set(original.inputs)
  return {
    kind: 'packed',
    fileName: `${request.name}-${target}.zip`,
    zip: built.zip,
    files: [...built.files.keys()],
    leftOut: [...request.files.keys()].filter((path) => !read.has(path)).toSorted(),
    verification,
    findings: findings.toSorted((a, b) => GRAVITY[a.level] - GRAVITY[b.level]),
  }
}

function jobOf(
  { engine, bibliography, timeoutMs, sourceDateEpoch, ownerId }: PackRequest,
  { files, rootFile }: Pick<PackRequest, 'files' | 'rootFile'>,
): Parameters<PackCompiler['compile']>[0] {
  return {
    rootFile,
    files,
    engine,
    bibliography,
    timeoutMs,
    sourceDateEpoch,
    requester: ownerId,
    describePages: { edited: null },
  }
}

async function pack(
  { files, rootFile, engine, target, options, ownerId }: PackRequest,
  { inputs, aux }: CompileOutcome,
  { parsers, compiler }: PackTools,
): Promise<BuiltPackage | { readonly problem: string }> {
  const read = new Set(inputs)
  const written = new Map(aux)
  const drawn = new Map<string, Uint8Array>()
  for (const path of inputs) {
    const bytes = files.get(path)
    if (path.endsWith('.svg') && bytes !== undefined && !WRITES_DVI.has(engine)) {
      const pdf = await compiler.findConvertedPicture({ kind: 'svg', bytes })
      if (pdf !== null) drawn.set(path, pdf)
    }
    // Targets run no converter. The graphics package finds the PDF beside the picture.
    const converted = READS_EPS.has(engine) ? null : convertedName(path)
    if (converted === null || bytes === undefined || files.has(converted)) continue
    const pdf = await compiler.findConvertedPicture({ kind: 'eps', bytes })
    if (pdf !== null) written.set(converted, pdf)
  }
  const outcome = await parsers.run(
    BUILD,
    {
      files: new Map([...files].filter(([path]) => read.has(path))),
      written,
      drawn,
      rootFile,
      searchPaths: Object.values(searchPathsOf(files, rootFile)).flat(),
      engine,
      target,
      options,
    },
    { ownerId, timeLimitMs: PACK_TIME_MS },
  )
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'failed':
      throw new Error('build a package', { cause: outcome.error })
    case 'timed-out':
      return {
        problem: `Packing takes more than ${PACK_TIME_MS / 1_000} s. Remove files that the document does not need.`,
      }
    case 'out-of-memory':
      return { problem: 'Packing needs too much memory. Make the largest figures smaller.' }
    default:
      return { problem: 'The server is busy. Try again in a moment.' }
  }
}

/** Compares what the pages draw; where that differs, how they look. */
async function compare(
  original: CompileOutcome,
  rebuilt: CompileOutcome,
  { compiler, removed }: { readonly compiler: PackCompiler; readonly removed: readonly RemovedPart[] },
): Promise<Verification> {
  const [before, after] = [original.result, rebuilt.result]
  if (before.pdf === null || after.pdf === null)
    return { kind: 'failed', problem: plainMessage(after.errors[0]?.message ?? 'no PDF') }
  const [left, right] = [original.pages?.digests ?? [], rebuilt.pages?.digests ?? []]
  const counts = [before.pages ?? left.length, after.pages ?? right.length] as const
  const pages: number[] = []
  let comparedPictures = 0
  for (let page = 1; page <= Math.max(...counts); page += 1) {
    const digest = left[page - 1]
    if (digest !== undefined && digest === right[page - 1]) continue
    comparedPictures += 1
    const isSame =
      page <= Math.min(...counts) &&
      comparedPictures <= MAX_COMPARED &&
      (await looksSame(compiler, { before: before.pdf, after: after.pdf, page }))
    if (!isSame) pages.push(page)
  }
  const broken = after.errors.length > before.errors.length ? after.errors.at(-1) : undefined
  if (broken !== undefined) return { kind: 'failed', problem: plainMessage(broken.message) }
  if (pages.length === 0) return { kind: 'same', pageCount: counts[0] }
  return { kind: 'different', pageCounts: counts, pages, removed }
}

function listRemoved({ isAnonymous, withoutNotes }: PackOptions): readonly RemovedPart[] {
  return [...(isAnonymous ? (['authors'] as const) : []), ...(withoutNotes ? (['notes'] as const) : [])]
}

async function looksSame(
  compiler: PackCompiler,
  { before, after, page }: { readonly before: Uint8Array; readonly after: Uint8Array; readonly page: number },
): Promise<boolean> {
  const [left, right] = await Promise.all(
    [before, after].map((pdf) => compiler.renderPage({ pdf, page, widthPx: COMPARED_WIDTH_PX })),
  )
  return left !== null && left !== undefined && right !== null && right !== undefined && Buffer.from(left).equals(right)
}

function refuse(problem: string): PackOutcome {
  return { kind: 'refused', problem }
}
