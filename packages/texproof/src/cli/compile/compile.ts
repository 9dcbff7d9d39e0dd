import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'

import { parseListen, type Listen } from '../../config/parse-listen.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CompileCommandOptions } from './options.ts'

const examples = `
Examples:
  $ texproof compile paper.tex
  $ texproof compile thesis/ -e lualatex -t 5m --serve --open

Exit codes:
  0 a PDF without errors    1 no PDF                 2 wrong use
  3 a PDF with errors       4 out of time            5 service unreachable or busy
  6 input above a limit     7 no TeX engine          8 too many warnings      130 interrupted

Keys under --watch and --serve: r rebuild, o open, l log, q quit`

/** `texproof compile FILE|DIR|-`: typesets here or through a compile service, and says in words what went wrong. */
export function defineCompile(program: Command): void {
  const command = program
    .command('compile <source>')
    .description('typeset a file, a folder or standard input (-)')
    .exitOverride()
  addDocumentOptions(command)
  addLiveOptions(command)
  command
    .option('--json', 'print the result as JSON; the PDF is in it unless -o is given')
    .option('--events', 'print what happens as it happens, one JSON object a line')
    .option('--log <file>', 'write the logs of all passes; - is standard output')
    .option(
      '--explain',
      'say why each pass ran, what changed and what was skipped, and show the log around each problem',
    )
    .option('-q, --quiet', 'say nothing but errors')
    .option('-v, --verbose', 'say what compiles and how, one line a pass')
    .option('--unsafe-no-sandbox', 'compile without confinement: only for documents that you trust')
    .addHelpText('after', examples)
    .action(async (source: string, options: CompileCommandOptions) => {
      const { runCompile } = await import('./run-compile.ts')
      process.exitCode = await runCompile(source, options)
      // Font indexes and bundles for later compiles may still be in the making: nobody who interrupts waits for them.
      if (process.exitCode === exitCodes.interrupted) process.exit()
    })
}

function addDocumentOptions(command: Command): void {
  const engines = ['pdflatex', 'xelatex', 'lualatex', 'tectonic']
  const tools = ['bibtex', 'biber', 'none']
  command
    .option('-o, --output <file>', 'where the PDF goes; - is standard output (default: beside the source)')
    .addOption(new Option('-e, --engine <engine>', 'default: what the source asks for, else pdflatex').choices(engines))
    .addOption(new Option('-p, --passes <count>', 'engine passes').choices(['auto', '1', '2', '3']).default('auto'))
    .addOption(new Option('-b, --bibliography <tool>', 'default: what the source asks for').choices(tools))
    .option('-f, --file <file...>', 'only these beside the source, instead of its whole folder')
    .option('-t, --timeout <time>', 'budget of the whole compile', '60s')
    .option('--remote <url>', 'compile there (default: COMPILE_SERVICE_URL, else here)')
    .option('--api-key-file <file>', 'file with the key of the service (default: COMPILE_API_KEY)')
    .option('--max-warnings <count>', 'fail with 8 above this many warnings')
    .option('--allow-errors', 'exit 0 when there is a PDF, whatever LaTeX reported')
}

function addLiveOptions(command: Command): void {
  command
    .option('--watch', 'compile again whenever a file that was read changes')
    .option('--open', 'open the PDF, or the preview, when it is there')
    .option('--serve [host:port]', 'watch, and show PDF and problems on a page (default: localhost:4000)', readAddress)
}

/** The value is optional, so what stands behind `--serve` may be the source by mistake. */
function readAddress(text: string): Listen {
  const address = parseListen(text)
  if (address === null) throw new InvalidArgumentError(`Write --serve after the source, or --serve :4000.`)
  return address
}
