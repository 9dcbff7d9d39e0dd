import type { Letter } from './email.ts'

/** The letter to somebody whose e-mail address was given for another account: only they may know that they have one. */
export function writeTakenLetter(about: {
  readonly to: string
  readonly login: string
  readonly host: string
  /** Where a new password is asked for. */
  readonly link: string
}): Letter {
  const { to, login, host, link } = about
  return {
    kind: 'taken',
    to,
    subject: `Your account ${login} at ${host}`,
    text: `Somebody gave this e-mail address for another account at ${host}. It belongs to
your account ${login} already: nothing was changed, and they were not told.

Was it you? Then sign in as ${login}. Set a new password here, if you need one:

  ${link}

Was it not you? Then there is nothing to do.
`,
  }
}
