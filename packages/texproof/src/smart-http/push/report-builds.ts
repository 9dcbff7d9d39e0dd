import type { PushCommands } from '../../git/protocol/read-push-commands.ts'
import { encodeRemoteLine, encodeSideBand, KEEP_ALIVE, plainTerminalText } from '../../git/protocol/side-band.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import type { GitStore, RefUpdate } from '../../git/types.ts'
import { describeQueueing, listRefs } from '../../papers/push/describe-push.ts'
import type { PushNews, QueuedPush } from '../../papers/types.ts'
import type { OpenExchange } from '../exchange.ts'
import { keepAliveUntil } from '../keep-alive-until.ts'
import type { PushDeps, TakenPush } from './types.ts'

/**
 * The messages of the push as side-band packets. A client that requested quiet gets no progress. A failure only ends
 * the messages, because the push has succeeded.
 */
export async function* reportBuilds(
  { git, papers, config, keepAliveMs, patienceMs }: PushDeps,
  { log }: OpenExchange,
  { push: { commands, sideBand, capabilities }, taken }: { readonly push: PushCommands; readonly taken: TakenPush },
): AsyncGenerator<Uint8Array> {
  if (sideBand === null) return
  for (const line of taken.lines) yield encodeRemoteLine(line, sideBand)
  const patience = AbortSignal.timeout(patienceMs)
  try {
    for (const line of await describeSharedNames(git, taken.repository.id, commands))
      yield encodeRemoteLine(line, sideBand)
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

/** New refs beyond these are not compared with the others. */
const MAX_COMPARED = 100

/** Warns of new branches and tags that share their name: the version that a tag keeps is no longer at its address. */
async function describeSharedNames(
  git: GitStore,
  repositoryId: number,
  commands: readonly RefUpdate[],
): Promise<readonly string[]> {
  const created = commands.filter(({ oldCommitId, newCommitId }) => oldCommitId === null && newCommitId !== null)
  const names = [...new Set(created.slice(0, MAX_COMPARED).map(({ ref }) => shortRefName(ref)))]
  if (names.length === 0) return []
  const refsOf = (name: string): readonly string[] => [`refs/heads/${name}`, `refs/tags/${name}`]
  const current = await git.findRefs(repositoryId, names.flatMap(refsOf))
  const shared = names.filter((name) => refsOf(name).every((ref) => current.has(ref)))
  if (shared.length === 0) return []
  return [
    `${listRefs(shared)}: a branch and a tag have this name. Pages and PDFs at it show the branch.`,
    '  Delete or rename one of them.',
  ]
}
