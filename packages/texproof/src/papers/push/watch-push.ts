import { setTimeout as delay } from 'node:timers/promises'

import type { Build } from '../../domain/build.ts'
import { isInProgress } from '../../domain/build.ts'
import { problemKey } from '../../domain/merge-problems.ts'
import {
  buildTitle,
  describeAddress,
  describeBuild,
  describeFound,
  describeTotal,
  describeNotBuilt,
  describeWaiting,
  type BuildPlace,
} from './describe-push.ts'
import { WORKER_LOST_AFTER_MS } from '../../store/builds/worker-keys.ts'
import type { PapersContext } from '../build/queue-documents.ts'
import type { PushNews, QueuedPush } from '../types.ts'

/** How often progress is reported while a build runs. */
const PROGRESS_EVERY_MS = 500

export interface WatchContext extends PapersContext {
  readonly patience: AbortSignal
  readonly describeProgress: (buildId: number) => string | null
}

/** Reports the documents of a push, the progress of their builds, and each outcome. */
export async function* watchPush(
  { branch, found, builds }: QueuedPush,
  context: WatchContext,
): AsyncGenerator<PushNews> {
  for (const text of describeFound(found)) yield { kind: 'line', text }
  if (builds.length === 0) for (const text of describeNotBuilt(found)) yield { kind: 'line', text }
  const { repository } = branch
  const { baseUrl } = context.config
  const isOneOfMany = builds.length > 1
  const isBuilt = await hasBuilder(context)
  if (builds.length > 0 && !isBuilt)
    yield { kind: 'line', text: 'No worker is connected. The build starts when one is.' }
  const latest: Build[] = []
  const listedErrors = new Set<string>()
  for (const build of builds) {
    if (isBuilt) yield* watchBuild(build, buildTitle(build, { isOneOfMany }), context)
    const now = (await context.store.builds.find(build.id)) ?? build
    latest.push(now)
    if (isOneOfMany && isInProgress(now)) continue
    const hasOlderPdf = now.state === 'failed' && (await hasGoodPdf(build, context))
    const place: BuildPlace = { repository, baseUrl, isOneOfMany, hasOlderPdf, listedErrors }
    for (const text of describeBuild(now, place)) yield { kind: 'line', text }
    for (const error of now.errors) listedErrors.add(problemKey(error))
  }
  if (!isOneOfMany) return
  const waiting = latest.filter(isInProgress).length
  if (waiting > 0) for (const text of describeWaiting(waiting, { repository, baseUrl })) yield { kind: 'line', text }
  yield { kind: 'line', text: describeTotal(latest) }
  yield { kind: 'line', text: describeAddress(branch, { repository, baseUrl }) }
}

/** False if this machine builds nothing and no worker is connected. */
async function hasBuilder({ config, store }: WatchContext): Promise<boolean> {
  // Other servers of the database may build.
  if (config.build.isLocal || store.instances !== null) return true
  const workers = await store.workerKeys.listWorkers({ since: Date.now() - WORKER_LOST_AFTER_MS })
  return workers.length > 0
}

async function* watchBuild(build: Build, title: string, context: WatchContext): AsyncGenerator<PushNews> {
  const { patience, queue, describeProgress } = context
  let over: Promise<'over'> = queue.whenOver(build.id).then(() => 'over' as const)
  let isStartedElsewhere = false
  while (!patience.aborted) {
    const tick = new AbortController()
    const stop = AbortSignal.any([patience, tick.signal])
    const next = await Promise.race([
      over,
      // Rejects only when the client has stopped waiting.
      delay(PROGRESS_EVERY_MS, 'tick' as const, { signal: stop }).catch(() => 'tick' as const),
    ])
    tick.abort()
    if (next === 'over') isStartedElsewhere = true
    if (isStartedElsewhere && !(await runsElsewhere(build, context))) return
    if (next === 'over') over = never
    yield { kind: 'progress', text: `${title} … ${describeProgress(build.id) ?? 'queued'}` }
  }
}

const never = new Promise<never>(() => {})

/** Whether another server of the database builds it. */
async function runsElsewhere({ id }: Build, { store }: WatchContext): Promise<boolean> {
  if (store.instances === null) return false
  const build = await store.builds.find(id)
  return build !== null && isInProgress(build)
}

async function hasGoodPdf({ repositoryId, ref, document }: Build, { store }: WatchContext): Promise<boolean> {
  const shown = await store.builds.findNewestWithPdf(repositoryId, { ref, document })
  return shown?.state === 'succeeded'
}
