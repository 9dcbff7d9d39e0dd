import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { dataOption } from '../data-option.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'

const examples = `
Examples:
  $ texproof config show
  $ texproof config show --data /var/lib/texproof --json`

/** `texproof config show`: every setting with its value and source. */
export function defineConfigShow(config: Command): void {
  config
    .command('show')
    .description('show every setting with its value and source')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(showConfig)
}

async function showConfig(options: { readonly data?: string; readonly json?: true }): Promise<void> {
  const { config, notices } = readConfig({ data: options.data })
  const lines = config.origins
  for (const notice of notices) say(`! ${notice}`)
  if (options.json) return printJson(lines)
  const keyWidth = Math.max(...lines.map((line) => line.key.length))
  const valueWidth = Math.max(...lines.map((line) => (line.value ?? '–').length))
  const rows = lines.map(
    (line) =>
      `${line.key.padEnd(keyWidth)}  ${(line.value ?? '–').padEnd(valueWidth)}  ${line.source.padEnd(8)}  ${line.description}\n`,
  )
  await print(rows.join(''))
}
