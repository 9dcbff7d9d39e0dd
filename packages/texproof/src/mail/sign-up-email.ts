import type { Letter } from './email.ts'

/** The letter to somebody who wants an account: its link shows that the address is theirs. */
export function writeJoinLetter({
  to,
  host,
  link,
}: {
  readonly to: string
  readonly host: string
  readonly link: string
}): Letter {
  return {
    kind: 'join',
    to,
    subject: `Your account at ${host}`,
    text: `Somebody asked for an account at ${host} with this e-mail address.

Create it here, once, within seven days:

  ${link}

Was it not you? Then leave this letter alone: there is no account until the
link is used.
`,
  }
}
