import type { Command } from 'commander'

import type { SmtpConfig } from '../../config/read-config.ts'
import { oneLine } from '../../domain/text/one-line.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { readHostConfig, warnOfUnknownAddress } from '../read-host-config.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface UserInviteOptions {
  readonly data?: string
  readonly json?: true
}

const examples = `
Examples:
  $ texproof user invite
  $ texproof user invite alice@uni.example --json`

/** `texproof user invite [EMAIL]`: prints an invitation link and emails it if a mail server is configured. */
export function defineUserInvite(user: Command): void {
  user
    .command('invite [email]')
    .description('create an invitation link, valid for 7 days; email it if a mail server is configured')
    .addOption(dataOption())
    .option('--json', 'print the link as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(inviteUser)
}

async function inviteUser(email: string | undefined, { data, json }: UserInviteOptions): Promise<void> {
  const config = readHostConfig(data)
  const to = email ?? null
  const [{ makeInvite }, { isEmail }] = await Promise.all([
    import('../../accounts/join/invite.ts'),
    import('../../accounts/users/add-user.ts'),
  ])
  if (to !== null && !isEmail(to)) throw new CliError(`"${to}" is not an email address`, { exitCode: exitCodes.usage })
  const code = await withStore(config, (store) => makeInvite(store, { createdBy: null, email: to }))
  const link = `${config.baseUrl}/join?code=${code}`
  warnOfUnknownAddress(config)
  const isSent = to !== null && config.smtp !== null && (await sendInvite(config.smtp, { to, link, host: config.name }))
  if (json) await printJson({ link, is_sent: isSent })
  else await print(`${link}\n`)
}

/** False if the mail server refuses the email or cannot be reached: the link works anyway. */
async function sendInvite(
  smtp: SmtpConfig,
  { to, link, host }: { readonly to: string; readonly link: string; readonly host: string },
): Promise<boolean> {
  const [{ deliverEmail }, { writeInvitationEmail }] = await Promise.all([
    import('../../mail/deliver-email.ts'),
    import('../../mail/account-emails.ts'),
  ])
  try {
    await deliverEmail(smtp, writeInvitationEmail({ to, from: null, host, link }))
    say(`Emailed the invitation to ${to}.`)
    return true
  } catch (error) {
    const reason = oneLine(error instanceof Error ? error.message : String(error))
    say(`! The email was not sent (${reason}). Send the link yourself.`)
    return false
  }
}
