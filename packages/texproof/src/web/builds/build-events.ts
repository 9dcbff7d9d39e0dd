/**
 * Progress of a build: server-sent events with its status and current step; the last event says that the build has
 * ended.
 */
import { setTimeout as delay } from 'node:timers/promises'

import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'

import type { Deps } from '../../operations/deps.ts'
import type { RequestLimits } from '../session/limit-requests.ts'
import { isInProgress } from '../../domain/build.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { findBuild } from './find-build.ts'

const LOOK_EVERY_MS = 500
/** Proxies close an idle connection after a minute. */
const HEARTBEAT_EVERY_MS = 15_000
/** Maximum duration of a stream. The browser then reconnects, and access is checked again. */
const MAX_DURATION_MS = 60_000

/** `/{owner}/{repo}/builds/{n}/events`. */
export async function streamBuild(c: Context, deps: Deps & { readonly limits: RequestLimits }): Promise<Response> {
  const { build } = await findBuild(c, deps)
  // A response to HEAD has no reader: its stream would occupy a slot until its time limit.
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' })
  const leave = await deps.limits.events.enter(c)
  return streamSSE(c, async (stream) => {
    const end = new AbortController()
    stream.onAbort(() => end.abort())
    try {
      await streamEvents(build.id, { c, deps, signal: end.signal, write: (event) => stream.writeSSE(event) })
    } finally {
      leave()
    }
  })
}

interface Listener {
  readonly c: Context
  readonly deps: Deps
  readonly signal: AbortSignal
  readonly write: (event: { readonly event: string; readonly data: string }) => Promise<void>
}

async function streamEvents(buildId: number, { c, deps, signal, write }: Listener): Promise<void> {
  const startedAt = performance.now()
  let sent = ''
  let sentAt = startedAt
  while (!signal.aborted && performance.now() - startedAt < MAX_DURATION_MS) {
    const build = await deps.store.builds.find(buildId)
    if (build === null) return
    const isOver = !isInProgress(build)
    const data = JSON.stringify({ state: build.state, progress: deps.papers.describeProgress(buildId) })
    if (isOver || data !== sent || performance.now() - sentAt > HEARTBEAT_EVERY_MS) {
      // Checked before every event: access may be revoked while a build runs.
      if (!(await isStillVisible(c, deps))) return
      if (isOver) return write({ event: 'over', data })
      await write({ event: 'progress', data })
      sent = data
      sentAt = performance.now()
    }
    // Rejects only when the client has disconnected, which the loop detects.
    await delay(LOOK_EVERY_MS, null, { signal }).catch(() => null)
  }
}

async function isStillVisible(c: Context, deps: Deps): Promise<boolean> {
  return findViewedRepository(c, deps).then(
    () => true,
    () => false,
  )
}
