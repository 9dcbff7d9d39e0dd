/**
 * The demonstration of a running host: loaded in the background while its papers are looked at already. A load or a
 * removal that an earlier process was killed in is taken up again at the start.
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
 * How the demonstration stands. `hasFailed` = the last load of this process met a fault, and nothing of it is left;
 * `broken-off` = whoever loaded or removed it has died, and nobody has taken it up yet.
 */
export type DemoState =
  | { readonly kind: 'none'; readonly hasFailed: boolean }
  | {
      readonly kind: 'loading' | 'loaded' | 'removing' | 'broken-off'
      readonly repositoryCount: number
      readonly made: readonly Repository[]
    }

/** What came of asking for it. */
export type LoadDemoOutcome = Awaited<ReturnType<typeof beginDemo>>['kind']

export interface Demo {
  describe(): Promise<DemoState>
  /** Begins to load it and does not wait for the end. Nobody can sign in as one of its people. */
  load(actor: { readonly actorId: string }): Promise<LoadDemoOutcome>
  remove(actor: { readonly actorId: string }): Promise<RemoveDemoOutcome>
  /** Breaks a load off; the next start takes it up. */
  close(): Promise<void>
}

/** Opens it, and takes up what an earlier process left half done. */
export function openDemo(deps: DemoDeps & { readonly log: Logger }): Demo {
  const { log, store } = deps
  const end = new AbortController()
  const { signal } = end
  let hasFailed = false
  let work = takeUp().catch((error: unknown) => {
    if (!signal.aborted) log.error({ err: error }, 'take up demo')
  })

  /** Another process may be at it: then it has news before its hold ends. */
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
