import type { Command } from 'commander'

import type { ServeOptions } from './run-serve.ts'
import { dataOption } from '../data-option.ts'
import { exitThoughUnread } from '../say.ts'

const examples = `
Examples:
  $ texproof serve
  $ texproof serve --data /var/lib/texproof --listen 0.0.0.0:80 --base-url https://papers.example.org`

/** `texproof serve`: runs the server until a signal ends it. */
export function defineServe(program: Command): void {
  program
    .command('serve')
    .description('run the server')
    .addOption(dataOption())
    .option('--listen <host:port>', 'address to listen on (default: localhost:3000)')
    .option('--base-url <url>', 'public URL (default: derived from --listen)')
    .option('--unsafe-no-sandbox', 'compile without a sandbox: everyone who can push can run commands as this user')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: ServeOptions) => {
      const { runServe } = await import('./run-serve.ts')
      try {
        process.exitCode = await runServe(options)
      } finally {
        exitThoughUnread()
      }
    })
}
