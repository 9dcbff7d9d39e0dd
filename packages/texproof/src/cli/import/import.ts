import type { Command } from 'commander'

import { dataOption } from '../data-option.ts'
import type { ImportCommandOptions } from './run-import.ts'

const examples = `
Imports a .zip, .tar or .tar.gz file, a single .tex file, or a directory, as the import page does: links, git data and
files that LaTeX writes are skipped. The server can keep running.

Examples:
  $ texproof import tides.zip --owner alice
  $ texproof import thesis/ --owner alice --name thesis --private
  $ texproof import tides.zip --owner alice --json | jq .skipped

Exit codes:
  0 imported, even if a document has errors      1 failed      2 invalid arguments, or the import was refused`

/** `texproof import FILE|DIR`: creates a repository from an archive, a source or a directory. */
export function defineImport(program: Command): void {
  program
    .command('import <source>')
    .description('create a repository from an archive, a .tex file or a directory')
    .requiredOption('--owner <name>', 'username of the owner')
    .option('--name <name>', 'name of the repository (default: from the name of the file)')
    .option('--private', 'only the owner and collaborators can read it')
    .addOption(dataOption())
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (source: string, options: ImportCommandOptions) => {
      const { runImport } = await import('./run-import.ts')
      await runImport(source, options)
    })
}
