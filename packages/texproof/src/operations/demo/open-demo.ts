/**
 * The demo of a running host, loaded in the background while its first repositories can be viewed. If a process stopped
 * during a load or a removal, the next start continues it.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { Repository } from '../../domain/types.ts'
import type { DemoDeps } from './demo-deps.ts'
import { findDemo, heldForMs } from './demo-record.ts'
import type { DemoRecord } from './demo-record.ts'
import { beginDemo, fillDemo } from './load-demo.ts'
import { removeDemo } from './remove-demo.ts'
import type { RemoveDemoOutcome } from './remove-demo.ts'

/**
 * The state of the demo. `hasFailed` = the last load of this process failed and was undone; `broken-off` = the process
 * that loaded or removed it has died, and no other has taken over yet.
 */
export type DemoState =
  | { readonly kind: 'none'; readonly hasFailed: boolean }
  | {
      readonly kind: 'loading' | 'loaded' | 'removing' | 'broken-off'
      readonly repositoryCount: number
      readonly made: readonly Repository[]
    }

/** The outcome of a request to load the demo. */
export type LoadDemoOutcome = Awaited<ReturnType<typeof beginDemo>>['kind']

export interface Demo {
  describe(): Promise<DemoState>
  /** Starts loading in the background. The demo users have no password. */
  load(actor: { readonly actorId: string }): Promise<LoadDemoOutcome>
  remove(actor: { readonly actorId: string }): Promise<RemoveDemoOutcome>
  /** Stops a load; the next start continues it. */
  close(): Promise<void>
}

/** Opens the demo, and continues what an earlier process left unfinished. */
export function openDemo(deps: DemoDeps & { readonly log: Logger }): Demo {
  const { log, store } = deps
  const end = new AbortController()
  const { signal } = end
  let hasFailed = false
  let work = takeUp().catch((error: unknown) => {
    if (!signal.aborted) log.error({ err: error }, 'take up demo')
  })

  /** If another process works on the demo, it updates the record before its hold expires. */
  async function takeUp(): Promise<void> {
    while (!signal.aborted) {
      const found = await findDemo(store.settings)
      if (found === null || found.state === 'loaded') return
      const waitMs = heldForMs(found)
      if (waitMs > 0) await sleep(waitMs, undefined, { signal, ref: false })
      else if (found.state === 'removing') await removeDemo(deps)
      else await fill(await beginDemo(deps))
    }
  }

  async function fill(begun: Awaited<ReturnType<typeof beginDemo>>): Promise<void> {
    if (begun.kind !== 'begun') return
    hasFailed = false
    try {
      await fillDemo(deps, begun.hold, { hasPasswords: false, signal })
    } catch (error) {
      if (signal.aborted) return
      hasFailed = true
      log.error({ err: error }, 'load demo')
    }
  }

  return {
    async describe() {
      const found = await findDemo(store.settings)
      return found === null ? { kind: 'none', hasFailed } : describe(deps, found)
    },

    async load({ actorId }) {
      const begun = await beginDemo(deps)
      if (begun.kind !== 'begun') return begun.kind
      work = Promise.all([work, fill(begun)]).then(() => {})
      await store.events.add({ kind: 'demo-loaded', userId: null, actorId })
      return 'begun'
    },

    async remove({ actorId }) {
      const outcome = await removeDemo(deps)
      if (outcome === 'removed') await store.events.add({ kind: 'demo-removed', userId: null, actorId })
      return outcome
    },

    async close() {
      end.abort()
      await work
    },
  }
}

async function describe({ store }: Pick<DemoDeps, 'store'>, record: DemoRecord): Promise<DemoState> {
  const { state, repositoryIds, repositoryCount } = record
  const kind = state === 'loaded' || heldForMs(record) > 0 ? state : 'broken-off'
  const repositories = await Promise.all(repositoryIds.map((id) => store.repositories.findById(id)))
  return { kind, repositoryCount, made: repositories.filter((repository) => repository !== null) }
}
