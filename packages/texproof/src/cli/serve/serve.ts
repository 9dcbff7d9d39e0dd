import type { Command } from 'commander'

import type { ServeOptions } from './run-serve.ts'
import { dataOption } from '../data-option.ts'

const examples = `
Examples:
  $ texproof serve
  $ texproof serve --data /var/lib/texproof --listen 0.0.0.0:80 --base-url https://papers.example.org`

/** `texproof serve`: runs the host until it is told to end. */
export function defineServe(program: Command): void {
  program
    .command('serve')
    .description('run the host')
    .addOption(dataOption())
    .option('--listen <host:port>', 'where to listen (default: localhost:3000)')
    .option('--base-url <url>', 'public address (default: from --listen)')
    .option(
      '--unsafe-no-sandbox',
      'compile without confinement: whoever can push can then read and run what this user can',
    )
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: ServeOptions) => {
      const { runServe } = await import('./run-serve.ts')
      process.exitCode = await runServe(options)
    })
}
