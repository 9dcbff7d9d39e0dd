import { setTimeout as delay } from 'node:timers/promises'

import type { Build } from '../../domain/build.ts'
import { isInProgress } from '../../domain/build.ts'
import { problemKey } from '../../domain/merge-problems.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import {
  buildTitle,
  countOf,
  describeAddress,
  describeBuild,
  describeFound,
  describeNotBuilt,
  describeRefsAddress,
  describeRefTotal,
  describeTotal,
  describeWaiting,
  listRefs,
} from './describe-push.ts'
import { groupOutcomes, groupPushes, type BuildOutcome, type RefGroup } from './group-pushes.ts'
import { WORKER_LOST_AFTER_MS } from '../../store/builds/worker-keys.ts'
import type { PapersContext } from '../request/queue-documents.ts'
import type { PushNews, QueuedPush } from '../types.ts'

/** How often progress is reported while a build runs. */
const PROGRESS_EVERY_MS = 500
/** Lines about the outcomes of several refs, so that the summary is on the same screen. */
const MAX_LINES = 12

export interface WatchContext extends PapersContext {
  readonly patience: AbortSignal
  readonly describeProgress: (buildId: number) => string | null
}

/**
 * Reports the documents of a push, the progress of their builds, and each outcome. Refs with the same files are reported
 * together, and an output of several results is at most a screen long.
 */
export async function* watchPushes(pushes: readonly QueuedPush[], context: WatchContext): AsyncGenerator<PushNews> {
  const groups = groupPushes(pushes)
  const built = groups.filter(([{ builds }]) => builds.length > 0)
  yield* toLines(await describeUnbuilt(groups, context))
  const [first] = built
  if (first === undefined) return
  const isBuilt = await hasBuilder(context)
  if (!isBuilt) yield { kind: 'line', text: 'No worker is connected. The build will start when a worker connects.' }
  const report: Report = {
    isBuilt,
    isOneOfMany: built.length > 1 || first[0].builds.length > 1,
    maxLines: built.length > 1 ? MAX_LINES : Infinity,
    latest: [],
    listedErrors: new Set(),
    lineCount: 0,
    omittedCount: 0,
  }
  const listed = new Set<string>()
  for (const group of built) {
    const found = describeFound(group[0].found)
    if (!listed.has(found.join('\n'))) yield* toLines(found)
    listed.add(found.join('\n'))
    for (const index of group[0].builds.keys()) yield* watchDocument(group, index, { report, context })
  }
  if (report.isOneOfMany) yield* toLines(describeEnd(built, report, context))
}

/** Refs of which nothing is built, and why. A ref without LaTeX is reported only if it has lost its documents. */
async function describeUnbuilt(groups: readonly RefGroup[], { store }: WatchContext): Promise<readonly string[]> {
  const lines: string[] = []
  for (const group of groups) {
    const [{ branch, found, builds }] = group
    if (builds.length > 0) continue
    const isWithoutLatex = found.kind === 'none' && found.near === null
    // One query, because a push may move thousands of refs.
    const built = isWithoutLatex ? await store.builds.listLastIds(branch.repository.id) : null
    const reported = group.filter(({ branch: { ref } }) => built === null || built.has(ref))
    const reasons = [...describeFound(found), ...describeNotBuilt(group[0])]
    if (reported.length === 0 || reasons.length === 0) continue
    lines.push(...(groups.length === 1 ? [] : [`${listRefs(refsOf(reported))}:`]), ...reasons)
  }
  return lines
}

/** Results reported in the output so far. */
interface Report {
  readonly isBuilt: boolean
  /** Whether there are several results: their address is printed once, at the end. */
  readonly isOneOfMany: boolean
  /** Further outcomes are counted, not listed. */
  readonly maxLines: number
  readonly latest: Build[]
  readonly listedErrors: Set<string>
  lineCount: number
  omittedCount: number
}

/** Waits for the builds of one document of refs with the same files, and reports their outcome. */
async function* watchDocument(
  group: RefGroup,
  index: number,
  { report, context }: { readonly report: Report; readonly context: WatchContext },
): AsyncGenerator<PushNews> {
  const { repository } = group[0].branch
  const document = group[0].builds.length > 1 ? (group[0].builds[index]?.rootFile ?? null) : null
  const builds = group.flatMap((push) => push.builds[index] ?? [])
  if (report.isBuilt) for (const build of builds) yield* watchBuild(build, buildTitle(refsOf(group), document), context)
  for (const same of groupOutcomes(await readOutcomes(builds, context))) {
    const [{ build, hasOlderPdf }] = same
    report.latest.push(...same.map((outcome) => outcome.build))
    if (report.isOneOfMany && isInProgress(build)) continue
    const { baseUrl } = context.config
    const title = buildTitle(
      same.map((outcome) => shortRefName(outcome.build.ref)),
      document,
    )
    const { isOneOfMany, listedErrors } = report
    const lines = describeBuild(build, { repository, baseUrl, title, isOneOfMany, hasOlderPdf, listedErrors })
    for (const error of build.errors) listedErrors.add(problemKey(error))
    if (report.lineCount >= report.maxLines) report.omittedCount += 1
    else yield* toLines(lines)
    report.lineCount += lines.length
  }
}

async function readOutcomes(builds: readonly Build[], context: WatchContext): Promise<readonly BuildOutcome[]> {
  return Promise.all(
    builds.map(async (queued) => {
      const build = (await context.store.builds.find(queued.id)) ?? queued
      return { build, hasOlderPdf: build.state === 'failed' && (await hasGoodPdf(build, context)) }
    }),
  )
}

/** The summary of several results. */
function describeEnd(
  built: readonly RefGroup[],
  { latest, omittedCount }: Report,
  { config: { baseUrl } }: WatchContext,
): readonly string[] {
  const [first] = built.flat()
  if (first === undefined) return []
  const place = { repository: first.branch.repository, baseUrl }
  const waiting = latest.filter(isInProgress).length
  const rest = omittedCount === 0 ? [] : [`and ${countOf(omittedCount, 'more result', 'more results')}`]
  return [
    ...rest,
    ...(waiting === 0 ? [] : describeWaiting(waiting, place)),
    ...(built.length > 1
      ? [describeRefTotal(latest), describeRefsAddress(latest, place)]
      : [describeTotal(latest.filter(({ ref }) => ref === first.branch.ref)), describeAddress(first.branch, place)]),
  ]
}

function refsOf(group: readonly QueuedPush[]): readonly string[] {
  return group.map(({ branch }) => shortRefName(branch.ref))
}

function* toLines(texts: readonly string[]): Generator<PushNews> {
  for (const text of texts) yield { kind: 'line', text }
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

/** A tag shows the PDF of its commit only. */
async function hasGoodPdf({ repositoryId, ref, document }: Build, { store }: WatchContext): Promise<boolean> {
  if (!ref.startsWith('refs/heads/')) return false
  const shown = await store.builds.findNewestWithPdf(repositoryId, { ref, document })
  return shown?.state === 'succeeded'
}
