import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'
import type { DemoOptions } from './run-demo.ts'

const examples = `
Examples:
  $ texproof demo
  $ texproof demo --clean`

/** `texproof demo`: adds the demo data, or removes it. */
export function defineDemo(program: Command): void {
  program
    .command('demo')
    .description('add demo data: users and repositories')
    .addOption(dataOption())
    .option('--clean', 'remove the demo data')
    .option('--json', 'print the passwords as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import('./run-demo.ts')
      await runDemo(options)
    })
}
