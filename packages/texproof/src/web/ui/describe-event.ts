import type { AccountEvent } from '../../store/users/account-events.ts'

const WORDS: Readonly<Record<string, string>> = {
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
  'session-ended': 'Signed out another browser',
  'sessions-ended': 'Signed out everywhere else',
  'sign-in-failed': 'Failed to sign in',
  'second-step-failed': 'Two-factor authentication failed',
  'two-factor-on': 'Turned two-factor on',
  'two-factor-off': 'Turned two-factor off',
  'recovery-codes-made': 'Created new recovery codes',
  'recovery-code-used': 'Used a recovery code',
  'factors-reset': 'Reset two-factor and passkeys',
  'passkey-added': 'Added the passkey',
  'passkey-renamed': 'Renamed the passkey',
  'passkey-removed': 'Removed the passkey',
  'passkey-refused': 'Refused the passkey',
  'token-created': 'Created the token',
  'token-revoked': 'Revoked the token',
  'password-changed': 'Changed the password',
  'host-set-up': 'Set up this host',
  'demo-loaded': 'Loaded demo data',
  'demo-removed': 'Removed the demo data',
  'registration-changed': 'Changed registration',
  joined: 'Created an account',
  'email-asked': 'Requested a change of the email address',
  'email-changed': 'Changed the email address',
  'identity-linked': 'Linked a sign-in method',
  'identity-unlinked': 'Unlinked a sign-in method',
  'user-added': 'Created an account on the command line',
  'user-invited': 'Created an invitation',
  'invite-revoked': 'Revoked an invitation',
  'quota-changed': 'Changed the quota',
  'account-deleted': 'Deleted the account',
  'user-disabled': 'Disabled the account',
  'user-enabled': 'Enabled the account',
  'administrator-made': 'Made administrator',
  'reset-link-made': 'Created a password reset link',
  'password-reset': 'Reset the password',
  'webhook-added': 'Added the webhook',
  'webhook-changed': 'Changed the webhook',
  'webhook-deleted': 'Deleted the webhook',
  'share-link-created': 'Created a share link',
  'share-link-revoked': 'Revoked a share link',
  'template-offered': 'Offered as a template',
  'template-withdrawn': 'No longer offered as a template',
  'template-listed': 'Added to the template gallery',
  'template-unlisted': 'Removed from the template gallery',
  'repository-archived': 'Archived',
  'repository-unarchived': 'Unarchived',
  'mirror-ended': 'Stopped mirroring',
  'repository-renamed': 'Renamed',
  'repository-transferred': 'Transferred',
  'transfer-offered': 'Requested a transfer',
  'transfer-withdrawn': 'Cancelled the transfer',
  'transfer-declined': 'Declined the transfer',
  'repository-public': 'Made public',
  'repository-private': 'Made private',
  'repository-deleted': 'Deleted',
  'repository-restored': 'Restored',
  'repository-removed': 'Deleted permanently',
  'build-stopped': 'Stopped',
  'repository-disabled': 'Disabled',
  'repository-enabled': 'Enabled again',
  'collaborator-invited': 'Invited a collaborator',
  'collaborator-added': 'Added a collaborator',
  'collaborator-removed': 'Removed a collaborator',
}

/** Describes an event of the log; an unknown kind of another version by its name. */
export function describeEvent({ kind, detail }: AccountEvent): string {
  const words = wordsOfKind(kind)
  if (detail === null) return words
  return `${words}: ${kind === 'share-link-created' ? withShortRef(detail) : detail}`
}

/** The detail of a share link is its repository and ref: `alice/tides refs/heads/main` becomes `alice/tides at main`. */
function withShortRef(detail: string): string {
  return detail.replace(/^(\S+) (?:refs\/(?:heads|tags)\/)?/, '$1 at ')
}

/** Describes a kind of event without its user. */
export function wordsOfKind(kind: string): string {
  return WORDS[kind] ?? kind.replaceAll('-', ' ')
}
