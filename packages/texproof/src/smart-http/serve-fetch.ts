import { encodeServiceHeader } from '../git/protocol/pkt-line.ts'
import type { Exchange } from './exchange.ts'
import { sendPack } from './send-pack.ts'
import type { PushDeps } from './serve-push.ts'

/** A fetch asks with a list of commits; more than this is no honest list. */
const MAX_FETCH_REQUEST_BYTES = 10 * 1024 * 1024

/** Serves `info/refs` of either service: the refs, after the line that names the service. */
export async function serveAdvertisement({ git, pace }: PushDeps, exchange: Exchange): Promise<void> {
  const { target, repository, protocol, signal } = exchange
  await pace(signal)
  const served = git.servePack(repository.id, {
    service: target.service,
    advertise: true,
    protocol,
    signal,
    maxInputBytes: 0,
  })
  served.stdin.end()
  await sendPack(exchange, served, {
    contentType: `application/x-git-${target.service}-advertisement`,
    body: served.stdout,
    prefix: encodeServiceHeader(target.service, protocol),
  })
}

/** Serves the pack of a clone or fetch. */
export async function serveFetch({ git, pace }: PushDeps, exchange: Exchange): Promise<void> {
  const { repository, protocol, signal } = exchange
  const body = exchange.openBody(MAX_FETCH_REQUEST_BYTES)
  await pace(signal)
  const served = git.servePack(repository.id, {
    service: 'upload-pack',
    advertise: false,
    protocol,
    signal,
    maxInputBytes: MAX_FETCH_REQUEST_BYTES,
  })
  exchange.feed(body, served)
  await sendPack(exchange, served, { contentType: 'application/x-git-upload-pack-result', body: served.stdout })
}
