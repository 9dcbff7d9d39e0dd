import { join } from 'node:path'

import { parseDuration } from '../../config/parse-duration.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { say } from '../say.ts'
import { chooseDocument } from './choose-document.ts'
import { explainCompileFailure } from './explain-compile-failure.ts'
import { judgeResult } from './judge-result.ts'
import { openCompiler } from './open-compiler.ts'
import type { Compiler } from './open-compiler.ts'
import type { CompileCommandOptions } from './options.ts'
import { presentProblem } from './present-problem.ts'
import { readSource } from './read-source.ts'
import type { Source } from './read-source.ts'
import { showProgress } from './show-progress.ts'
import { summarizeResult } from './summarize-result.ts'
import { watchInputs } from './watch-inputs.ts'
import { writeOutputs } from './write-outputs.ts'

/** Runs `texproof compile` and gives its exit code. */
export async function runCompile(path: string, options: CompileCommandOptions): Promise<ExitCode> {
  const settings = readSettings(path, options)
  const interruption = new AbortController()
  const interrupt = (): void => interruption.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const compiler = await openCompiler(options)
    if (compiler.weakness !== null) say(`! Not confined: ${compiler.weakness}`)
    try {
      const job: CompileJob = { path, options, settings, compiler, signal: interruption.signal }
      return await (options.watch ? compileOnChange(job) : compileOnce(job)).then((run) => run.exitCode)
    } finally {
      await compiler.close()
    }
  } catch (error) {
    if (interruption.signal.aborted) return exitCodes.interrupted
    throw explainCompileFailure(error)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

interface Settings {
  readonly timeoutMs: number
  readonly maxWarnings: number | null
  readonly allowErrors: boolean
}

interface CompileJob {
  readonly path: string
  readonly options: CompileCommandOptions
  readonly settings: Settings
  readonly compiler: Compiler
  readonly signal: AbortSignal
}

interface FinishedRun {
  readonly exitCode: ExitCode
  /** Absolute paths to watch. */
  readonly watched: readonly string[]
}

async function compileOnce({ path, options, settings, compiler, signal }: CompileJob): Promise<FinishedRun> {
  const source = await readSource(path, { only: options.file ?? (path === '-' ? [] : null) })
  const document = await chooseDocument(source, options)
  const quiet = options.quiet ?? false
  const explain = options.explain ?? false
  if (explain) say(`${document.rootFile}: ${document.engine}, ${document.bibliography}: ${document.reason}`)

  const startedAt = performance.now()
  const view = showProgress(document.rootFile, { quiet, explain })
  const { timeoutMs } = settings
  const run = compiler.compile(source, document, { timeoutMs, signal, onProgress: view.onProgress })
  const { result, inputs } = await run.finally(() => view.end())

  const readLine = (file: string, line: number): string | null => readSourceLine(source, file, line)
  for (const error of result.errors) say(presentProblem(error, { readLine, explain }))
  if (!quiet) for (const warning of result.warnings) say(presentProblem(warning, { readLine, explain }))
  const output = await writeOutputs(result, options, defaultOutput(source, document.rootFile))
  if (!quiet)
    say(`${document.rootFile}  ${summarizeResult(result, { durationMs: performance.now() - startedAt, output })}`)
  const watched = inputs ?? [...source.files.keys()]
  return { exitCode: judgeResult(result, settings), watched: watched.map((file) => join(source.folder, file)) }
}

/** Compiles again and again until interrupted; a failure is shown and waits for the next change. */
async function compileOnChange(job: CompileJob): Promise<FinishedRun> {
  let last: FinishedRun = { exitCode: exitCodes.failed, watched: [job.path] }
  while (!job.signal.aborted) {
    last = await compileOnce(job).catch((error: unknown) => {
      const failure = explainCompileFailure(error)
      if (job.signal.aborted || !(failure instanceof CliError)) throw failure
      say(failure.message)
      return last
    })
    say(`Watching ${last.watched.length} files; Ctrl-C ends.`)
    await watchInputs(last.watched, job.signal)
  }
  return { ...last, exitCode: exitCodes.interrupted }
}

function readSettings(path: string, options: CompileCommandOptions): Settings {
  const timeoutMs =
    parseDuration(options.timeout) ?? refuse(`"${options.timeout}" is no time`, 'Write -t 60s or -t 5m.')
  const { maxWarnings } = options
  if (maxWarnings !== undefined && !/^\d{1,6}$/.test(maxWarnings))
    refuse(`"${maxWarnings}" is no number of warnings`, 'Write --max-warnings 0.')
  if (options.watch && path === '-') refuse('standard input cannot be watched', 'Name a file or a folder.')
  const toStandardOutput = [
    options.json ? 'json' : null,
    options.output === '-' ? 'pdf' : null,
    options.log === '-' ? 'log' : null,
  ]
  if (toStandardOutput.filter((part) => part !== null).length > 1) {
    refuse('only one of --json, -o - and --log - can have standard output', 'Send the others to files.')
  }
  if (path === '-' && options.output === undefined && process.stdout.isTTY && !options.json) {
    refuse('the PDF of standard input would go to the terminal', 'Say where it goes: -o FILE.pdf')
  }
  return {
    timeoutMs,
    maxWarnings: maxWarnings === undefined ? null : Number(maxWarnings),
    allowErrors: options.allowErrors ?? false,
  }
}

function refuse(message: string, remedy: string): never {
  throw new CliError(message, { exitCode: exitCodes.usage, remedy })
}

/** Beside the source, named after it; the PDF of standard input goes to standard output. */
function defaultOutput(source: Source, rootFile: string): string {
  return source.isStandardInput ? '-' : join(source.folder, rootFile.replace(/\.(tex|ltx|latex)$/i, '') + '.pdf')
}

function readSourceLine(source: Source, file: string, line: number): string | null {
  const bytes = source.files.get(file)
  return bytes === undefined
    ? null
    : (Buffer.from(bytes)
        .toString('utf8')
        .split(/\r\n|\r|\n/)[line - 1] ?? null)
}
