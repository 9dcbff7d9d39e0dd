import type { CompileProgress, ConfirmingPdf } from '@texproof/platex/project'
import type { Logger } from 'pino'

import { DiskFull, findDiskRoom } from '../../base/storage-failure.ts'
import type { Build } from '../../domain/build.ts'
import { describeCompile } from '../../domain/build/describe-compile.ts'
import type { BuildLease } from '../../store/builds/build-leases.ts'
import type { Store } from '../../store/store.ts'
import type { PictureStore } from '../cache/page-image-store.ts'
import { drawFirstPage } from './draw-first-page.ts'
import { describeFault, recordOutcome } from './record-outcome.ts'
import { refuse, runBuild, type BuildTools } from './run-build.ts'

/** Dependencies of builds on this machine and of their records. */
export interface LocalBuildDeps extends Omit<BuildTools, 'ownerId'> {
  readonly log: Logger
  readonly store: Store
  readonly pictures: PictureStore
  /** Builds that run or wait in this process. */
  readonly countBuilds: () => number
}

export interface LocalBuildOptions {
  readonly ownerId: string
  readonly lease: BuildLease
  readonly signal: AbortSignal
  /** Called with each step, as text. */
  readonly onStep: (step: string) => void
}

/**
 * Compiles a build on this machine and records its outcome, which is a failure if the build could not run.
 *
 * @throws the reason of the signal on abort.
 */
export async function runLocalBuild(build: Build, deps: LocalBuildDeps, options: LocalBuildOptions): Promise<void> {
  const { config, log, countBuilds } = deps
  const { ownerId, lease, signal, onStep } = options
  const recording = { ...deps, lease, signal }
  if ((await findDiskRoom(config.dataDir)) <= 0)
    return recordOutcome(build, refuse(describeFault(new DiskFull('build'))), recording)
  onStep('reading the files')
  // The confirming PDF must be recorded before the outcome.
  let confirming = Promise.resolve()
  const onConfirming = (confirmed: ConfirmingPdf): void => {
    confirming = confirming.then(() => showConfirming(build, lease, confirmed, deps))
  }
  const onProgress = (progress: CompileProgress): void => onStep(describeCompile(progress))
  try {
    const isLast = (): boolean => countBuilds() <= 1
    const outcome = await runBuild(build, { ...deps, ownerId }, { signal, onProgress, onConfirming, isLast })
    await confirming
    await recordOutcome(build, outcome, recording)
    if (outcome.pdfId !== null) drawFirstPage(build, outcome.pdfId, deps)
  } catch (error) {
    if (signal.aborted) throw error
    log.error({ err: error, repositoryId: build.repositoryId, build: build.number }, 'build could not run')
    await recordOutcome(build, refuse(describeFault(error)), recording)
  }
}

async function showConfirming(
  build: Build,
  lease: BuildLease,
  { pdf, pages }: ConfirmingPdf,
  deps: LocalBuildDeps,
): Promise<void> {
  try {
    const pdfId = await deps.pdfs.add(pdf)
    await deps.store.builds.setConfirming(lease, { pdfId, pageCount: pages })
    // This runs during the last pass; the final PDF is usually the same.
    drawFirstPage(build, pdfId, deps)
  } catch (error) {
    deps.log.warn({ err: error, build: build.number }, 'show a PDF before the last pass')
  }
}
