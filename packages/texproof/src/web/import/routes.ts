import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postImport, postUploadedArchive, showImport, showUploadedArchive } from './import.ts'
import { cancelGitImport, postGitImport, showGitImport, showGitImportForm } from './git-import.ts'
import { openGitImports } from './git-imports.ts'
import { postMirror, showMirror } from './mirror.ts'
import { openPendingUploads } from './pending-uploads.ts'

/** Import of archives and of repositories on other servers, and mirrors of those. */
export function addImportRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  const importDeps = { ...deps, uploads: openPendingUploads(deps.config.dataDir), imports: openGitImports(deps) }
  app.get('/import', (c: Context) => showImport(c))
  app.post('/import', (c: Context) => postImport(c, importDeps))
  app.get('/import/git', (c: Context) => showGitImportForm(c))
  app.post('/import/git', (c: Context) => postGitImport(c, importDeps))
  app.get('/import/git/:id', (c: Context) => showGitImport(c, importDeps))
  app.post('/import/git/:id/cancel', (c: Context) => cancelGitImport(c, importDeps))
  app.get('/:owner/:repo/settings/mirror', (c: Context) => showMirror(c, deps))
  app.post('/:owner/:repo/settings/mirror', (c: Context) => postMirror(c, deps))
  app.get('/import/:id', (c: Context) => showUploadedArchive(c, importDeps))
  app.post('/import/:id', (c: Context) => postUploadedArchive(c, importDeps))
}
