import { parentPort } from 'node:worker_threads'

/** Message from the pool to a thread. */
export interface TaskCall {
  readonly name: string
  readonly input: unknown
}

/** Response of a thread. */
export type TaskAnswer =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: Error }

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
export function serveTasks(tasks: Readonly<Record<string, (input: never) => unknown>>): void {
  parentPort?.on('message', (call: TaskCall) => void answer(tasks, call))
}

async function answer(
  tasks: Readonly<Record<string, (input: never) => unknown>>,
  { name, input }: TaskCall,
): Promise<void> {
  let result: TaskAnswer
  let transfer: readonly ArrayBuffer[] = []
  try {
    const task = tasks[name]
    if (task === undefined) throw new Error(`no task "${name}"`)
    const value = await task(input as never)
    if (typeof value === 'object' && value !== null) transfer = transfers.get(value) ?? []
    result = { kind: 'done', value }
  } catch (error) {
    result = { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort?.postMessage(result, transfer)
}
