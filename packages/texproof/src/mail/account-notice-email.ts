import type { NewAccountEvent } from '../store/users/account-events.ts'
import type { Email } from './email.ts'

/** First sentence of the email about each kind of event; other events are not sent. */
const sentences: Readonly<Record<string, string>> = {
  'password-changed': 'Your password was changed.',
  'password-reset': 'Your password was reset.',
  'email-asked':
    'A change of your email address was requested. It takes effect when the new\naddress is confirmed. To cancel it, open Settings, Profile.',
  'email-changed': 'Your email address was changed.',
  'token-created': 'An access token was created',
  'user-disabled': 'Your account was disabled. Its sessions ended and its tokens are rejected.',
  'user-enabled': 'Your account was enabled again.',
  'administrator-made': 'Your account was given administrator rights.',
  'two-factor-on': 'Two-factor authentication was turned on.',
  'two-factor-off': 'Two-factor authentication was turned off.',
  'factors-reset': 'Two-factor authentication was turned off and all passkeys were removed.',
  'recovery-code-used': 'A recovery code was used.',
  'recovery-codes-made': 'New recovery codes were created. The old ones no longer work.',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'identity-linked': 'A sign-in method was linked',
  'identity-unlinked': 'A sign-in method was unlinked',
}

/** Events that are sent only when another user caused them. */
const sentencesOfOthers: Readonly<Record<string, string>> = {
  'token-revoked': 'An access token was revoked',
}

/** Whether an event is sent to the owner of the account. */
export function isEmailedEvent({
  kind,
  userId,
  actorId,
}: Pick<NewAccountEvent, 'kind' | 'userId' | 'actorId'>): boolean {
  return Object.hasOwn(sentences, kind) || (userId !== actorId && Object.hasOwn(sentencesOfOthers, kind))
}

const ownRemedy = `If this was not you, reset your password and check the recent activity of your
account:`

const othersRemedy = 'An administrator of the host did this. Contact them if you do not know why.'

/** The email about a change of an account, so that its owner notices an attack. */
export function writeAccountNotice(about: {
  readonly kind: string
  readonly to: string
  readonly login: string
  readonly host: string
  readonly detail: string | null
  /** IP address of the actor; null = unknown. */
  readonly address: string | null
  readonly at: Date
  /** The page with the activity of the account. */
  readonly link: string
  /** Whether a session of the account did it, not an administrator. */
  readonly isOwn: boolean
}): Email {
  const { kind, to, login, host, detail, address, at, link, isOwn } = about
  const sentence = sentences[kind] ?? sentencesOfOthers[kind] ?? ''
  const what = sentence.endsWith('.') ? sentence : `${sentence}${detail === null ? '' : `: ${detail}`}.`
  const from = address === null ? '' : `, from ${address}`
  const remedy = isOwn ? ownRemedy : `${othersRemedy}\nRecent activity of your account:`
  // A disabled account cannot open the page.
  const end = kind === 'user-disabled' ? othersRemedy : `${remedy}\n\n  ${link}`
  return {
    kind: 'notice',
    to,
    subject: `${login} on ${host}: ${sentence.replace(/\.[^]*$/, '').replace(/^[A-Z]/, (first) => first.toLowerCase())}`,
    text: `${what}

Account: ${login} on ${host}
When:    ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC${from}

${end}
`,
  }
}
