import type { Context } from 'hono'

import { redirectWithValue, takeValue } from './cookies.ts'

/**
 * Notices about the outcome of a form, or why another page is displayed. The cookie has only the name, so that another site
 * cannot choose the text.
 */
const NOTICES = {
  saved: 'Saved.',
  'signed-out': 'You are signed out.',
  'password-changed': 'Password changed. All other sessions are signed out.',
  'session-ended': 'Signed out that browser.',
  'sessions-ended': 'Signed out all other browsers.',
  'token-revoked': 'Token revoked. Programs that use it can no longer sign in.',
  'administrator-made': 'The user is now an administrator.',
  'factors-reset': 'Two-factor authentication turned off, and all passkeys removed.',
  'no-factors': 'This user has neither two-factor authentication nor passkeys.',
  'user-disabled': 'Account disabled. Its sessions and tokens no longer work.',
  'user-enabled': 'Account enabled.',
  'account-deleted': 'The account is deleted.',
  'description-saved': 'Description saved.',
  'repository-renamed': 'Repository renamed. Update the remote in your clones.',
  'default-branch-changed': 'Default branch changed.',
  'made-public': 'The repository is now public.',
  'made-private': 'The repository is now private.',
  'template-changed': 'Template setting saved.',
  'repository-archived': 'Repository archived.',
  'repository-unarchived': 'Repository unarchived.',
  'repository-deleted': 'Repository moved to the trash.',
  'repository-removed': 'Repository deleted permanently.',
  'repository-restored': 'Repository restored.',
  'repository-left': 'You left the repository.',
  'collaborator-saved': 'Collaborator saved.',
  'collaborator-removed': 'Collaborator removed.',
  'invitation-sent':
    'Invitation sent. Only the email contains the link. Without an account, the recipient can create one with it.',
  'invitation-revoked': 'Invitation revoked: its link no longer works.',
  'share-link-revoked': 'Share link revoked: it no longer opens the PDF.',
  'tag-created': 'Tag created. Its PDF stays at this address.',
  'document-missing': 'This version does not contain the document in the address. Showing another document.',
  'branch-deleted': 'Branch deleted.',
  'branch-restored': 'Branch restored.',
  'path-deleted': 'Deletion committed.',
  'path-moved-before': 'Already moved: this is the new path.',
  'path-gone': 'Nothing was moved: the path was moved or deleted after you opened the page.',
  'commit-reverted': 'Commit reverted. This is the new commit.',
  'nothing-to-revert': 'Nothing to revert: the branch no longer contains these changes.',
  'version-restored': 'Version restored. Later commits stay in the history.',
  'version-there': 'Nothing to restore: the branch already matches this version.',
  'webhook-added': 'Webhook added.',
  'webhook-saved': 'Webhook saved.',
  'webhook-deleted': 'Webhook deleted.',
} as const

export type Notice = keyof typeof NOTICES

/** Responds to a form with another page, which shows the notice once. */
export function redirectWithNotice(c: Context, path: string, notice: Notice): Response {
  return redirectWithValue(c, path, 'notice', notice)
}

/** The text of the notice for this page, which no later page shows; null = none. */
export function takeNotice(c: Context): string | null {
  const name = takeValue(c, 'notice')
  return name !== null && Object.hasOwn(NOTICES, name) ? NOTICES[name as Notice] : null
}
