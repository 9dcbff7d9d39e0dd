import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'

/** The options. */
export interface MoveOptions {
  readonly data?: string
  readonly to?: string
  /** true = to the bucket of the configuration. */
  readonly blobs?: string | true
  readonly json?: true
}

const examples = `
Stop the server first. The original is kept. Without --to, the database is moved to TEXPROOF_DATABASE_URL, so that
its password does not appear in the process list.

Examples:
  $ texproof move --to postgres://texproof@db.example/texproof
  $ TEXPROOF_DATABASE_URL=postgres://… texproof move --to sqlite:
  $ TEXPROOF_BLOB_URL=s3://KEY:SECRET@s3.example/papers texproof move --blobs
  $ TEXPROOF_BLOB_URL=s3://KEY:SECRET@s3.example/papers texproof move --blobs disk:

--blobs copies PDFs, logs and SyncTeX data between the data directory and the bucket of TEXPROOF_BLOB_URL, and verifies
every copy. The server can keep running, and another run copies only the rest.`

/** `texproof move`: copies the database of a host to another engine and verifies the copy. */
export function defineMove(program: Command): void {
  program
    .command('move')
    .description('move the database to PostgreSQL or PDFs to a bucket, or back')
    .addOption(dataOption())
    .option('--to <url>', 'postgres://USER:PASSWORD@HOST/DATABASE or sqlite:')
    .option('--blobs [url]', 's3://KEY:SECRET@HOST/BUCKET/PREFIX, or disk: to move back')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: MoveOptions) => {
      const { runMove } = await import('./run-move.ts')
      await runMove(options)
    })
}
