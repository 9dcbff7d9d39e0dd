import type { NewAccountEvent } from '../store/users/account-events.ts'
import type { Letter } from './email.ts'

/** What happened, by the kind of the event, in the words of a letter; every other event is no news to its owner. */
const words: Readonly<Record<string, string>> = {
  'password-changed': 'The password was changed.',
  'password-reset': 'A new password was set by a reset link.',
  'email-asked':
    'Another e-mail address was asked for. It counts once the letter that went there is answered; until then it can be cancelled under Settings, Profile.',
  'email-changed': 'The e-mail address of the account was changed.',
  'token-created': 'An access token was created',
  'user-disabled': 'The account was disabled: nobody can sign in to it, and its tokens open nothing.',
  'user-enabled': 'The account, which was disabled, was enabled again.',
  'administrator-made': 'The account was made an administrator of the host.',
  'two-factor-on': 'Two-factor sign-in was turned on.',
  'two-factor-off': 'Two-factor sign-in was turned off.',
  'factors-reset': 'Two-factor sign-in and every passkey were taken away by an administrator.',
  'recovery-code-used': 'A recovery code was used.',
  'recovery-codes-made': 'New recovery codes were made; the old ones are void.',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'identity-linked': 'A way to sign in was linked',
  'identity-unlinked': 'A way to sign in was unlinked',
}

/** What is news when somebody else did it: whoever did it themselves knows. */
const wordsOfOthers: Readonly<Record<string, string>> = {
  'token-revoked': 'An access token was revoked',
}

/** Whether an event is told by letter. */
export function isNews({ kind, userId, actorId }: Pick<NewAccountEvent, 'kind' | 'userId' | 'actorId'>): boolean {
  return Object.hasOwn(words, kind) || (userId !== actorId && Object.hasOwn(wordsOfOthers, kind))
}

const ownRemedy = `Was it you? Then there is nothing to do. If not, change your password and look
at what else happened:`

const othersRemedy = `It was done by an administrator of the host: ask them if you do not know why.
What else happened:`

/** The letter about something that happened to an account and that its owner should know, lest it was somebody else. */
export function writeNotice(about: {
  readonly kind: string
  readonly to: string
  readonly login: string
  readonly host: string
  readonly detail: string | null
  /** From where it was done; null = unknown. */
  readonly address: string | null
  readonly at: Date
  /** Where the owner looks. */
  readonly link: string
  /** Whether it was done by whoever is signed in as them, not by an administrator. */
  readonly isOwn: boolean
}): Letter {
  const { kind, to, login, host, detail, address, at, link, isOwn } = about
  const sentence = words[kind] ?? wordsOfOthers[kind] ?? ''
  const what = sentence.endsWith('.') ? sentence : `${sentence}${detail === null ? '' : `: ${detail}`}.`
  const from = address === null ? '' : `, from ${address}`
  return {
    kind: 'notice',
    to,
    subject: `${login} at ${host}: ${sentence.replace(/\..*$/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`,
    text: `${what}

Account: ${login} at ${host}
When:    ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC${from}

${isOwn ? ownRemedy : othersRemedy}

  ${link}
`,
  }
}
