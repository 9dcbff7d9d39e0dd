import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postInvitationAnswer, showInvitation } from './invitation.ts'
import { postTransferAnswer, showTransferOffer } from './transfer-offer.ts'
import { postTransfer, showTransfer } from './transfer.ts'
import { postInvitation, postLeave, postRemove, postRevokeInvitation, showPeople } from './people.ts'

/** The people of a repository, invitations to it and its transfer to another owner. */
export function addPeopleRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/settings/invitations/:token', (c: Context) => showInvitation(c, deps))
  app.post('/settings/invitations/:token', (c: Context) => postInvitationAnswer(c, deps))
  app.get('/:owner/:repo/people', (c: Context) => showPeople(c, deps))
  app.post('/:owner/:repo/people', (c: Context) => postInvitation(c, deps))
  app.post('/:owner/:repo/people/remove', (c: Context) => postRemove(c, deps))
  app.post('/:owner/:repo/people/leave', (c: Context) => postLeave(c, deps))
  app.post('/:owner/:repo/people/invitations/:id/revoke', (c: Context) => postRevokeInvitation(c, deps))
  app.get('/:owner/:repo/settings/transfer', (c: Context) => showTransfer(c, deps))
  app.post('/:owner/:repo/settings/transfer', (c: Context) => postTransfer(c, deps))
  app.get('/settings/transfers/:id', (c: Context) => showTransferOffer(c, deps))
  app.post('/settings/transfers/:id', (c: Context) => postTransferAnswer(c, deps))
}
