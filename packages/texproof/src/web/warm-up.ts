import type { Parsers } from '../base/open-parsers.ts'
import type { Deps } from '../operations/deps.ts'
import { createWebApp } from './app.ts'
import { RENDER_MARKDOWN } from './content/markdown/markdown-file.ts'
import { RENDER_SOURCE } from './content/source/find-source-part.ts'

/** Starts threads and loads renderers in advance, to make the first request fast. */
export async function warmUp(parsers: Parsers): Promise<void> {
  const place = { folder: '', blobPrefix: '', rawPrefix: '' }
  // One thread each: a cold one takes some 200 ms to highlight its first source.
  await Promise.all([
    parsers.run(RENDER_MARKDOWN, { source: '', place }, { ownerId: 'warm-up-1' }),
    parsers.run(RENDER_SOURCE, { bytes: new Uint8Array(), language: 'latex', from: 1 }, { ownerId: 'warm-up-2' }),
  ])
}

/**
 * Renders the start page and the newest public repository once at start: functions are compiled on their first call,
 * which would slow the first request. Returns the status of each page.
 */
export async function warmUpPages(deps: Deps): Promise<readonly number[]> {
  const app = createWebApp({ ...deps, log: deps.log.child({}, { level: 'silent' }) })
  const order = { by: 'created', direction: 'desc' } as const
  const { items } = await deps.store.repositories.listPublic({ ownerId: null, order, window: { offset: 0, limit: 1 } })
  const paths = ['/', ...items.map(({ owner, name }) => `/${owner.login}/${name}`)]
  const statuses: number[] = []
  for (const path of paths) {
    const response = await app.request(path)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}
