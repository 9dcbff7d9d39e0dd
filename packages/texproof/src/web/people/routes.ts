import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postInvitationAnswer, showInvitation } from './invitation.ts'
import { postInvitation, postLeave, postRevokeInvitation, showPeople } from './people.ts'

/** The people of a repository, and invitations to it. */
export function addPeopleRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/settings/invitations/:token', (c: Context) => showInvitation(c, deps))
  app.post('/settings/invitations/:token', (c: Context) => postInvitationAnswer(c, deps))
  app.get('/:owner/:repo/people', (c: Context) => showPeople(c, deps))
  app.post('/:owner/:repo/people', (c: Context) => postInvitation(c, deps))
  app.post('/:owner/:repo/people/leave', (c: Context) => postLeave(c, deps))
  app.post('/:owner/:repo/people/invitations/:id/revoke', (c: Context) => postRevokeInvitation(c, deps))
}
