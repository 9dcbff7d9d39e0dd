/**
 * The abort signal of the client that waits for a response, available wherever git is started for it.
 *
 * A page calls git through several functions, and only the one that starts a process needs the signal. The page
 * therefore runs in an asynchronous context with the signal, instead of passing it through every function.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const clients = new AsyncLocalStorage<AbortSignal>()

/** No client waits for the response any more. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
  readonly code = 'CLIENT_DISCONNECTED'

  constructor() {
    super('the client has disconnected')
  }
}

/**
 * Runs work for a client that has disconnected when the signal aborts; history walks that no other client waits for are
 * then cancelled.
 */
export function runForClient<Result>(signal: AbortSignal, work: () => Result): Result {
  return clients.run(signal, work)
}

/** Aborts when the client of this work disconnects; null for work without a client. */
export function clientSignal(): AbortSignal | null {
  return clients.getStore() ?? null
}
