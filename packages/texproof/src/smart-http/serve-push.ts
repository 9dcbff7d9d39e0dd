import type { Deps } from '../deps.ts'
import { encodePktLine } from '../git/pkt-line.ts'
import { readPushCommands } from '../git/read-push-commands.ts'
import { encodePushRefusal, refuseRefUpdates } from '../git/refuse-push.ts'
import { encodeRemoteLine, encodeSideBand } from '../git/side-band.ts'
import type { PushCommands } from '../git/parse-receive-pack-commands.ts'
import { withholdFinalFlush } from '../git/withhold-final-flush.ts'
import { settlePush } from '../operations/settle-push.ts'
import type { PushNews, QueuedPush } from '../papers/types.ts'
import type { Exchange, OpenExchange } from './exchange.ts'
import { holdLastChunk } from './hold-last-chunk.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { PushGate } from './push-gate.ts'
import type { PushedRepository } from './push-to-create.ts'
import { NO_CACHE, sendPack } from './send-pack.ts'
import type { StartPace } from './start-pace.ts'

export type PushDeps = Deps & { readonly gate: PushGate; readonly pace: StartPace }

interface PushBody {
  readonly commands: PushCommands
  readonly body: ReadableStream<Uint8Array>
}

/** A push waits this long for its PDF and not longer. */
const MAX_WAIT_MS = 10_000
/** Nothing on band 1: what git itself sends to keep a silent connection open. */
const KEEP_ALIVE = encodePktLine(Uint8Array.of(1))
const RESULT_TYPE = 'application/x-git-receive-pack-result'

/**
 * Serves a push: judges the refs before git sees them, lets git take the pack, then tells what became of the papers
 * on `remote:` lines before the answer ends. LaTeX never refuses a push: by then the refs have moved.
 */
export async function servePush(
  deps: PushDeps,
  exchange: OpenExchange,
  findRepository: () => Promise<PushedRepository>,
): Promise<void> {
  const read = await readCommands(deps, exchange)
  if (read.kind === 'malformed') throw new HttpRefusal(400, 'This is no push that git would send.')
  if (read.kind === 'too-many-updates') throw new HttpRefusal(413, 'One push can move 5,000 branches and tags at most.')
  const { commands, body } = read
  const refusals = refuseRefUpdates(commands.updates)
  if (refusals.length > 0) {
    // A client listens only once it has sent its pack, so the pack has to be taken off its hands.
    for await (const _chunk of body) continue
    exchange.response
      .writeHead(200, { 'content-type': RESULT_TYPE, ...NO_CACHE })
      .end(encodePushRefusal(commands, refusals))
    return
  }
  if (commands.updates.length === 0) {
    // Before a large push git asks with nothing in its hands whether it is let in.
    for await (const _chunk of body) continue
    exchange.response.writeHead(200, { 'content-type': RESULT_TYPE, ...NO_CACHE }).end()
    return
  }
  const { repository, news } = await findRepository()
  await takePush(deps, { ...exchange, repository }, { commands, body, news })
}

async function readCommands({ config }: Deps, exchange: OpenExchange): ReturnType<typeof readPushCommands> {
  try {
    return await readPushCommands(exchange.openBody(config.maxPushBytes))
  } catch (error) {
    if (error instanceof HttpRefusal) throw error
    throw new HttpRefusal(400, 'The request ended early or is damaged.')
  }
}

async function takePush(
  deps: PushDeps,
  exchange: Exchange,
  { commands, body, news }: PushBody & { readonly news: readonly string[] },
): Promise<void> {
  const { config, git, papers, gate, pace } = deps
  const { repository, caller, protocol, signal, log } = exchange
  const expectPush = async (): ReturnType<typeof papers.expectPush> => {
    await pace.turn(signal)
    return papers.expectPush(repository.id)
  }
  // The place is given up once git is done: waiting for a PDF takes nothing that the next push would need.
  const leave = await gate.enter(caller?.user.id ?? '', signal)
  const forget = await expectPush().catch((error: unknown) => {
    leave()
    throw error
  })
  const served = git.servePack(repository.id, {
    service: 'receive-pack',
    advertise: false,
    protocol,
    signal,
    maxInputBytes: config.maxPushBytes,
  })
  // Apart from the answer: a client that has gone away does not undo its push.
  const settled = served.exit
    .then(() => settlePush(deps, repository, { updates: commands.updates, pusher: caller?.user ?? null }))
    .then(async (queued) => {
      await forget()
      return queued
    })
    .catch((error: unknown) => {
      log.error({ err: error, repositoryId: repository.id }, 'settle push')
      return []
    })
    .finally(leave)
  exchange.feed(body.pipeThrough(holdLastChunk(() => exchange.assertAllowed())), served)
  const answer = served.stdout.pipeThrough(withholdFinalFlush(() => tellNews(deps, settled, { commands, news })))
  try {
    await sendPack(exchange, served, { contentType: RESULT_TYPE, body: answer })
  } finally {
    await settled
  }
}

/** The words of the push as side-band packets. A client that asked for quiet is spared the progress. */
async function* tellNews(
  deps: Deps,
  settled: Promise<readonly QueuedPush[]>,
  { commands, news: first }: { readonly commands: PushCommands; readonly news: readonly string[] },
): AsyncGenerator<Uint8Array> {
  const { sideBand, capabilities } = commands
  if (sideBand === null) return
  for (const line of first) yield encodeRemoteLine(line, sideBand)
  const patience = AbortSignal.timeout(MAX_WAIT_MS)
  for (const push of await settled) {
    for await (const news of deps.papers.watchPush(push, { patience })) {
      if (news.kind === 'line') yield encodeRemoteLine(news.text, sideBand)
      else yield capabilities.has('quiet') ? KEEP_ALIVE : encodeSideBand(2, encodeProgress(news), sideBand)
    }
  }
}

/** A carriage return lets the next words overwrite these, as git does with its own counters. */
function encodeProgress({ text }: PushNews): Uint8Array {
  return Buffer.from(`${text.replaceAll(/\p{Cc}/gu, '')}\r`)
}
