import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { noSuchUser } from '../no-such-user.ts'
import { print, printJson } from '../print.ts'
import { withStore } from '../with-store.ts'

interface UserQuotaOptions {
  readonly data?: string
  readonly json?: true
  readonly repositories?: string
  readonly storage?: string
  readonly buildMinutes?: string
  readonly concurrentPushes?: string
}

const examples = `
"default" restores the limit of the host.

Examples:
  $ texproof user quota alice
  $ texproof user quota alice --storage 50g --build-minutes 1200
  $ texproof user quota alice --storage default --json`

/** `texproof user quota NAME`: prints usage and limits of a user, and changes the limits. */
export function defineUserQuota(user: Command): void {
  user
    .command('quota <name>')
    .description('show usage and limits of a user; options change the limits')
    .addOption(dataOption())
    .option('--repositories <number>', 'number of repositories')
    .option('--storage <size>', 'disk space of git repositories, e.g. 20g')
    .option('--build-minutes <number>', 'build minutes per 24 hours')
    .option('--concurrent-pushes <number>', 'concurrent pushes')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(runUserQuota)
}

async function runUserQuota(login: string, options: UserQuotaOptions): Promise<void> {
  const { config } = readConfig({ data: options.data })
  const [{ findQuotaUse }, { parseQuotas, setQuota }, { quotaFields }] = await Promise.all([
    import('../../accounts/users/find-quotas.ts'),
    import('../../accounts/users/set-quota.ts'),
    import('../../domain/quota-fields.ts'),
  ])
  const given: Readonly<Record<string, string | undefined>> = {
    repositories: options.repositories,
    storageBytes: options.storage,
    buildMinutes: options.buildMinutes,
    concurrentPushes: options.concurrentPushes,
  }
  const { use, overrides } = await withStore(config, async (store) => {
    const user = await store.users.findByLogin(login)
    if (user === null) throw noSuchUser(login, config.dataDir)
    if (Object.values(given).some((text) => text !== undefined)) {
      const known = await store.quotas.findOverrides(user.id)
      const parsed = parseQuotas(({ name }) => {
        const text = given[name]
        return text === undefined ? String(known[name] ?? '') : text === 'default' ? '' : text
      })
      if (parsed.kind === 'invalid') {
        const [wrong] = parsed.fields
        const option = `--${(wrong?.key ?? '').replaceAll('_', '-')}`
        const remedy = `Expected: ${wrong?.expects ?? ''}, or "default".`
        throw new CliError(`invalid value "${given[wrong?.name ?? ''] ?? ''}" for ${option}`, {
          exitCode: exitCodes.usage,
          remedy,
        })
      }
      await setQuota(store, { user, overrides: parsed.overrides, actorId: null })
    }
    return { use: await findQuotaUse({ config, store }, user.id), overrides: await store.quotas.findOverrides(user.id) }
  })
  const used = {
    repositories: use.repositories,
    storageBytes: use.storageBytes,
    buildMinutes: Math.floor(use.buildMs / 60_000),
    concurrentPushes: null,
  }
  if (options.json) {
    const quotas = quotaFields.map(({ name, key }) => [
      key,
      { used: used[name], limit: use.limits[name], is_default: overrides[name] === null },
    ])
    await printJson({ login, quotas: Object.fromEntries(quotas) })
    return
  }
  for (const { name, label } of quotaFields) {
    const format = name === 'storageBytes' ? formatBytes : String
    const of = used[name] === null ? '' : `${format(used[name])} of `
    await print(`${label}: ${of}${format(use.limits[name])}${overrides[name] === null ? '' : ' (set for this user)'}\n`)
  }
}
