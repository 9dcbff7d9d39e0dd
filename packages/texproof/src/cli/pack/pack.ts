import { Option, type Command } from 'commander'

import type { PackCommandOptions } from './run-pack.ts'

const examples = `
The package contains only the files that the document reads, with its bibliography. It is built on its own, and every page is
compared with the original.

Examples:
  $ texproof pack --for arxiv
  $ texproof pack thesis/ --for journal --flatten --strip-comments -o thesis.zip
  $ texproof pack paper.tex --for journal --anonymize --json | jq .findings

Exit codes:
  0 package with the same pages      1 no package           2 invalid arguments
  3 package with errors or different pages                  130 interrupted`

/** `texproof pack [FILE|DIR]`: makes a verified package for a submission. */
export function definePack(program: Command): void {
  program
    .command('pack [source]')
    .description('create a package for arXiv or a journal, and verify it')
    .addOption(
      new Option('--for <target>', 'where the package will be submitted')
        .choices(['arxiv', 'journal'])
        .makeOptionMandatory(),
    )
    .option('--flatten', 'merge into one source file; put figures next to it, with portable names')
    .option('--strip-comments', 'remove comments from the sources')
    .option('--strip-notes', 'remove to-do notes (todonotes, fixme)')
    .option('--anonymize', 'remove authors, affiliations, acknowledgements and comments')
    .option('-o, --output <file>', 'output file (default: NAME-TARGET.zip in the current directory)')
    .addOption(
      new Option('-e, --engine <engine>', 'TeX engine (default: chosen from the source)').choices([
        'pdflatex',
        'xelatex',
        'lualatex',
        'latex',
        'platex',
        'uplatex',
        'tectonic',
      ]),
    )
    .option('-t, --timeout <time>', 'time limit of each compile', '60s')
    .option('--json', 'print the report as JSON')
    .option('--unsafe-no-sandbox', 'compile without a sandbox: only for documents that you trust')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (source: string | undefined, options: PackCommandOptions) => {
      const { runPack } = await import('./run-pack.ts')
      process.exitCode = await runPack(source ?? '.', options)
    })
}
