import { setTimeout as delay } from 'node:timers/promises'

import type { CompileJob, CompileOutcome } from '@texproof/platex/project'

import { createLimiter } from '../../base/limiter.ts'
import type { HostCompiler } from '../host-compiler.ts'

/** Compiles documents that are not builds, such as packages for submissions. */
export interface SpareCompiler extends Pick<HostCompiler, 'describePdf' | 'findConvertedPicture' | 'renderPage'> {
  /**
   * Waits until builds leave a slot free, then compiles; one compile at a time, with a fair share for every requester.
   * Rejects with the reason of the signal.
   */
  compile(job: Omit<CompileJob, 'sandbox' | 'signal'>, signal: AbortSignal): Promise<CompileOutcome>
}

const LOOK_EVERY_MS = 100

/** Creates the compiler of a host; `signal` ends its compiles. */
export function createSpareCompiler({
  compiler,
  concurrency,
  countBuilds,
  signal: end,
}: {
  readonly compiler: HostCompiler
  readonly concurrency: number
  readonly countBuilds: () => number
  readonly signal: AbortSignal
}): SpareCompiler {
  const limiter = createLimiter({ atOnce: 1 })
  return {
    compile(job, given) {
      const signal = AbortSignal.any([given, end])
      const work = async (): Promise<CompileOutcome> => {
        while (countBuilds() >= concurrency) await delay(LOOK_EVERY_MS, null, { signal })
        return compiler.compile({ ...job, signal })
      }
      return limiter.run(job.requester ?? '', work, { signal })
    },
    describePdf: (pdf) => compiler.describePdf(pdf),
    findConvertedPicture: (picture) => compiler.findConvertedPicture(picture),
    renderPage: (request) => compiler.renderPage({ ...request, signal: end }),
  }
}
