import type { Context, Env, Hono } from 'hono'

import { showUsage } from './usage.ts'
import type { Deps } from '../../operations/deps.ts'
import { postDeleteAccount, showDeleteAccount } from './delete-account.ts'
import { postAppearance, showAppearance } from './appearance.ts'
import { postToken, showNewToken } from './new-token.ts'
import { postRemoveAvatar } from './avatar-form.ts'
import { postReauthenticationOptions } from '../shell/reauthentication-page.ts'
import {
  postPasskey,
  postPasskeyBegin,
  postPasskeyOffer,
  postRemovePasskey,
  postRenamePasskey,
  showPasskeys,
} from './passkeys.ts'
import { postCancelEmail } from './email-form.ts'
import { postEmailVerification, showEmailVerification } from './confirm-email.ts'
import { postAvatar, postEmail, postEmailAgain, postProfile, showProfileSettings } from './profile.ts'
import { postPassword, showSecurity } from './security.ts'
import { postEndAllSessions, postEndSession, showSessions } from './sessions.ts'
import { postRevokeToken, showTokens } from './tokens.ts'
import {
  postRecoveryCodes,
  postTwoFactorConfirm,
  postTwoFactorOff,
  postTwoFactorStart,
  showTwoFactor,
} from './two-factor.ts'

/** Settings of users. */
export function addSettingsRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/settings', (c: Context) => c.redirect('/settings/profile'))
  app.get('/settings/profile', (c: Context) => showProfileSettings(c, deps))
  app.post('/settings/profile', (c: Context) => postProfile(c, deps))
  app.get('/settings/profile/email', (c: Context) => showEmailVerification(c, deps))
  app.post('/settings/profile/email', (c: Context) => postEmail(c, deps))
  app.post('/settings/profile/email/confirm', (c: Context) => postEmailVerification(c, deps))
  app.post('/settings/profile/email/again', (c: Context) => postEmailAgain(c, deps))
  app.post('/settings/profile/email/cancel', (c: Context) => postCancelEmail(c, deps))
  app.post('/settings/profile/avatar', (c: Context) => postAvatar(c, deps))
  app.post('/settings/profile/avatar/remove', (c: Context) => postRemoveAvatar(c, deps))
  app.get('/settings/profile/delete', (c: Context) => showDeleteAccount(c, deps))
  app.post('/settings/profile/delete', (c: Context) => postDeleteAccount(c, deps))
  app.get('/settings/tokens', (c: Context) => showTokens(c, deps))
  app.get('/settings/tokens/new', (c: Context) => showNewToken(c))
  app.post('/settings/tokens', (c: Context) => postToken(c, deps))
  app.post('/settings/tokens/:id/revoke', (c: Context) => postRevokeToken(c, deps))
  app.get('/settings/sessions', (c: Context) => showSessions(c, deps))
  app.post('/settings/sessions/:id/end', (c: Context) => postEndSession(c, deps))
  app.post('/settings/sessions/end', (c: Context) => postEndAllSessions(c, deps))
  app.get('/settings/security', (c: Context) => showSecurity(c, deps))
  // Password managers open this address.
  app.get('/.well-known/change-password', (c) => c.redirect('/settings/security'))
  app.post('/settings/security/password', (c: Context) => postPassword(c, deps))
  app.post('/settings/security/owner/options', (c: Context) => postReauthenticationOptions(c, deps))
  app.get('/settings/security/passkeys', (c: Context) => showPasskeys(c, deps))
  app.post('/settings/security/passkeys/begin', (c: Context) => postPasskeyBegin(c, deps))
  app.post('/settings/security/passkeys/options', (c: Context) => postPasskeyOffer(c, deps))
  app.post('/settings/security/passkeys', (c: Context) => postPasskey(c, deps))
  app.post('/settings/security/passkeys/:id/rename', (c: Context) => postRenamePasskey(c, deps))
  app.post('/settings/security/passkeys/:id/remove', (c: Context) => postRemovePasskey(c, deps))
  app.get('/settings/security/two-factor', (c: Context) => showTwoFactor(c, deps))
  app.post('/settings/security/two-factor/start', (c: Context) => postTwoFactorStart(c, deps))
  app.post('/settings/security/two-factor/confirm', (c: Context) => postTwoFactorConfirm(c, deps))
  app.post('/settings/security/two-factor/recovery-codes', (c: Context) => postRecoveryCodes(c, deps))
  app.post('/settings/security/two-factor/off', (c: Context) => postTwoFactorOff(c, deps))
  app.get('/settings/usage', (c: Context) => showUsage(c, deps))
  app.get('/settings/appearance', (c: Context) => showAppearance(c))
  app.post('/settings/appearance', (c: Context) => postAppearance(c))
}
