/**
 * Cold compiles of twelve documents: this package, latexmk, and the minimal passes run by hand.
 *
 * The three alternate within every round, so that other load on the machine affects all of them. "By hand" runs the
 * same programs in the same order, outside the sandbox and with nothing in between: the cost of the TeX system itself.
 * The package runs in the sandbox, like a service.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ENGINES } from '../packages/platex/src/engine/engines.ts'
import { runPipeline } from '../packages/platex/src/compile/run-pipeline.ts'
import { openSandbox } from '../packages/platex/src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../packages/platex/src/sandbox/types.ts'
import { compileDocument, corpusJob } from '../packages/platex/test/support/compile-document.ts'
import { readCorpus, type CorpusDocument } from '../packages/platex/test/support/read-corpus.ts'
import { LATEXMK_SWITCHES } from '../packages/platex/test/support/run-latexmk.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const GEOMEAN_GOAL = 0.75
const WORST_GOAL = 1

interface Measured {
  readonly name: string
  readonly engine: string
  readonly passes: number
  readonly oursMs: readonly number[]
  readonly latexmkMs: readonly number[]
  readonly byHandMs: readonly number[]
}

/** One program of the minimal passes by hand. */
interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const sandbox = await openSandbox('auto')
  const documents = await readCorpus(new URL('documents/', import.meta.url))
  const measured: Measured[] = []
  console.log(`medians of ${ROUNDS} rounds in ms, sandbox ${sandbox.kind}, load ${loadavg()[0]?.toFixed(1)}`)
  console.log('document    engine    passes    ours  latexmk  by hand  ours/latexmk  ours/by hand')
  for (const document of documents) {
    const row = await measure(document, sandbox)
    measured.push(row)
    console.log(lineOf(row))
  }
  const ratios = measured.map((row) => ratioOf(row.oursMs, row.latexmkMs))
  const geomean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  console.log(goalLine('compile-geomean', geomean, GEOMEAN_GOAL))
  console.log(goalLine('compile-worst', Math.max(...ratios), WORST_GOAL))
  await store(measured, { geomean, worst: Math.max(...ratios), sandbox: sandbox.kind })
}

async function measure(document: CorpusDocument, sandbox: Sandbox): Promise<Measured> {
  // The first compile is not measured: it shows which programs run, and fills the caches of the system for all three.
  const { history } = await compileDocument(document, { sandbox, furtherPasses: 0 })
  const commands = commandsOf(document, history.runs)
  const oursMs: number[] = []
  const latexmkMs: number[] = []
  const byHandMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    oursMs.push(await timeOurs(document, sandbox))
    latexmkMs.push(await timeCommands(document, [latexmkOf(document)]))
    byHandMs.push(await timeCommands(document, commands))
  }
  const passes = history.runs.filter((one) => one.kind === 'engine').length
  return { name: document.name, engine: document.engine, passes, oursMs, latexmkMs, byHandMs }
}

async function timeOurs(document: CorpusDocument, sandbox: Sandbox): Promise<number> {
  const startedAt = performance.now()
  const { result } = await runPipeline(corpusJob(document, sandbox))
  const durationMs = performance.now() - startedAt
  if (result.pdf === null) throw new Error(`no PDF of ${document.name}: ${result.errors[0]?.message}`)
  return durationMs
}

function latexmkOf({ engine }: CorpusDocument): Command {
  const switches = ['-norc', '-f', '-silent', '-interaction=nonstopmode', ...LATEXMK_SWITCHES[engine]]
  return { program: 'latexmk', args: [...switches, 'main.tex'] }
}

function commandsOf(
  { engine }: CorpusDocument,
  runs: Awaited<ReturnType<typeof compileDocument>>['history']['runs'],
): readonly Command[] {
  const row = ENGINES[engine]
  const invocation = { rootName: 'main.tex', jobName: 'main', isDraft: false, synctex: false, passes: 'auto' } as const
  const commands = runs.map((one) =>
    one.kind === 'engine'
      ? { program: row.program, args: row.arguments(invocation) }
      : { program: one.plan.tool, args: one.plan.args },
  )
  const driver = { program: 'xdvipdfmx', args: ['-q', '-E', '-o', 'main.pdf', 'main.xdv'] }
  return row.output === 'xdv' ? [...commands, driver] : commands
}

async function timeCommands(document: CorpusDocument, commands: readonly Command[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-compile-'))
  try {
    const startedAt = performance.now()
    for (const [path, bytes] of document.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
    for (const command of commands) await finish(command, folder)
    return performance.now() - startedAt
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function finish({ program, args }: Command, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: 'ignore' })
    child.on('error', reject)
    child.on('exit', () => resolve())
  })
}

function lineOf({ name, engine, passes, oursMs, latexmkMs, byHandMs }: Measured): string {
  const times = [oursMs, latexmkMs, byHandMs].map((values) => String(Math.round(medianOf(values))).padStart(8))
  const ratios = [ratioOf(oursMs, latexmkMs), ratioOf(oursMs, byHandMs)].map((ratio) => ratio.toFixed(2).padStart(13))
  return `${name.padEnd(12)}${engine.padEnd(10)}${String(passes).padEnd(6)}${times.join(' ')}${ratios.join(' ')}`
}

function ratioOf(values: readonly number[], base: readonly number[]): number {
  return medianOf(values) / medianOf(base)
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}

function goalLine(name: string, value: number, wanted: number): string {
  return `goal ${name} measured ${value.toFixed(2)} wanted ${wanted.toFixed(2)} ${value <= wanted ? 'met' : 'short'}`
}

async function store(
  documents: readonly Measured[],
  summary: { geomean: number; worst: number; sandbox: string },
): Promise<void> {
  const measuredAt = new Date().toISOString()
  const machine = { cores: availableParallelism(), load: loadavg()[0], node: process.version }
  const folder = new URL('results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  const text = JSON.stringify({ measuredAt, machine, rounds: ROUNDS, ...summary, documents }, null, 2)
  await writeFile(new URL('compile.json', folder), `${text}\n`)
}
