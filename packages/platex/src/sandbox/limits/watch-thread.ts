/** The watcher's thread: one for all runs of the process, so that a busy main thread delays no deadline and no limit. */

import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { cpuSeconds, nicenessOf, renice } from './priority.ts'
import { killGroup } from './process-tree.ts'
import type { WatchMessage } from './run-watcher.ts'
import { EXCESSES, checkRun, monotonicMs, type WatchedRun } from './watch-run.ts'

interface Watched {
  readonly run: WatchedRun
  readonly outcome: Int32Array
  niceness: number
  nextPriorityMs: number
}

/** Higher than all programs of documents, where permitted. */
const PRIORITY = -10
const PRIORITY_INTERVAL_MS = 200

const watched = new Map<number, Watched>()

try {
  setPriority(PRIORITY) // On Linux, of this thread only.
} catch {
  // Not permitted for unprivileged users.
}

parentPort?.on('message', (message: WatchMessage) => {
  if (message.kind === 'forget') {
    watched.delete(message.id)
    return
  }
  const outcome = new Int32Array(message.outcome)
  watched.set(message.id, { run: message.run, outcome, niceness: 0, nextPriorityMs: 0 })
  look(message.id)
})

function look(id: number): void {
  const entry = watched.get(id)
  if (entry === undefined) return
  const { excess, nextMs } = checkRun(
    entry.run,
    [...watched.values()].map(({ run }) => run),
  )
  if (excess === null) {
    adjustPriority(entry)
    setTimeout(look, nextMs, id)
    return
  }
  watched.delete(id)
  // The first thread decides: a run whose end the main thread has seen is not killed, because its pid may be reused.
  if (Atomics.compareExchange(entry.outcome, 0, 0, EXCESSES.indexOf(excess) + 1) !== 0) return
  killGroup(entry.run.pid)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort?.postMessage(id)
}

/** The longer a run, the lower its priority. */
function adjustPriority(entry: Watched): void {
  const now = monotonicMs()
  if (now < entry.nextPriorityMs) return
  entry.nextPriorityMs = now + PRIORITY_INTERVAL_MS
  const niceness = Math.max(entry.niceness, nicenessOf(cpuSeconds(entry.run.pid)))
  if (niceness !== entry.niceness && renice(entry.run.pid, niceness)) entry.niceness = niceness
}
