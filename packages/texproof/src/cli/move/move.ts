import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'

/** The options. */
export interface MoveOptions {
  readonly data?: string
  readonly to?: string
  readonly json?: true
}

const examples = `
Stop the server first. The original is kept. Without --to, the database is moved to TEXPROOF_DATABASE_URL, so that its
password is in no process list.

Examples:
  $ texproof move --to postgres://texproof@db.example/texproof
  $ TEXPROOF_DATABASE_URL=postgres://… texproof move --to sqlite:`

/** `texproof move`: copies the database of a host to another engine and verifies the copy. */
export function defineMove(program: Command): void {
  program
    .command('move')
    .description('move the database to PostgreSQL, or back to SQLite')
    .addOption(dataOption())
    .option('--to <url>', 'postgres://USER:PASSWORD@HOST/DATABASE or sqlite:')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: MoveOptions) => {
      const { runMove } = await import('./run-move.ts')
      await runMove(options)
    })
}
