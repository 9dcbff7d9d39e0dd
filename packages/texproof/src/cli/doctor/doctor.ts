import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'

/** The options. */
export interface DoctorOptions {
  readonly data?: string
  readonly deep?: true
  readonly repair?: true
  readonly dryRun?: true
  readonly json?: true
}

const examples = `
Examples:
  $ texproof doctor
  $ texproof doctor --deep
  $ texproof doctor --repair --dry-run
  $ texproof doctor --json | jq '.[] | select(.state != "good")'`

/** `texproof doctor`: checks everything that a host needs, and prints fixes. */
export function defineDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check git, TeX, sandbox, data directory, backups and addresses; exit with 1 on an error')
    .addOption(dataOption())
    .option('--deep', 'compare database, refs, objects and PDFs instead')
    .option('--repair', 'like --deep, and repair what is possible; stop the server first')
    .option('--dry-run', 'with --repair: print the repairs without making them')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('./run-doctor.ts')
      process.exitCode = await runDoctor(options)
    })
}
