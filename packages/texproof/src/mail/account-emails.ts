import type { Email } from './email.ts'

// The emails with a link.

interface Recipient {
  readonly to: string
  /** Name of the host. */
  readonly host: string
  readonly link: string
}

/** Invites a person to create an account. `from` is the username of the inviting user; null = an administrator. */
export function writeInvitationEmail({ to, from, host, link }: Recipient & { readonly from: string | null }): Email {
  return {
    kind: 'invite',
    to,
    subject: `Invitation to ${host}`,
    text: `${from ?? 'An administrator'} invited you to ${host}, a code host for papers.

Create your account with this single-use link, valid for 7 days:

  ${link}
`,
  }
}

/** Invites a person to a repository. `from` is the username of the inviting user. */
export function writeCollaboratorInvitationEmail({
  to,
  from,
  host,
  repository,
  link,
  createsAccount,
}: Recipient & {
  readonly from: string
  readonly repository: string
  readonly createsAccount: boolean
}): Email {
  const account = createsAccount ? '\nIf you do not have an account, you can create one on that page.\n' : ''
  return {
    kind: 'collaborator-invitation',
    to,
    subject: `Invitation to ${repository} on ${host}`,
    text: `${from} invited you to collaborate on the repository ${repository}
on ${host}, a code host for papers.

Accept or decline with this single-use link, valid for 14 days:

  ${link}
${account}`,
  }
}

/** Asks a user to accept the transfer of a repository. `from` is the username of its owner. */
export function writeTransferEmail({
  to,
  from,
  host,
  repository,
  link,
}: Recipient & { readonly from: string; readonly repository: string }): Email {
  return {
    kind: 'transfer-offer',
    to,
    subject: `Transfer of ${repository} on ${host}`,
    text: `${from} wants to transfer the repository ${repository} on ${host} to you.

Sign in to accept or decline within 14 days:

  ${link}
`,
  }
}

/** Sends the link to create an account to the address that requested it. */
export function writeSignUpEmail({ to, host, link }: Recipient): Email {
  return {
    kind: 'join',
    to,
    subject: `Create your account on ${host}`,
    text: `Someone requested an account on ${host} for this email address.

Create the account with this single-use link, valid for 7 days:

  ${link}

If you did not request it, ignore this email. No account is created until the
link is used.
`,
  }
}

/** Asks the owner of an address to confirm it. */
export function writeVerificationEmail({
  to,
  login,
  host,
  link,
  minutes,
}: Recipient & { readonly login: string; readonly minutes: number }): Email {
  return {
    kind: 'proof',
    to,
    usefulForMs: minutes * 60_000,
    subject: `Confirm this address for ${login} on ${host}`,
    text: `The user ${login} on ${host} wants to use this email address.

To confirm it, sign in as ${login} and open this single-use link, valid for
${minutes} minutes:

  ${link}

If you did not request this, ignore this email. Nothing changes until the
address is confirmed.
`,
  }
}

/** Sends the link that sets a new password. */
export function writePasswordResetEmail({
  to,
  login,
  host,
  link,
  minutes,
}: Recipient & { readonly login: string; readonly minutes: number }): Email {
  return {
    kind: 'reset',
    to,
    usefulForMs: minutes * 60_000,
    subject: `Reset the password of ${login} on ${host}`,
    text: `A password reset was requested for the account ${login} on ${host}.

Set it with this single-use link, valid for ${minutes} minutes:

  ${link}

If you did not request it, ignore this email. The password does not change
until the link is used.
`,
  }
}

/**
 * Informs the owner of an address that another account requested it. Only the owner may learn that the address is in
 * use.
 */
export function writeAddressInUseEmail({ to, login, host, link }: Recipient & { readonly login: string }): Email {
  return {
    kind: 'taken',
    to,
    subject: `Your account ${login} on ${host}`,
    text: `Someone tried to use this email address for another account on ${host}. It
belongs to your account ${login}. Nothing was changed, and the other person
was not told that the address is in use.

If this was you, sign in as ${login}. If you forgot the password, reset it:

  ${link}

If this was not you, ignore this email.
`,
  }
}

/** Tells the former owner of an account that it was deleted. */
export function writeAccountDeletedEmail({
  to,
  login,
  host,
  isOwn,
}: Pick<Recipient, 'to' | 'host'> & { readonly login: string; readonly isOwn: boolean }): Email {
  const remedy = isOwn ? 'If you did not delete it, tell the administrator of this host.\n' : ''
  return {
    kind: 'account-deleted',
    to,
    subject: `The account ${login} on ${host} was deleted`,
    text: `The account ${login} on ${host} was deleted${isOwn ? '' : ' by an administrator'}. It cannot be restored.
${remedy}`,
  }
}
