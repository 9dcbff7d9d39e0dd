import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'
import { say } from '../say.ts'

interface ResetOptions {
  readonly data?: string
}

const consequences = `
Use it only if sealing.key is lost and no backup contains it. Secrets that were encrypted with another key stay unreadable:
users with an authenticator app need a recovery code or \`texproof user reset-factor NAME\`, webhooks need a new secret, and the
addresses of share links are no longer shown, but still work.

Examples:
  $ texproof sealing-key reset --data /var/lib/texproof`

/** `texproof sealing-key reset`: continues without the secrets of a lost key. */
export function defineSealingKey(program: Command): void {
  program
    .command('sealing-key')
    .description('manage the key of the secrets in the database')
    .exitOverride()
    .command('reset')
    .description('replace a lost sealing key: accept the current one, or create one')
    .addOption(dataOption())
    .addHelpText('after', consequences)
    .exitOverride()
    .action(resetKey)
}

async function resetKey({ data }: ResetOptions): Promise<void> {
  const [{ readHostConfig }, { requireHost }, { openStore }, { resetSealingKey }] = await Promise.all([
    import('../read-host-config.ts'),
    import('../data-dir.ts'),
    import('../../store/store.ts'),
    import('./use-sealing-key.ts'),
  ])
  const config = readHostConfig(data)
  await requireHost(config)
  const store = await openStore({ ...config, migratesServed: false })
  try {
    await resetSealingKey(config, store.settings)
  } finally {
    await store.close()
  }
  say('The database now accepts the current sealing key. Secrets encrypted with another key stay unreadable.')
}
