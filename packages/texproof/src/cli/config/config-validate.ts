import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { dataOption } from '../data-option.ts'
import { printJson } from '../print.ts'
import { say } from '../say.ts'

const examples = `
Examples:
  $ texproof config validate
  $ texproof config validate --data /var/lib/texproof && systemctl restart texproof`

/** `texproof config validate`: checks the settings; exits with 2 and the first invalid one. */
export function defineConfigValidate(config: Command): void {
  config
    .command('validate')
    .description('check all settings; exit with 2 if one is invalid')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(validateConfig)
}

async function validateConfig(options: { readonly data?: string; readonly json?: true }): Promise<void> {
  const { config, notices } = readConfig({ data: options.data })
  const chosen = config.origins.filter(({ source }) => !source.startsWith('default'))
  if (options.json) return printJson({ settings: config.origins.length, chosen: chosen.length, notices })
  for (const notice of notices) say(`! ${notice}`)
  const verb = chosen.length === 1 ? 'differs' : 'differ'
  // A mistyped directory would seem to have valid settings.
  const file = join(config.dataDir, 'texproof.toml')
  const missing = existsSync(file) ? '' : `; ${file} does not exist`
  say(`✓ ${config.origins.length} settings are valid; ${chosen.length} ${verb} from the default${missing}`)
}
