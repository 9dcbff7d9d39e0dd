import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postImport, postUploadedArchive, showImport, showUploadedArchive } from './import.ts'
import { openPendingUploads } from './pending-uploads.ts'

/** Import of archives as new repositories. */
export function addImportRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  const importDeps = { ...deps, uploads: openPendingUploads(deps.config.dataDir) }
  app.get('/import', (c: Context) => showImport(c))
  app.post('/import', (c: Context) => postImport(c, importDeps))
  app.get('/import/:id', (c: Context) => showUploadedArchive(c, importDeps))
  app.post('/import/:id', (c: Context) => postUploadedArchive(c, importDeps))
}
