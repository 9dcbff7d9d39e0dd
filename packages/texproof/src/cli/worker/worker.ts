import { availableParallelism } from 'node:os'

import type { Command } from 'commander'

import { exitThoughUnread } from '../say.ts'
import type { WorkerCommandOptions } from './run-worker-command.ts'

const examples = `
A worker builds documents for a server on another machine. It needs TeX, but neither the database nor the repositories, and
can be stopped at any time. "texproof worker-key create" on the server prints its key.

Examples:
  $ texproof worker --server https://papers.example.org --key-file worker.key
  $ texproof worker --server http://10.0.0.2:3000 --key-file worker.key --slots 8 --cache /var/cache/texproof`

/** `texproof worker`: builds documents for a server until a signal ends it. */
export function defineWorker(program: Command): void {
  program
    .command('worker')
    .description('build documents for a server on another machine')
    .requiredOption('--server <url>', 'URL of the server')
    .requiredOption('--key-file <file>', 'file with the worker key, - for standard input')
    .option('--slots <number>', 'builds that run at once', String(availableParallelism()))
    .option('--cache <dir>', 'directory of cached files', 'texproof-worker-cache')
    .option('--cache-bytes <size>', 'maximum size of the cached sources', '2g')
    .option('--name <text>', 'name on the status page (default: host name)')
    .option('--log-level <level>', 'minimum log level', 'info')
    .option('--unsafe-no-sandbox', 'compile without a sandbox: everyone who can push can run commands as this user')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: WorkerCommandOptions) => {
      const { runWorkerCommand } = await import('./run-worker-command.ts')
      try {
        process.exitCode = await runWorkerCommand(options)
      } finally {
        exitThoughUnread()
      }
    })
}
