import type { Command } from 'commander'
import { Option } from 'commander'

import type { CompileCommandOptions } from './compile/options.ts'

const examples = `
Examples:
  $ texproof compile paper.tex
  $ texproof compile thesis/ -e lualatex -t 5m --explain
  $ texproof compile - -o out.pdf < paper.tex
  $ texproof compile paper.tex --remote https://papers.example.org --api-key-file key

Exit codes:
  0 a PDF without errors    1 no PDF                 2 wrong use
  3 a PDF with errors       4 out of time            5 service unreachable or busy
  6 input above a limit     7 no TeX engine          8 too many warnings      130 interrupted`

/** `texproof compile FILE|DIR|-`: typesets here or through a compile service, and says in words what went wrong. */
export function defineCompile(program: Command): void {
  program
    .command('compile <source>')
    .description('typeset a file, a folder or standard input (-)')
    .option('-o, --output <file>', 'where the PDF goes; - is standard output (default: beside the source)')
    .addOption(
      new Option('-e, --engine <engine>', 'default: what the source asks for, else pdflatex').choices([
        'pdflatex',
        'xelatex',
        'lualatex',
        'tectonic',
      ]),
    )
    .addOption(new Option('-p, --passes <count>', 'engine passes').choices(['auto', '1', '2', '3']).default('auto'))
    .addOption(
      new Option('-b, --bibliography <tool>', 'default: what the source asks for').choices(['bibtex', 'biber', 'none']),
    )
    .option('-f, --file <file...>', 'only these beside the source, instead of its whole folder')
    .option('-t, --timeout <time>', 'budget of the whole compile', '60s')
    .option('--remote <url>', 'compile there (default: COMPILE_SERVICE_URL, else here)')
    .option('--api-key-file <file>', 'file with the key of the service (default: COMPILE_API_KEY)')
    .option('--max-warnings <count>', 'fail with 8 above this many warnings')
    .option('--allow-errors', 'exit 0 when there is a PDF, whatever LaTeX reported')
    .option('--log <file>', 'write the logs of all passes; - is standard output')
    .option('--explain', 'say why each pass ran, and show the log around each problem')
    .option('--watch', 'compile again whenever a file that was read changes')
    .option('--json', 'print the result as JSON; the PDF is in it unless -o is given')
    .option('-q, --quiet', 'say nothing but problems')
    .option('--unsafe-no-sandbox', 'compile without confinement: only for documents that you trust')
    .addHelpText('after', examples)
    .exitOverride()
    .action(async (source: string, options: CompileCommandOptions) => {
      const { runCompile } = await import('./compile/run-compile.ts')
      process.exitCode = await runCompile(source, options)
    })
}
