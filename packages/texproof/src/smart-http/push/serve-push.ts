/**
 * Serves a push: checks the refs before git receives them, lets git store the pack, then reports builds on `remote:` lines
 * before the response ends. LaTeX errors never refuse a push: by then the refs have moved.
 *
 * Failures after the ref list has been read are reported in git's own format, because git does not show the text of
 * HTTP errors.
 *
 * Nothing is sent before the body has arrived: nginx without request buffering forwards no more of a body once the
 * response has begun, so the push would never end.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { checkPush, refuseAll, tooManyRefs } from '../../git/protocol/check-push.ts'
import { flushPkt } from '../../git/protocol/pkt-line.ts'
import { encodePushReport, reportRefusals, reportUnpack } from '../../git/protocol/push-report.ts'
import { readPushCommands } from '../../git/protocol/read-push-commands.ts'
import type { Deps } from '../../operations/deps.ts'
import type { OpenExchange } from '../exchange.ts'
import { HttpRefusal } from '../http-refusal.ts'
import { NO_CACHE } from '../send-pack.ts'
import { describeFailure } from './describe-failure.ts'
import { reportBuilds } from './report-builds.ts'
import { takePush } from './take-push.ts'
import type { PushDeps, PushTarget, ReadPush, TakenPush } from './types.ts'

/** Minimum number of bytes of a refused push to read before its report is sent. */
const MIN_DROPPED_BYTES = 64 * 1024 * 1024
/** Most of the output before the body has arrived. The rest is dropped: a pack can cause endless warnings. */
const MAX_HELD_BYTES = 64 * 1024
const RESULT_TYPE = 'application/x-git-receive-pack-result'

/**
 * Responds to a push.
 *
 * @throws HttpRefusal 400 for an invalid request.
 */
export async function servePush(deps: PushDeps, exchange: OpenExchange, target: PushTarget): Promise<void> {
  const read = await readPush(deps, exchange)
  const { response, signal } = exchange
  response.writeHead(200, { 'content-type': RESULT_TYPE, ...NO_CACHE })
  const answer = answerPush(deps, exchange, { ...read, target })
  await pipeline(Readable.from(afterBody(answer, exchange), { objectMode: false }), response, { signal })
}

/**
 * Holds the response back until the body has arrived. After the maximum of bytes it is sent anyway, but ends after the body:
 * its end may close the connection, which resets it for a client that still sends.
 */
async function* afterBody(answer: AsyncIterable<Uint8Array>, exchange: OpenExchange): AsyncGenerator<Uint8Array> {
  // Until then, there are only keep-alives and messages of git: warnings, and why it stopped reading.
  const held: Uint8Array[] = []
  let heldBytes = 0
  for await (const part of answer) {
    heldBytes += part.byteLength
    if (exchange.isReceived()) {
      yield* held.splice(0)
      yield part
    } else if (heldBytes <= MAX_HELD_BYTES) held.push(part)
  }
  await exchange.dropRest()
}

async function readPush({ config }: Deps, exchange: OpenExchange): Promise<ReadPush> {
  const read = await readPushCommands(exchange.openBody(config.maxPushBytes))
  if (read.kind === 'malformed') throw new HttpRefusal(400, 'Invalid push request.')
  if (read.kind === 'commands') return { ...read, ...checkPush(read.push), problem: null }
  // The remaining refs were not read, so the first line of the report gives the reason.
  return { ...read, accepted: [], refusals: refuseAll(read.push.commands, tooManyRefs()), problem: tooManyRefs() }
}

async function* answerPush(
  deps: PushDeps,
  exchange: OpenExchange,
  read: ReadPush & { readonly target: PushTarget },
): AsyncGenerator<Uint8Array> {
  const { push, body, accepted, refusals } = read
  const { sideBand } = push
  if (push.commands.length === 0) {
    // Before a large push git sends an empty request to test its credentials.
    await exchange.drain(body)
    return
  }
  let taken: TakenPush | null = null
  let failure = read.problem
  try {
    if (accepted.length > 0) taken = yield* takePush(deps, exchange, read)
    else await exchange.drain(body)
  } catch (error) {
    exchange.signal.throwIfAborted()
    failure = describeFailure(error, exchange)
  }
  await exchange.receiveRest(Math.max(MIN_DROPPED_BYTES, deps.config.maxPushBytes))
  const failed = failure === null ? [] : refuseAll(accepted, failure)
  const first = taken?.report ?? [reportUnpack(failure)]
  for (const part of encodePushReport(push, concat(first, reportRefusals([...failed, ...refusals])))) {
    yield part
    await nextRound()
  }
  if (sideBand === null) return
  if (taken !== null) yield* reportBuilds(deps, exchange, { push, taken })
  yield flushPkt
}

function* concat<Item>(...lists: readonly Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list
}
