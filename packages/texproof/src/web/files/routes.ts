import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import type { RequestLimits } from '../session/limit-requests.ts'
import { sendArchive } from './archive.ts'
import { showBlob } from './blob.ts'
import { sendFigure } from './figure.ts'
import { showTree } from './folder.ts'
import { sendRaw } from './raw.ts'
import { showRepositoryHome } from './repository-home.ts'

/** Folders and files. The rest of an address is matched with `[^]`: file names may contain newlines. */
export function addFileRoutes<E extends Env>(app: Hono<E>, deps: Deps & { readonly limits: RequestLimits }): void {
  app.get('/:owner/:repo', (c: Context) => showRepositoryHome(c, deps))
  app.get('/:owner/:repo/tree/:rest{[^]+}', (c: Context) => showTree(c, deps))
  app.get('/:owner/:repo/blob/:rest{[^]+}', (c: Context) => showBlob(c, deps))
  app.get('/:owner/:repo/raw/:rest{[^]+}', (c: Context) => sendRaw(c, deps))
  app.get('/:owner/:repo/figure/:rest{[^]+}', (c: Context) => sendFigure(c, deps))
  app.get('/:owner/:repo/archive/:rest{[^]+}', (c: Context) => sendArchive(c, deps))
}
