/**
 * Watches runs from a thread of its own: their deadlines, their memory and their folders.
 *
 * The thread that serves requests may be busy for seconds; a run is ended all the same. Both threads may find that a run
 * is over, so the first to write into a shared word decides, and a killed run is known as killed however late the
 * message of the watcher arrives.
 */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { EXCESSES, type Excess, type WatchedRun } from './watch-run.ts'

/** What the watcher's thread is told. */
export type WatchMessage =
  | { readonly kind: 'watch'; readonly id: number; readonly run: WatchedRun; readonly outcome: SharedArrayBuffer }
  | { readonly kind: 'forget'; readonly id: number }

/** A run under watch. */
export interface Watch {
  /** Ends the watch, before it ends the run; returns the limit that the run was killed for, or null. */
  readonly stop: () => Excess | null
}

interface Watcher {
  readonly thread: Worker
  /** Rejects when the thread fails at its start. */
  readonly online: Promise<unknown>
  /** Runs under watch: how to watch them, and whom to tell. */
  readonly runs: Map<number, { readonly message: WatchMessage; readonly onKilled: () => void }>
}

const RELEASED = -1
/** The sources run as they are; a build of the package has the same file as JavaScript. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './watch-thread.ts' : './watch-thread.js', import.meta.url)

let watcher: Watcher | null = null
let lastId = 0

/** Starts the watcher's thread and waits until it runs, so that not even the first run is without it. */
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

/** Keeps no process alive: a run does that itself. */
function startThread(runs: Watcher['runs']): Watcher {
  const thread = new Worker(THREAD)
  const online = once(thread, 'online')
  online.catch(() => {}) // Reported to each caller that awaits it.
  thread.on('message', (id: number) => runs.get(id)?.onKilled())
  // After the listener for messages: adding that one refs the thread again.
  thread.unref()
  thread.on('error', () => replaceThread(runs))
  return { thread, online, runs }
}

/** A watcher that fails must not take the service with it, nor leave runs without a watch. */
function replaceThread(runs: Watcher['runs']): void {
  watcher = runs.size === 0 ? null : startThread(runs)
  for (const { message } of runs.values()) if (watcher !== null) send(watcher.thread, message)
}

function send(thread: Worker, message: WatchMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  thread.postMessage(message)
}
