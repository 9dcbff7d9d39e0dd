import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { openExportJobs } from '../../operations/export/export-jobs.ts'
import { postExport, sendPackage, showExport, showExportForm } from './export.ts'

/** Packages for submissions. */
export function addExportRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  const exportDeps = { ...deps, exports: openExportJobs(deps) }
  app.get('/:owner/:repo/export/:rest{[^]+}', (c: Context) => showExportForm(c, deps))
  app.post('/:owner/:repo/export/:rest{[^]+}', (c: Context) => postExport(c, exportDeps))
  app.get('/:owner/:repo/exports/:id', (c: Context) => showExport(c, exportDeps))
  app.get('/:owner/:repo/exports/:id/:file', (c: Context) => sendPackage(c, exportDeps))
}
