/**
 * The signal of the client that waits for a response, known wherever git is started on its behalf.
 *
 * A page asks git several things through several functions, and only the one that starts a process has a use for the
 * signal. So the page runs in the context of its client, instead of every function passing the signal on.
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

/** Runs work for a client that has disconnected when the signal fires; walks for no other client are then cancelled. */
export function runForClient<Result>(signal: AbortSignal, work: () => Result): Result {
  return clients.run(signal, work)
}

/** Fires when the client of this work disconnects; null for work without a client. */
export function clientSignal(): AbortSignal | null {
  return clients.getStore() ?? null
}
