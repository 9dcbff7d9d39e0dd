import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'

import { parseListen, type Listen } from '../../config/parse-values.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CompileCommandOptions } from './options.ts'

const examples = `
Examples:
  $ texproof compile paper.tex
  $ texproof compile thesis/ -e lualatex -t 5m --serve --open

Exit codes:
  0 PDF without errors      1 no PDF                 2 invalid arguments
  3 PDF with errors         4 timeout                5 service unreachable or busy
  6 input above a limit     7 no TeX engine          8 too many warnings      130 interrupted

Keys with --watch and --serve: r rebuild, o open, l log, q quit`

/** `texproof compile FILE|DIR|-`: compiles locally or through a compile service, and explains errors. */
export function defineCompile(program: Command): void {
  const command = program
    .command('compile <source>')
    .description('compile a file, a directory or standard input (-)')
    .exitOverride()
  addDocumentOptions(command)
  addLiveOptions(command)
  command
    .option('--json', 'print the result as JSON, including the PDF unless -o is set')
    .option('--events', 'print events as they happen, one JSON object per line')
    .option('--log <file>', 'write the logs of all passes to a file (- for standard output)')
    .option('--explain', 'show why each pass ran or was skipped, and the log around each problem')
    .option('-q, --quiet', 'print errors only')
    .option('-v, --verbose', 'print engine and duration of each pass')
    .option('--unsafe-no-sandbox', 'compile without a sandbox: only for documents that you trust')
    .addHelpText('after', examples)
    .action(async (source: string, options: CompileCommandOptions) => {
      const { runCompile } = await import('./run-compile.ts')
      process.exitCode = await runCompile(source, options)
      // Font indexes for later compiles may still be written: an interrupted command does not wait for them.
      if (process.exitCode === exitCodes.interrupted) process.exit()
    })
}

function addDocumentOptions(command: Command): void {
  const engines = ['pdflatex', 'xelatex', 'lualatex', 'latex', 'platex', 'uplatex', 'tectonic']
  const tools = ['bibtex', 'biber', 'none']
  command
    .option('-o, --output <file>', 'output file (- for standard output; default: next to the source)')
    .addOption(
      new Option('-e, --engine <engine>', 'TeX engine (default: chosen from the source, else pdflatex)').choices(
        engines,
      ),
    )
    .addOption(
      new Option('-p, --passes <count>', 'number of engine passes').choices(['auto', '1', '2', '3']).default('auto'),
    )
    .addOption(
      new Option('-b, --bibliography <tool>', 'bibliography tool (default: chosen from the source)').choices(tools),
    )
    .option('-f, --file <file...>', 'additional input files (default: the whole directory)')
    .option('-t, --timeout <time>', 'time limit of the whole compile', '60s')
    .option('--remote <url>', 'URL of a compile service (default: $COMPILE_SERVICE_URL, else local)')
    .option('--api-key-file <file>', 'file with the API key of the service (default: $COMPILE_API_KEY)')
    .option('--max-warnings <count>', 'exit with 8 if there are more warnings')
    .option('--allow-errors', 'exit with 0 if there is a PDF, even with LaTeX errors')
}

function addLiveOptions(command: Command): void {
  command
    .option('--watch', 'recompile when an input file changes')
    .option('--open', 'open the PDF or the preview')
    .option('--serve [host:port]', 'watch, and serve a preview page (default: localhost:4000)', readAddress)
}

/** The value is optional, so the source after `--serve` could be read as its value. */
function readAddress(text: string): Listen {
  const address = parseListen(text)
  if (address === null) throw new InvalidArgumentError('Pass --serve after the source, or as --serve :4000.')
  return address
}
