/**
 * Maintenance after pushes: refs are packed, which makes them fastest to read; from time to time, packs are combined
 * and the history is indexed. With a commit graph that contains changed paths, the history of one file among 50,000
 * commits takes milliseconds instead of seconds.
 *
 * Each of the two has its own queue, with one repository at a time: packing refs takes milliseconds and must not wait
 * for garbage collection in a large repository.
 */
import { createLimiter } from '../../base/limiter.ts'
import { indexHistory, isWorthIndexing } from './index-history.ts'
import { runGit, type GitRun } from '../process/run-git.ts'

/** Runs maintenance in the background. */
export interface Maintenance {
  /** Resolves when the refs are packed; garbage collection follows later. Never rejects. */
  maintain(gitDir: string): Promise<void>
  /** Stops running maintenance, starts no more, and resolves when nothing runs. */
  close(): Promise<void>
}

/** Creates the maintenance queues. Failures are passed to `onProblem`; the next run repairs them. */
export function createMaintenance(options: {
  readonly searchPath: string
  readonly onProblem: (problem: { readonly gitDir: string; readonly command: string; readonly detail: string }) => void
}): Maintenance {
  const stop = new AbortController()
  const packing = createLine((gitDir) => run(gitDir, ['pack-refs', '--all', '--prune']))
  const collecting = createLine(async (gitDir) => {
    await run(gitDir, ['gc', '--auto', '--quiet'])
    if (await isWorthIndexing(gitDir)) await run(gitDir, indexHistory)
  })

  async function run(gitDir: string, args: readonly string[]): Promise<void> {
    if (stop.signal.aborted) return
    const limits = { timeoutMs: 30 * 60_000, maxOutputBytes: 64 * 1024, signal: stop.signal }
    const detail = await runGit(args, { gitDir, searchPath: options.searchPath, ...limits }).then(failureOf, String)
    if (detail !== null) options.onProblem({ gitDir, command: args.join(' '), detail })
  }

  return {
    maintain(gitDir) {
      const packed = packing.join(gitDir)
      void collecting.join(gitDir)
      return packed
    },
    async close() {
      stop.abort()
      await Promise.all([packing.end(), collecting.end()])
    },
  }
}

/**
 * Runs work for one repository at a time. Callers with the same repository share one waiting run. `work` never rejects.
 */
function createLine(work: (gitDir: string) => Promise<void>) {
  const limiter = createLimiter({ atOnce: 1 })
  const waiting = new Map<string, Promise<void>>()

  function join(gitDir: string): Promise<void> {
    const turn =
      waiting.get(gitDir) ??
      limiter.run(gitDir, () => {
        // From here on, a new push needs another run: this one may not see its refs.
        waiting.delete(gitDir)
        return work(gitDir)
      })
    waiting.set(gitDir, turn)
    return turn
  }

  return { join, end: () => limiter.run('', async () => {}) }
}

function failureOf(run: GitRun): string | null {
  if (run.kind === 'aborted') return null
  if (run.kind !== 'exited') return run.kind
  return run.exitCode === 0 ? null : `exit ${run.exitCode}: ${run.stderr.trim()}`
}
