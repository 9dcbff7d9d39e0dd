import type { Deps } from '../operations/deps.ts'
import { createWebApp } from './app.ts'
import { styleSheet } from './assets/assets.ts'

/** Source of the client address: these requests come from no connection. */
const OWN_CONNECTION = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }

/**
 * Renders the start page and the newest public repository and makes all scripts, once at start: functions are compiled
 * on their first call, which would slow the first request. Returns the status of each page.
 */
export async function warmUpPages(deps: Deps): Promise<readonly number[]> {
  const app = createWebApp({ ...deps, log: deps.log.child({}, { level: 'silent' }) })
  const order = { by: 'created', direction: 'desc' } as const
  const { items } = await deps.store.repositories.listPublic({ ownerId: null, order, window: { offset: 0, limit: 1 } })
  const paths = ['/', styleSheet.path, ...items.map(({ owner, name }) => `/${owner.login}/${name}`)]
  const statuses: number[] = []
  for (const path of paths) {
    const response = await app.request(path, {}, OWN_CONNECTION)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}
