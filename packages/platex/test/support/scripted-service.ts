import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A scripted response; `hang` never responds, `reset` breaks the connection. */
export type ScriptedAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | 'hang'
  | 'reset'

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ScriptedService extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** Resolves when the client closes the next connection of a hanging request. */
  readonly callerGone: Promise<void>
}

/** A loopback HTTP server that simulates network errors in order; the last response is repeated. */
export async function startScriptedService(answers: readonly ScriptedAnswer[]): Promise<ScriptedService> {
  const seen: SeenRequest[] = []
  const gone = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const answer = answers[Math.min(seen.length, answers.length - 1)] ?? 'reset'
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(pieces).toString() })
    if (answer === 'reset') return void request.socket.destroy()
    if (answer === 'hang') return void response.on('close', () => gone.resolve())
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    callerGone: gone.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A loopback address where nothing listens. */
export async function unusedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
