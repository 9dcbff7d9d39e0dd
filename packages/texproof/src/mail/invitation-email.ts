import type { Letter } from './email.ts'

/** The letter with an invitation. `from` is the user name of who invites; null = the host. */
export function writeInviteLetter(about: {
  readonly to: string
  readonly from: string | null
  readonly host: string
  readonly link: string
}): Letter {
  const { to, from, host, link } = about
  return {
    kind: 'invite',
    to,
    subject: `An account at ${host}`,
    text: `${from ?? 'The administrator'} invites you to ${host}, a host for papers:
push LaTeX there by git, and every branch has its PDF at a permanent address.

Create your account here, once, within seven days:

  ${link}
`,
  }
}
