import type { Letter } from './email.ts'

/** The letter with the link that sets a new password. `minutes` is how long it works. */
export function writeResetLetter(about: {
  readonly to: string
  readonly login: string
  readonly host: string
  readonly link: string
  readonly minutes: number
}): Letter {
  const { to, login, host, link, minutes } = about
  return {
    kind: 'reset',
    to,
    usefulForMs: minutes * 60_000,
    subject: `New password for ${login} at ${host}`,
    text: `Somebody asked for a new password for the account ${login} at ${host}.

Set it here, once, within ${minutes} minutes:

  ${link}

Was it not you? Then leave this letter alone: nothing changes until the link
is used.
`,
  }
}
