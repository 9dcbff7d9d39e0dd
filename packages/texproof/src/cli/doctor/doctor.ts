import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'

const examples = `
Examples:
  $ texproof doctor
  $ texproof doctor --json | jq '.[] | select(.state != "good")'`

/** `texproof doctor`: looks at everything a host needs and says what to do about what is missing. */
export function defineDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check git, TeX, sandbox, data directory, backups and addresses; exit 1 when something is broken')
    .addOption(dataOption())
    .option('--json', 'as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: { readonly data?: string; readonly json?: true }) => {
      const { runDoctor } = await import('./run-doctor.ts')
      process.exitCode = await runDoctor(options)
    })
}
