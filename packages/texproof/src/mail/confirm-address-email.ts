import type { Letter } from './email.ts'

/** The letter whose link shows that an e-mail address is somebody's own. `minutes` is how long it works. */
export function writeProofLetter(about: {
  readonly to: string
  readonly login: string
  readonly host: string
  readonly link: string
  readonly minutes: number
}): Letter {
  const { to, login, host, link, minutes } = about
  return {
    kind: 'proof',
    to,
    usefulForMs: minutes * 60_000,
    subject: `Confirm this address for ${login} at ${host}`,
    text: `Somebody signed in as ${login} at ${host} wants letters to that account
to come to this address.

Confirm it here, once, within ${minutes} minutes, signed in as ${login}:

  ${link}

Was it not you? Then leave this letter alone: nothing changes until the address
is confirmed.
`,
  }
}
