import { parentPort } from 'node:worker_threads'

/** Message from the pool to a thread. */
export interface TaskCall {
  readonly name: string
  readonly input: unknown
}

/** Response of a thread: `started` when the code of the task is loaded, then its outcome. */
export type TaskAnswer =
  | { readonly kind: 'started' }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: Error }

interface ServeOptions {
  /** Loads the code that a task with this input needs. Its time does not count as time of the task. */
  readonly load?: (input: never) => Promise<unknown>
}

const transfers = new WeakMap<object, readonly ArrayBuffer[]>()

/** Marks buffers of a result that are transferred to the caller instead of copied; returns the result. */
export function transferring<Result extends object>(result: Result, buffers: readonly ArrayBuffer[]): Result {
  transfers.set(result, buffers)
  return result
}

/**
 * Serves tasks on this thread, one at a time, for the `createWorkerPool` that started it.
 *
 * Import the parser inside the task: threads that never run it stay small.
 */
export function serveTasks(
  tasks: Readonly<Record<string, (input: never) => unknown>>,
  { load }: ServeOptions = {},
): void {
  parentPort?.on('message', (call: TaskCall) => void answer(tasks, call, load))
}

async function answer(
  tasks: Readonly<Record<string, (input: never) => unknown>>,
  { name, input }: TaskCall,
  load: ServeOptions['load'],
): Promise<void> {
  let result: TaskAnswer
  let transfer: readonly ArrayBuffer[] = []
  try {
    const task = tasks[name]
    if (task === undefined) throw new Error(`no task "${name}"`)
    await load?.(input as never)
    send({ kind: 'started' })
    const value = await task(input as never)
    if (typeof value === 'object' && value !== null) transfer = transfers.get(value) ?? []
    result = { kind: 'done', value }
  } catch (error) {
    result = { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
  }
  send(result, transfer)
}

function send(message: TaskAnswer, transfer: readonly ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort?.postMessage(message, transfer)
}
