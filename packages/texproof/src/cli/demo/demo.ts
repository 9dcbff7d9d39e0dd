import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'
import type { DemoOptions } from './run-demo.ts'

const examples = `
Examples:
  $ texproof demo
  $ texproof demo --clean`

/** `texproof demo`: fills a host with papers to look at, or takes them away again. */
export function defineDemo(program: Command): void {
  program
    .command('demo')
    .description('fill the host with people and papers to look at')
    .addOption(dataOption())
    .option('--clean', 'remove what an earlier call has made, and nothing else')
    .option('--json', 'print the passwords as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import('./run-demo.ts')
      await runDemo(options)
    })
}
