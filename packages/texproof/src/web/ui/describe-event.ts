import type { AccountEvent } from '../../store/users/account-events.ts'

const WORDS: Readonly<Record<string, string>> = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'A sign-in failed',
  'second-step-failed': 'Two-factor authentication failed',
  'two-factor-on': 'Turned two-factor on',
  'two-factor-off': 'Turned two-factor off',
  'recovery-codes-made': 'Made new recovery codes',
  'recovery-code-used': 'Used a recovery code',
  'factors-reset': 'Took two-factor and passkeys away',
  'passkey-added': 'Added the passkey',
  'passkey-renamed': 'Renamed the passkey',
  'passkey-removed': 'Removed the passkey',
  'passkey-refused': 'Refused the passkey',
  'token-created': 'Created the token',
  'token-revoked': 'Revoked the token',
  'password-changed': 'Changed the password',
  'host-set-up': 'Set up this host',
  'demo-loaded': 'Loaded demo papers',
  'demo-removed': 'Removed the demo papers',
  'registration-changed': 'Changed who may make an account',
  joined: 'Made an account',
  'email-asked': 'Asked for another e-mail address',
  'email-changed': 'Changed the e-mail address',
  'identity-linked': 'Linked a way to sign in',
  'identity-unlinked': 'Unlinked a way to sign in',
  'user-added': 'Made an account by the command line',
  'user-invited': 'Made an invitation',
  'invite-revoked': 'Ended an invitation',
  'quota-changed': 'Changed the limits',
  'user-disabled': 'Disabled the account',
  'user-enabled': 'Enabled the account',
  'administrator-made': 'Made an administrator',
  'reset-link-made': 'Made a link for a new password',
  'password-reset': 'Set a new password by a link',
  'share-link-created': 'Shared a paper',
  'share-link-revoked': 'Ended a share link',
  'repository-archived': 'Archived',
  'repository-unarchived': 'Took out of the archive',
  'repository-renamed': 'Renamed',
  'repository-public': 'Made public',
  'repository-private': 'Made private',
  'repository-deleted': 'Deleted',
  'repository-restored': 'Restored',
  'repository-removed': 'Removed for good',
  'build-stopped': 'Stopped',
  'repository-disabled': 'Disabled',
  'repository-enabled': 'Enabled again',
  'collaborator-added': 'Let in',
  'collaborator-removed': 'Took the right away from',
}

/** An event of the log in words; one of another version by its own name. */
export function describeEvent({ kind, detail }: AccountEvent): string {
  const words = wordsOfKind(kind)
  return detail === null ? words : `${words}: ${detail}`
}

/** What happened, whomever it happened to. */
export function wordsOfKind(kind: string): string {
  return WORDS[kind] ?? kind.replaceAll('-', ' ')
}
