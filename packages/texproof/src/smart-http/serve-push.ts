/**
 * Serves a push: checks the refs before git sees them, lets git store the pack, then reports builds on `remote:` lines
 * before the response ends. LaTeX errors never refuse a push: by then the refs have moved.
 *
 * Failures after the ref list has been read are reported in git's own format, because git does not show the text of
 * HTTP errors.
 *
 * Nothing is sent before the body has arrived: nginx without request buffering forwards no more of a body once the
 * response has begun, so the push would never end.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { Limiter } from '../base/limiter.ts'
import type { Pace } from '../base/pace.ts'
import type { RateLimiter } from '../base/rate-limiter.ts'
import type { Deps } from '../operations/deps.ts'
import { checkPush, refuseAll, tooManyRefs, type CheckedPush } from '../git/protocol/check-push.ts'
import { encodePktLine, flushPkt } from '../git/protocol/pkt-line.ts'
import {
  encodePushReport,
  explainRefused,
  parsePushReport,
  reportRefusals,
  reportUnpack,
} from '../git/protocol/push-report.ts'
import { readPushAnswer } from '../git/protocol/read-push-answer.ts'
import { encodePushCommands, readPushCommands, type PushCommands } from '../git/protocol/read-push-commands.ts'
import { formatBytes } from '../domain/text/format-bytes.ts'
import { findDiskRoom, findStorageFailure } from '../base/storage-failure.ts'
import { explainFailedRefs, isLocked, isMachineFault } from '../git/refs/locked-refs.ts'
import type { PushMemory } from '../git/protocol/push-memory.ts'
import { explainRefusedPack } from '../git/protocol/receive-limits.ts'
import { encodeRemoteLine, encodeSideBand, plainTerminalText } from '../git/protocol/side-band.ts'
import type { RefUpdate, ServedPack } from '../git/types.ts'
import type { Repository, User } from '../domain/types.ts'
import { findStoreBusy, StoreUnavailable } from '../store/sqlite/store-errors.ts'
import { findQuotas, findStorageRoom } from '../accounts/users/find-quotas.ts'
import { describeQueueing } from '../papers/push/describe-push.ts'
import type { PushNews, QueuedPush } from '../papers/types.ts'
import type { OpenExchange } from './exchange.ts'
import { HttpRefusal } from './http-refusal.ts'
import { keepAliveUntil } from './keep-alive-until.ts'
import type { PushedRepository } from './push-to-create.ts'
import { NO_CACHE, isOwnFault } from './send-pack.ts'

export type PushDeps = Deps & {
  /** Limits concurrent pushes of each user and of all users: the others wait before their data is read. */
  readonly pushes: Limiter
  /** Gives each push that runs its memory. */
  readonly pushMemory: PushMemory
  /** Between two starts of git. */
  readonly pace: Pace
  /** Anonymous clones and fetches. */
  readonly fetches: RateLimiter
  /** How often a request that waits for its turn is kept open. */
  readonly keepAliveMs: number
  /** Most time that a push waits for its PDF. */
  readonly patienceMs: number
}

/** The repository that a push is for, or that it creates. */
export interface PushTarget {
  readonly owner: User
  readonly find: () => Promise<PushedRepository>
}

/** A push with its refs read and checked. */
interface ReadPush extends CheckedPush {
  readonly push: PushCommands
  /** The pack. */
  readonly body: Readable
  /** Why the whole push is refused; null = its refs are checked one by one. */
  readonly problem: string | null
}

/** Result of git for a push. */
interface TakenPush {
  /** Lines of git's report. */
  readonly report: readonly Uint8Array[]
  readonly repository: Repository
  /** Messages for the user, before those about builds. */
  readonly lines: readonly string[]
  readonly queued: Promise<readonly QueuedPush[]>
}

/** An empty packet on band 1, which git itself sends to keep an idle connection open. */
const KEEP_ALIVE = encodePktLine(Uint8Array.of(1))
/** At least this much of a refused push is read before its report is sent. */
const MIN_DROPPED_BYTES = 64 * 1024 * 1024
/** How much of a body is read while the push is queued: once all of it has arrived, keep-alives can be sent. */
const READ_AHEAD_BYTES = 1024 * 1024
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
 * its end may close the connection, which resets that of a client that still sends.
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
  if (taken !== null) yield* tellNews(deps, exchange, { push, taken })
  yield flushPkt
}

function* concat<Item>(...lists: readonly Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list
}

async function* prepend<Item>(first: Iterable<Item>, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first
  yield* rest
}

/** One line for the report, which git prints in parentheses after the ref. */
function describeFailure(error: unknown, { log, requestId }: OpenExchange): string {
  if (error instanceof HttpRefusal) return firstLine(error.message)
  log.error({ err: error }, 'push')
  const failure = findStorageFailure(error)
  if (failure !== null) return `the disk of this server is ${failure}: contact the administrator`
  const busy = findStoreBusy(error)
  if (busy instanceof StoreUnavailable) return 'the database is not available: push again'
  if (busy !== null) return busy.message
  return `internal error, request ${requestId}`
}

/** Queues the push, lets git store it, and reads git's report. */
async function* takePush(
  deps: PushDeps,
  exchange: OpenExchange,
  { push, body: unread, accepted, target }: ReadPush & { readonly target: PushTarget },
): AsyncGenerator<Uint8Array, TakenPush> {
  const { git, papers, pace, log } = { ...deps, log: exchange.log }
  const { maxInputBytes, tooLarge } = await findPushRoom(deps, { owner: target.owner, accepted })
  const { repository, news } = await target.find()
  const { leave, body } = yield* waitForTurn(deps, exchange, { push, body: unread })
  const memory = deps.pushMemory.take(exchange.caller?.user.id ?? '')
  const stop = new AbortController()
  const signal = AbortSignal.any([exchange.signal, stop.signal])
  let refusal = null as HttpRefusal | null
  const started = Promise.withResolvers<ServedPack>()
  const move = { repositoryId: repository.id, userId: exchange.caller?.user.id ?? '', updates: accepted }
  // Independent of the response: a push is completed even if its client disconnects.
  const storePush = async (lockRefs: () => Promise<void>): Promise<void> => {
    await pace(signal)
    const served = git.servePack(repository.id, {
      service: 'receive-pack',
      advertise: false,
      protocol: exchange.protocol,
      signal,
      maxInputBytes,
      maxMemoryBytes: memory.maxBytes,
      newRefs: accepted.every(({ oldCommitId }) => oldCommitId === null) ? accepted.length : 0,
      admit: async () => {
        // Not earlier: other pushes may move refs while this pack arrives.
        refusal = await lockRefs().then(() => null, refuseFault(exchange))
        // The permission may end while the push waits for them.
        refusal ??= await exchange.findRefusal().catch(refuseFault(exchange))
        return refusal === null
      },
    })
    started.resolve(served)
    await served.exit
  }
  const settled = papers.moveRefs(move, storePush, { locksLater: true })
  settled.catch(started.reject)
  // Waiting for a PDF does not block the next push.
  const queued = settled
    .then((moved) => moved.queued)
    .finally(() => {
      memory.release()
      leave()
    })
  queued.catch(() => {}) // Reported by `started`.
  const served = await started.promise
  const fed = feed(served, {
    head: encodePushCommands(push, accepted),
    body,
    onFailure: (error) => stop.abort(error),
  })
  fed.catch(() => {}) // Awaited below, after git has ended.
  const answer = yield* readPushAnswer(served.stdout, push.sideBand)
  const report = parsePushReport(answer.report)
  const { exitCode, stderr } = await served.exit
  if (exitCode !== 0) log.info({ exitCode, stderr }, 'git ended with an error')
  // The client reads after it has sent everything. If git reported nothing, this contains the error.
  if (report.length > 0) await fed.catch(() => {}) // The report has the reason.
  else await fed
  if (report.length === 0 && isOwnFault(exitCode, stderr))
    throw new Error(`git receive-pack ended with ${exitCode}: ${stderr}`)
  if (report.length === 0 && exitCode !== 0) throw new HttpRefusal(400, 'git could not read this push')
  const output = `${answer.messages}\n${stderr}`
  // git exits with 0 if it could not move a ref.
  if (exitCode === 0 && isMachineFault(output)) log.error({ stderr: output }, 'git could not complete a push')
  if (isLocked(output)) await git.removeStaleLocks(repository.id)
  const limit = explainRefusedPack(output, { tooLarge, maxMemoryBytes: memory.maxBytes })
  if (refusal === null)
    return {
      report: explainFailedRefs(limit === null ? report : explainRefused(report, limit), output),
      repository,
      lines: news,
      queued,
    }
  const [, ...remedy] = refusal.message.split('\n')
  return { report: explainRefused(report, firstLine(refusal.message)), repository, lines: remedy, queued }
}

/** The size limit of a push, and what to say of a larger one. */
interface PushRoom {
  readonly maxInputBytes: number
  readonly tooLarge: string
}

/**
 * Finds the lowest limit. Pushes that only delete are always allowed.
 *
 * @throws HttpRefusal if the owner's storage quota is used up.
 */
async function findPushRoom(
  { config, store }: PushDeps,
  { owner, accepted }: { readonly owner: User; readonly accepted: readonly RefUpdate[] },
): Promise<PushRoom> {
  const { maxPushBytes } = config
  const limit = {
    maxInputBytes: maxPushBytes,
    tooLarge: `the push is larger than the limit of ${formatBytes(maxPushBytes)}`,
  }
  if (accepted.every(({ newCommitId }) => newCommitId === null)) return limit
  const diskRoom = await findDiskRoom(config.dataDir)
  if (diskRoom <= 0) throw new HttpRefusal(507, 'the disk of this server is full: contact the administrator')
  const [room, { storageBytes }] = await Promise.all([
    findStorageRoom({ config, store }, owner.id),
    findQuotas({ config, store }, owner.id),
  ])
  const quota = formatBytes(storageBytes)
  if (room === null)
    throw new HttpRefusal(403, `the repositories of ${owner.login} exceed the storage quota of ${quota}`)
  const left = `${formatBytes(room)} of ${quota} are left`
  const limits = [
    limit,
    { maxInputBytes: room, tooLarge: `the push exceeds the storage quota of ${owner.login}: ${left}` },
    {
      maxInputBytes: diskRoom,
      tooLarge: 'the disk of this server is too full for the push: contact the administrator',
    },
  ]
  return limits.reduce((lowest, each) => (each.maxInputBytes < lowest.maxInputBytes ? each : lowest))
}

/** The push cannot be checked, so it is refused. */
function refuseFault(exchange: OpenExchange): (error: unknown) => HttpRefusal {
  return (error) => new HttpRefusal(500, describeFailure(error, exchange))
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? ''
}

/** A push that has a slot. */
interface Turn {
  /** Releases the slot. */
  readonly leave: () => void
  readonly body: AsyncIterable<Uint8Array>
}

/** Waits for the user's other pushes. */
async function* waitForTurn(
  { config, store, pushes, keepAliveMs }: PushDeps,
  exchange: OpenExchange,
  { push: { sideBand }, body }: { readonly push: PushCommands; readonly body: Readable },
): AsyncGenerator<Uint8Array, Turn> {
  const userId = exchange.caller?.user.id ?? ''
  const { concurrentPushes } = await findQuotas({ config, store }, userId)
  const turn = pushes.enter(userId, { signal: exchange.signal, atOncePerKey: concurrentPushes })
  let hasTurn = false
  try {
    const stopReading = readAhead(body)
    for await (const _ of keepAliveUntil(turn, keepAliveMs)) {
      exchange.stayOpen()
      if (sideBand !== null) yield KEEP_ALIVE
    }
    const leave = await turn
    hasTurn = true
    return { leave, body: stopReading() }
  } finally {
    // The client has disconnected: the slot is released as soon as it is assigned.
    if (!hasTurn) void turn.then((leave) => leave()).catch(() => {})
  }
}

/** Reads the start of a stream; returns a function that stops this and returns the whole stream. */
function readAhead(body: Readable): () => AsyncIterable<Uint8Array> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  const keep = (chunk: Uint8Array): void => {
    chunks.push(chunk)
    byteCount += chunk.byteLength
    if (byteCount >= READ_AHEAD_BYTES) body.pause()
  }
  body.on('data', keep)
  return () => {
    body.off('data', keep).pause()
    return prepend(chunks, body)
  }
}

/** Sends the push to git. Data that git no longer reads is read and dropped, so that the client reads the response. */
async function feed(
  { stdin }: ServedPack,
  input: {
    readonly head: Uint8Array
    readonly body: AsyncIterable<Uint8Array>
    /** Called before git's input ends: otherwise git would report a truncated pack and hide the reason. */
    readonly onFailure: (error: unknown) => void
  },
): Promise<void> {
  const { head, body, onFailure } = input
  try {
    stdin.write(head)
    for await (const chunk of body) {
      const isFull = stdin.writable && !stdin.write(chunk)
      if (isFull) await untilDrained(stdin)
    }
  } catch (error) {
    onFailure(error)
    throw error
  } finally {
    stdin.end()
  }
}

function untilDrained(stdin: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stdin.off('drain', done).off('close', done)
      resolve()
    }
    stdin.on('drain', done).on('close', done)
  })
}

/**
 * The messages of the push as side-band packets. A client that requested quiet gets no progress. A failure only ends
 * the messages, because the push has succeeded.
 */
async function* tellNews(
  { papers, config, keepAliveMs, patienceMs }: PushDeps,
  { log }: OpenExchange,
  { push: { sideBand, capabilities }, taken }: { readonly push: PushCommands; readonly taken: TakenPush },
): AsyncGenerator<Uint8Array> {
  if (sideBand === null) return
  for (const line of taken.lines) yield encodeRemoteLine(line, sideBand)
  const patience = AbortSignal.timeout(patienceMs)
  try {
    const queued = yield* waitForBuilds(taken.queued, { patience, keepAliveMs })
    if (queued === null) {
      const lines = describeQueueing({ repository: taken.repository, baseUrl: config.baseUrl })
      for (const line of lines) yield encodeRemoteLine(line, sideBand)
      return
    }
    for await (const news of papers.watchPushes(queued, { patience })) {
      if (news.kind === 'line') yield encodeRemoteLine(news.text, sideBand)
      else yield capabilities.has('quiet') ? KEEP_ALIVE : encodeSideBand(2, encodeProgress(news), sideBand)
    }
  } catch (error) {
    log.error({ err: error }, 'report the outcome of a push')
  }
}

/** The builds of a push; null if finding its documents takes longer than the client waits. */
async function* waitForBuilds(
  queued: TakenPush['queued'],
  { patience, keepAliveMs }: { readonly patience: AbortSignal; readonly keepAliveMs: number },
): AsyncGenerator<Uint8Array, readonly QueuedPush[] | null> {
  const late = new Promise<null>((resolve) => {
    patience.addEventListener('abort', () => resolve(null), { once: true })
  })
  const first = Promise.race([queued, late])
  for await (const _ of keepAliveUntil(first, keepAliveMs)) yield KEEP_ALIVE
  return first
}

/** A carriage return lets the next message overwrite this one, as in git's own counters. */
function encodeProgress({ text }: PushNews): Uint8Array {
  return Buffer.from(`${plainTerminalText(text)}\r`)
}
