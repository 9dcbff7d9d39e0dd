/**
 * Maintenance after pushes: refs are packed, which makes them fastest to read; from time to time, packs are combined
 * and the history is indexed. With a commit graph that contains changed paths, the history of one file among 50,000
 * commits takes milliseconds instead of seconds.
 *
 * Each of the two has its own queue: packing refs takes milliseconds and must not wait for garbage collection. Two
 * repositories are collected at a time, so that a large one does not delay the others.
 */
import { createLimiter } from '../../base/limiter.ts'
import { indexHistory, isWorthIndexing } from './index-history.ts'
import { runGit, type GitRun } from '../process/run-git.ts'
import { packRefs } from '../refs/pack-refs.ts'

/** Runs maintenance in the background. */
export interface Maintenance {
  /** Resolves when the refs are packed; garbage collection follows later. Never rejects. */
  maintain(gitDir: string): Promise<void>
  /** Stops garbage collection in one repository, and resolves when it has ended. */
  cancel(gitDir: string): Promise<void>
  /** Stops running maintenance, starts no more, and resolves when nothing runs. */
  close(): Promise<void>
}

/** Creates the maintenance queues. Failures are passed to `onProblem`; the next run repairs them. */
export function createMaintenance(options: {
  readonly searchPath: string
  /** Collects garbage unless another server does so in the repository; null = there are no others. @default null */
  readonly runAlone?: ((gitDir: string, run: () => Promise<void>) => Promise<unknown>) | null
  readonly onProblem: (problem: { readonly gitDir: string; readonly command: string; readonly detail: string }) => void
}): Maintenance {
  const { searchPath } = options
  const stop = new AbortController()
  const packing = createLine(pack, { atOnce: 1 })
  const collections = new Map<string, { readonly abort: AbortController; readonly over: Promise<void> }>()
  const collecting = createLine(
    async (gitDir) => {
      const abort = new AbortController()
      const over = collectAlone(gitDir, AbortSignal.any([stop.signal, abort.signal]))
      collections.set(gitDir, { abort, over })
      await over
      collections.delete(gitDir)
    },
    { atOnce: 2 },
  )

  /** If it fails, or another server collects, a later push starts it again. */
  async function collectAlone(gitDir: string, signal: AbortSignal): Promise<void> {
    const { runAlone = null } = options
    if (runAlone === null) return collect(gitDir, signal)
    await runAlone(gitDir, () => collect(gitDir, signal)).catch((error: unknown) =>
      options.onProblem({ gitDir, command: 'gc', detail: String(error) }),
    )
  }

  async function collect(gitDir: string, signal: AbortSignal): Promise<void> {
    await run(gitDir, ['gc', '--auto', '--quiet'], signal)
    if (!signal.aborted && (await isWorthIndexing(gitDir))) await run(gitDir, indexHistory, signal)
  }

  async function pack(gitDir: string): Promise<void> {
    if (stop.signal.aborted) return
    await report(gitDir, 'pack-refs', packRefs(gitDir, { searchPath, timeoutMs: TIMEOUT_MS, signal: stop.signal }))
  }

  async function run(gitDir: string, args: readonly string[], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: 64 * 1024, signal }
    await report(gitDir, args.join(' '), runGit(args, { gitDir, searchPath, ...limits }))
  }

  async function report(gitDir: string, command: string, run: Promise<GitRun>): Promise<void> {
    const detail = await run.then(failureOf, String)
    if (detail !== null) options.onProblem({ gitDir, command, detail })
  }

  return {
    maintain(gitDir) {
      const packed = packing.join(gitDir)
      void collecting.join(gitDir)
      return packed
    },
    async cancel(gitDir) {
      const collection = collections.get(gitDir)
      collection?.abort.abort()
      await collection?.over
    },
    async close() {
      stop.abort()
      await Promise.all([packing.end(), collecting.end()])
    },
  }
}

const TIMEOUT_MS = 30 * 60_000

/**
 * Runs work once at a time per repository, and for at most `atOnce` repositories. Callers with the same repository
 * share one waiting run. `work` never rejects.
 */
function createLine(work: (gitDir: string) => Promise<void>, { atOnce }: { readonly atOnce: number }) {
  const limiter = createLimiter({ atOnce, atOncePerKey: 1 })
  const waiting = new Map<string, Promise<void>>()
  const underWay = new Set<Promise<void>>()

  function join(gitDir: string): Promise<void> {
    const turn =
      waiting.get(gitDir) ??
      limiter.run(gitDir, () => {
        // From here on, a new push needs another run: this one may not include its refs.
        waiting.delete(gitDir)
        const run = work(gitDir).finally(() => underWay.delete(run))
        underWay.add(run)
        return run
      })
    waiting.set(gitDir, turn)
    return turn
  }

  return { join, end: async () => void (await Promise.all([...waiting.values(), ...underWay])) }
}

function failureOf(run: GitRun): string | null {
  if (run.kind === 'aborted') return null
  if (run.kind !== 'exited') return run.kind
  return run.exitCode === 0 ? null : `exit ${run.exitCode}: ${run.stderr.trim()}`
}
