/**
 * Watches runs from a thread of its own: their deadlines, their memory and their folders.
 *
 * The main thread may be busy for seconds; limits are enforced anyway. Both threads may detect the end of a run, so the
 * first to write into a shared word decides, and a killed run is known as killed however late the watcher's message
 * arrives.
 */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { EXCESSES, type Excess, type WatchedRun } from './watch-run.ts'

/** Messages to the watcher's thread. */
export type WatchMessage =
  | { readonly kind: 'watch'; readonly id: number; readonly run: WatchedRun; readonly outcome: SharedArrayBuffer }
  | { readonly kind: 'forget'; readonly id: number }

/** A watched run. */
export interface Watch {
  /** Ends the watch, before it ends the run; returns the limit for which the run was killed, or null. */
  readonly stop: () => Excess | null
}

interface Watcher {
  readonly thread: Worker
  /** Rejects if the thread fails at its start. */
  readonly online: Promise<unknown>
  /** The watched runs with their callbacks. */
  readonly runs: Map<number, { readonly message: WatchMessage; readonly onKilled: () => void }>
}

const RELEASED = -1
/** Sources run directly; a build of the package has the same file as JavaScript. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './watch-thread.ts' : './watch-thread.js', import.meta.url)

let watcher: Watcher | null = null
let lastId = 0

/** Starts the watcher's thread and waits until it runs, so that even the first run is watched. */
export async function startWatcher(): Promise<void> {
  const { thread, online } = openWatcher()
  thread.ref()
  await online
  thread.unref()
}

/** Watches a run until it is stopped or killed; `onKilled` is called once, some time after the kill. */
export function watchRun(run: WatchedRun, onKilled: () => void): Watch {
  const { thread, runs } = openWatcher()
  const id = (lastId += 1)
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const outcome = new Int32Array(shared)
  const message: WatchMessage = { kind: 'watch', id, run, outcome: shared }
  runs.set(id, { message, onKilled })
  send(thread, message)
  return {
    stop: () => {
      const reached = Atomics.compareExchange(outcome, 0, 0, RELEASED)
      if (watcher !== null && watcher.runs.delete(id)) send(watcher.thread, { kind: 'forget', id })
      return EXCESSES[reached - 1] ?? null
    },
  }
}

function openWatcher(): Watcher {
  watcher ??= startThread(new Map())
  return watcher
}

/** Does not keep the process alive: runs do that themselves. */
function startThread(runs: Watcher['runs']): Watcher {
  const thread = new Worker(THREAD)
  const online = once(thread, 'online')
  online.catch(() => {}) // Reported to each caller that awaits it.
  thread.on('message', (id: number) => runs.get(id)?.onKilled())
  // Called after adding the message listener, which refs the thread again.
  thread.unref()
  thread.on('error', () => replaceThread(runs))
  return { thread, online, runs }
}

/** Replaces a failed thread, so that the service continues and its runs stay watched. */
function replaceThread(runs: Watcher['runs']): void {
  watcher = runs.size === 0 ? null : startThread(runs)
  for (const { message } of runs.values()) if (watcher !== null) send(watcher.thread, message)
}

function send(thread: Worker, message: WatchMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  thread.postMessage(message)
}
