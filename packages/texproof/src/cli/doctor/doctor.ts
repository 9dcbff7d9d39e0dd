import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'

const examples = `
Examples:
  $ texproof doctor
  $ texproof doctor --json | jq '.[] | select(.state != "good")'`

/** `texproof doctor`: checks everything that a host needs, and prints fixes. */
export function defineDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check git, TeX, sandbox, data directory, backups and addresses; exit with 1 on an error')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: { readonly data?: string; readonly json?: true }) => {
      const { runDoctor } = await import('./run-doctor.ts')
      process.exitCode = await runDoctor(options)
    })
}
