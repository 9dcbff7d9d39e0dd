import type { Writable } from 'node:stream'

import type { Repository } from '../../domain/types.ts'
import { readPushAnswer } from '../../git/protocol/read-push-answer.ts'
import { encodePushCommands } from '../../git/protocol/read-push-commands.ts'
import { explainRefused, isAccepted, parsePushReport } from '../../git/protocol/push-report.ts'
import { explainRefusedPack } from '../../git/protocol/receive-limits.ts'
import { explainFailedRefs, isLocked, isMachineFault } from '../../git/refs/locked-refs.ts'
import type { RefUpdate, ServedPack } from '../../git/types.ts'
import type { OpenExchange } from '../exchange.ts'
import { HttpRefusal } from '../http-refusal.ts'
import { isOwnFault } from '../send-pack.ts'
import { describeFailure, firstLine } from './describe-failure.ts'
import { findPushRoom } from './find-push-room.ts'
import type { PushDeps, PushTarget, ReadPush, TakenPush } from './types.ts'
import { waitForTurn } from './wait-for-turn.ts'

/** Queues the push, lets git store it, and reads git's report. */
export async function* takePush(
  deps: PushDeps,
  exchange: OpenExchange,
  { push, body: unread, accepted, target }: ReadPush & { readonly target: PushTarget },
): AsyncGenerator<Uint8Array, TakenPush> {
  const { maxInputBytes, tooLarge } = await findPushRoom(deps, { owner: target.owner, accepted })
  const { leave, body } = yield* waitForTurn(deps, exchange, { push, body: unread })
  const { repository, news, removeUnpushed } = await target.find().catch((error: unknown) => {
    leave()
    throw error
  })
  const memory = deps.pushMemory.take(exchange.caller?.user.id ?? '')
  const limits = { maxInputBytes, maxMemoryBytes: memory.maxBytes }
  const { started, queued, stop, findRefusal } = startGit(deps, exchange, { repository, accepted, ...limits })
  const end = async (): Promise<void> => {
    memory.release()
    leave()
    await removeUnpushed()
  }
  // Waiting for a PDF does not block the next push.
  const ended = queued.then(end, end).catch((error: unknown) => exchange.log.error({ err: error }, 'end a push'))
  const served = await started
  const fed = feed(served, { head: encodePushCommands(push, accepted), body, onFailure: stop })
  fed.catch(() => {}) // Awaited below, after git has ended.
  const answer = yield* readPushAnswer(served.stdout, push.sideBand)
  const report = parsePushReport(answer.report)
  const { exitCode, stderr } = await served.exit
  if (exitCode !== 0) exchange.log.info({ exitCode, stderr }, 'git ended with an error')
  // The client reads after it has sent everything. If git reported nothing, this contains the error.
  if (report.length > 0) await fed.catch(() => {}) // The report has the reason.
  else await fed
  if (report.length === 0) refuseSilence(exitCode, stderr)
  const output = `${answer.messages}\n${stderr}`
  // git exits with 0 if it could not move a ref.
  if (exitCode === 0 && isMachineFault(output)) exchange.log.error({ stderr: output }, 'git could not complete a push')
  if (isLocked(output)) await deps.git.removeStaleLocks(repository.id)
  const hasMoved = report.some(isAccepted)
  // The repository that was created for it is gone when the client reads the report.
  if (!hasMoved) await ended
  const refusal = findRefusal()
  if (refusal !== null) {
    const [, ...remedy] = refusal.message.split('\n')
    return { report: explainRefused(report, firstLine(refusal.message)), repository, lines: remedy, queued }
  }
  const limit = explainRefusedPack(output, { tooLarge, maxMemoryBytes: memory.maxBytes })
  const explained = limit === null ? report : explainRefused(report, limit)
  return { report: explainFailedRefs(explained, output), repository, lines: hasMoved ? news : [], queued }
}

/** git reports every ref, unless it could not read the push. */
function refuseSilence(exitCode: number, stderr: string): void {
  if (isOwnFault(exitCode, stderr)) throw new Error(`git receive-pack ended with ${exitCode}: ${stderr}`)
  if (exitCode !== 0) throw new HttpRefusal(400, 'git could not read this push')
}

/** git as it stores a push. */
interface RunningPush {
  readonly started: Promise<ServedPack>
  readonly queued: TakenPush['queued']
  readonly stop: (reason: unknown) => void
  /** Why the refs were not moved, after git has ended; null if this host did not refuse them. */
  readonly findRefusal: () => HttpRefusal | null
}

/** Starts git. It completes a push even if the client disconnects. */
function startGit(
  { git, papers, pace }: PushDeps,
  exchange: OpenExchange,
  push: {
    readonly repository: Repository
    readonly accepted: readonly RefUpdate[]
    readonly maxInputBytes: number
    readonly maxMemoryBytes: number
  },
): RunningPush {
  const { repository, accepted, maxInputBytes, maxMemoryBytes } = push
  const stop = new AbortController()
  const signal = AbortSignal.any([exchange.signal, stop.signal])
  let refusal: HttpRefusal | null = null
  const started = Promise.withResolvers<ServedPack>()
  const storePush = async (lockRefs: () => Promise<void>): Promise<void> => {
    await pace(signal)
    const served = git.servePack(repository.id, {
      service: 'receive-pack',
      advertise: false,
      protocol: exchange.protocol,
      signal,
      maxInputBytes,
      maxMemoryBytes,
      newRefs: accepted.every(({ oldCommitId }) => oldCommitId === null) ? accepted.length : 0,
      admit: async () => {
        // Not locked earlier: other pushes may move refs while this pack arrives.
        refusal = await lockRefs().then(() => null, refuseFault(exchange))
        // The permission may end while the push waits for them.
        refusal ??= await exchange.findRefusal().catch(refuseFault(exchange))
        return refusal === null
      },
    })
    started.resolve(served)
    await served.exit
  }
  const move = { repositoryId: repository.id, userId: exchange.caller?.user.id ?? '', updates: accepted }
  const settled = papers.moveRefs(move, storePush, { locksLater: true })
  settled.catch(started.reject)
  const queued = settled.then((moved) => moved.queued)
  return { started: started.promise, queued, stop: (reason) => stop.abort(reason), findRefusal: () => refusal }
}

/** The push cannot be checked, so it is refused. */
function refuseFault(exchange: OpenExchange): (error: unknown) => HttpRefusal {
  return (error) => new HttpRefusal(500, describeFailure(error, exchange))
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
