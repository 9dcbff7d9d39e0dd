import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { createLsRefsParser, type LsRefs } from '../git/protocol/ls-refs.ts'
import { encodeServiceHeader } from '../git/protocol/pkt-line.ts'
import { putBack } from '../git/protocol/put-back.ts'
import type { Exchange } from './exchange.ts'
import { NO_CACHE, sendPack } from './send-pack.ts'
import type { PushDeps } from './push/types.ts'

/** A fetch request is a list of commits; larger ones are invalid. */
const MAX_FETCH_REQUEST_BYTES = 10 * 1024 * 1024
const FETCH_TYPE = 'application/x-git-upload-pack-result'

/** Serves `info/refs` of either service: the refs, after the line that names the service. */
export async function serveAdvertisement({ git, pace }: PushDeps, exchange: Exchange): Promise<void> {
  const { target, repository, protocol, signal } = exchange
  const { service } = target
  const contentType = `application/x-git-${service}-advertisement`
  const prefix = encodeServiceHeader(service, protocol)
  const refs = await git.advertiseRefs(repository.id, { service, protocol })
  if (refs !== null) return sendRefs(exchange, { contentType, prefix, refs })
  await pace(signal)
  const served = git.servePack(repository.id, { service, advertise: true, protocol, signal, maxInputBytes: 0 })
  served.stdin.end()
  await sendPack(exchange, served, { contentType, prefix, body: served.stdout })
}

/** Serves a ref list, or the pack of a clone or fetch. */
export async function serveFetch({ git, pace }: PushDeps, exchange: Exchange): Promise<void> {
  const { repository, protocol, signal } = exchange
  const { request, body } = await readRequest(exchange)
  const refs = request === null ? null : await git.listRefs(repository.id, request)
  if (refs !== null) {
    body.resume()
    return sendRefs(exchange, { contentType: FETCH_TYPE, prefix: new Uint8Array(), refs })
  }
  await pace(signal)
  const served = git.servePack(repository.id, {
    service: 'upload-pack',
    advertise: false,
    protocol,
    signal,
    maxInputBytes: MAX_FETCH_REQUEST_BYTES,
  })
  exchange.feed(body, served)
  await sendPack(exchange, served, { contentType: FETCH_TYPE, body: served.stdout })
}

/** Checks whether a request asks for a ref list. The body remains unread. */
async function readRequest(exchange: Exchange): Promise<{ readonly request: LsRefs | null; readonly body: Readable }> {
  const body = exchange.openBody(MAX_FETCH_REQUEST_BYTES)
  if (exchange.protocol !== 'version=2') return { request: null, body }
  const parse = createLsRefsParser()
  let bytes = new Uint8Array()
  let request: LsRefs | null = null
  const chunks: AsyncIterable<Uint8Array> = body.iterator({ destroyOnReturn: false })
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk])
    const read = parse(bytes)
    if (read.kind === 'incomplete') continue
    if (read.kind === 'ls-refs') request = read.request
    break
  }
  return { request, body: putBack(bytes, body) }
}

interface RefAnswer {
  readonly contentType: string
  readonly prefix: Uint8Array
  readonly refs: Iterable<Uint8Array>
}

async function sendRefs({ response, signal }: Exchange, { contentType, prefix, refs }: RefAnswer): Promise<void> {
  response.writeHead(200, { 'content-type': contentType, ...NO_CACHE })
  response.write(prefix)
  await pipeline(Readable.from(refs, { objectMode: false }), response, { signal })
}
