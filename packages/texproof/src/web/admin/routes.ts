import type { Context, Env, Hono } from 'hono'

import { postUserQuota, showUserQuota } from './users/user-quota.ts'
import type { Deps } from '../../operations/deps.ts'
import { postStopBuild, showAdminBuilds } from './builds.ts'
import { postDemo, postRemoveDemo, showDemo, showRemoveDemo } from './demo.ts'
import { downloadAdminLog, showAdminLog } from './log.ts'
import { showAdminRepositories } from './repositories.ts'
import { postAdminRepository, showAdminRepository } from './repository.ts'
import { postRevokeInvite } from './users/invitations.ts'
import { postRegistration, showAdminSettings } from './settings.ts'
import { showAdminStatus } from './status.ts'
import { showUserAction } from './users/user-actions.ts'
import { postInvite, postUserChange, showAdminUsers } from './users/users.ts'

/** Pages for administrators; not found for other users. */
export function addAdminRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/admin', (c: Context) => c.redirect('/admin/status'))
  app.get('/admin/status', (c: Context) => showAdminStatus(c, deps))
  app.get('/admin/demo', (c: Context) => showDemo(c, deps))
  app.post('/admin/demo', (c: Context) => postDemo(c, deps))
  app.get('/admin/demo/remove', (c: Context) => showRemoveDemo(c, deps))
  app.post('/admin/demo/remove', (c: Context) => postRemoveDemo(c, deps))
  app.get('/admin/users', (c: Context) => showAdminUsers(c, deps))
  app.post('/admin/users/invite', (c: Context) => postInvite(c, deps))
  app.post('/admin/users/invite/revoke', (c: Context) => postRevokeInvite(c, deps))
  app.get('/admin/users/:login/quota', (c: Context) => showUserQuota(c, deps))
  app.post('/admin/users/:login/quota', (c: Context) => postUserQuota(c, deps))
  app.get('/admin/users/:login/:action', (c: Context) => showUserAction(c, deps))
  app.post('/admin/users/:login', (c: Context) => postUserChange(c, deps))
  app.get('/admin/repos', (c: Context) => showAdminRepositories(c, deps))
  app.get('/admin/repos/:owner/:repo', (c: Context) => showAdminRepository(c, deps))
  app.post('/admin/repos/:owner/:repo', (c: Context) => postAdminRepository(c, deps))
  app.get('/admin/builds', (c: Context) => showAdminBuilds(c, deps))
  app.post('/admin/builds', (c: Context) => postStopBuild(c, deps))
  app.get('/admin/settings', (c: Context) => showAdminSettings(c, deps))
  app.post('/admin/settings/registration', (c: Context) => postRegistration(c, deps))
  app.get('/admin/log.csv', (c: Context) => downloadAdminLog(c, deps))
  app.get('/admin/log', (c: Context) => showAdminLog(c, deps))
}
