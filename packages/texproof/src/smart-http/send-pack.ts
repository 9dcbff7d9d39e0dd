import type { Readable } from 'node:stream'

import type { ServedPack } from '../git/types.ts'
import type { Exchange } from './exchange.ts'
import { HttpRefusal } from './http-refusal.ts'
import { relayOutput } from './relay-output.ts'

export interface PackAnswer {
  readonly contentType: string
  readonly body: Readable
  /** Sent before the first byte of `body`. */
  readonly prefix?: Uint8Array
}

/**
 * Sends git's output. The status line waits for its first byte, so that an earlier failure is an HTTP error; after it,
 * the only correct sign of failure is a broken connection.
 *
 * @throws HttpRefusal if git fails without output.
 */
export async function sendPack(exchange: Exchange, served: ServedPack, answer: PackAnswer): Promise<void> {
  const { response, signal } = exchange
  const first = await readFirst(answer.body).catch((error: unknown) => {
    exchange.log.warn({ err: error }, 'read from git')
    return null
  })
  if (first === null) await refuseSilence(exchange, served)
  // With truncated input git may report an error before it is stopped; the response is the reason of the truncation.
  if (signal.reason instanceof HttpRefusal) throw signal.reason
  response.writeHead(200, { 'content-type': answer.contentType, ...NO_CACHE })
  if (first === null) {
    response.end()
    return
  }
  if (answer.prefix !== undefined) response.write(answer.prefix)
  response.write(first)
  await relayOutput(answer.body, response, signal)
  const { exitCode, stderr } = await served.exit
  if (exitCode !== 0) exchange.log.info({ exitCode, stderr }, 'git ended with an error')
}

/** Whether git failed because of this machine or its disk, rather than the client's data. */
export function isOwnFault(exitCode: number, stderr: string): boolean {
  return exitCode === 127 || exitCode > 128 || ownFaults.test(stderr)
}

const ownFaults =
  /too many open files|input\/output error|permission denied|no space left|read-only file system|not a git repository|does not appear to be a git repository|is corrupt|is empty$|(?:unexpected|unterminated) line in/im

/** `Cache-Control` for old caches: do not store. */
export const NO_CACHE = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
}

async function readFirst(body: Readable): Promise<Uint8Array | null> {
  const chunks: AsyncIterable<Uint8Array> = body.iterator({ destroyOnReturn: false })
  for await (const chunk of chunks) return chunk
  return null
}

/** Git prints nothing for a client that only tests its credentials, which is a success. */
async function refuseSilence({ signal, log }: Exchange, served: ServedPack): Promise<void> {
  const { exitCode, stderr } = await served.exit
  if (signal.reason instanceof HttpRefusal) throw signal.reason
  if (signal.aborted) throw new HttpRefusal(400, 'The request ended early or is damaged.')
  if (exitCode === 0) return
  log.info({ exitCode, stderr }, 'git refused the request')
  if (isOwnFault(exitCode, stderr)) throw new Error(`git ended with ${exitCode}: ${stderr}`)
  throw new HttpRefusal(400, 'Git could not read the request.')
}
