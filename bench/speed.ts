/**
 * Compares the time until a user has a PDF with latexmk in its own folder and with one plain pass of the engine.
 *
 * `npm run bench -- speed cold edit hello paper` selects parts and documents; the default is everything. All sides
 * alternate within every round, so that other load on the machine slows all of them. Compiles go through the real
 * service, host and command, in the sandbox; latexmk and the plain pass run outside it. `BENCH_ROUNDS` sets the number
 * of rounds.
 */
import { readFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { openProjectCompiler } from '../packages/platex/src/api/project.ts'
import { startSpawner } from '../packages/platex/src/api/spawner.ts'
import { startService, type LiveService } from '../packages/platex/test/support/start-service.ts'
import { readCorpus, type CorpusDocument } from '../packages/platex/test/support/read-corpus.ts'
import { writeFiles } from '../packages/platex/test/support/run-latexmk.ts'
import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { startCompile } from '../packages/texproof/test/support/programs/start-compile.ts'
import { makeBook } from './speed/make-book.ts'
import { timeEditedPage } from './speed/preview-edits.ts'
import { editedFiles, type Position } from './speed/edit-document.ts'
import { makeCheckout, medianOf, timeLatexmk, timeOf, timePlainPass } from './speed/programs.ts'
import { connectFolder, timePush } from './speed/push-edit.ts'

/** Options with which `texproof serve` opens the service. */
const SERVICE = { sandbox: 'auto', waitingEngines: 4 } as const
/** Between two edits; engines read ahead meanwhile. */
const PAUSE_MS = Number(process.env['BENCH_PAUSE_MS'] ?? 3000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
/** Times of a page vary by a third, and their growth is a ratio of two medians. */
const PAGE_ROUNDS = 3 * ROUNDS
/** Number of compiles of each side in the throughput part. */
const THROUGHPUT_COUNT = 16

/** Milliseconds of each round, by side. */
type Times = Readonly<Record<string, readonly number[]>>

interface Row {
  readonly part: string
  readonly document: string
  readonly medians: Readonly<Record<string, number>>
}

interface Goal {
  readonly name: string
  readonly measured: number
  readonly wanted: number
  /** @default 'at most' */
  readonly direction?: 'at least'
}

interface Part {
  /** The documents of this part. */
  readonly documents: readonly string[]
  readonly measure: (documents: readonly CorpusDocument[], workDir: string) => Promise<readonly Row[]>
  readonly goals: (rows: readonly Row[]) => readonly Goal[]
}

const COLD_GOALS: Readonly<Record<string, number>> = { hello: 0.15, paper: 0.45, biblatex: 0.55 }
const EDIT_GOALS: Readonly<Record<string, number>> = { paper: 0.12, koma: 0.12, xelatex: 0.35, lualatex: 0.4 }
const INCREMENTAL_GOALS: Readonly<Record<string, number>> = { paper: 0.35, lualatex: 0.35, beamer: 0.6, plots: 0.6 }

const ENGINES = ['pdflatex', 'xelatex', 'lualatex'] as const
const PAGE_GOALS: Readonly<Record<string, number>> = {
  'book-pdflatex': 0.15,
  'book-xelatex': 0.2,
  'book-lualatex': 0.2,
}
const BOOKS = ENGINES.flatMap((engine) => [
  makeBook(`book-${engine}`, { engine, pages: 200 }),
  makeBook(`leaflet-${engine}`, { engine, pages: 10 }),
])

const PARTS: Readonly<Record<string, Part>> = {
  cold: {
    documents: 'hello paper biblatex beamer plots thesis xelatex lualatex koma memoir cv letter'.split(' '),
    measure: measureCold,
    goals: (rows) => {
      const ratios = rows.map((row) => ratioOf(row, 'latexmk'))
      const geomean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
      return [
        ...goalsOf(rows, 'latexmk', COLD_GOALS),
        { name: 'speed-cold-geomean', measured: geomean, wanted: 0.5 },
        { name: 'speed-cold-worst', measured: Math.max(...ratios), wanted: 0.85 },
      ]
    },
  },
  edit: {
    documents: ['paper', 'koma', 'biblatex', 'beamer', 'xelatex', 'lualatex'],
    measure: (documents, workDir) => measureEdits(documents, { position: 'body', part: 'edit', workDir }),
    goals: (rows) => goalsOf(rows, 'plain pass', EDIT_GOALS),
  },
  end: {
    documents: ['paper', 'koma', 'xelatex', 'lualatex'],
    measure: (documents, workDir) => measureEdits(documents, { position: 'end', part: 'end', workDir }),
    goals: (rows) => rows.map((row) => ({ ...goalOf(row, 'plain pass'), wanted: 0.15 })),
  },
  page: {
    documents: ENGINES.flatMap((engine) => [`book-${engine}`, `leaflet-${engine}`]),
    measure: measurePages,
    goals: (rows) => {
      const long = rows.filter(({ document }) => document.startsWith('book-'))
      return [
        ...goalsOf(long, 'plain pass', PAGE_GOALS),
        ...long.flatMap((row) => {
          const short = rows.find(({ document }) => document === row.document.replace('book-', 'leaflet-'))
          const measured = (row.medians['ours'] ?? NaN) / (short?.medians['ours'] ?? NaN)
          return short === undefined ? [] : [{ name: `speed-page-growth-${row.document}`, measured, wanted: 1.3 }]
        }),
      ]
    },
  },
  push: {
    documents: Object.keys(INCREMENTAL_GOALS),
    measure: measurePushes,
    goals: (rows) => goalsOf(rows, 'latexmk', INCREMENTAL_GOALS),
  },
  watch: {
    documents: Object.keys(INCREMENTAL_GOALS),
    measure: measureWatch,
    goals: (rows) => goalsOf(rows, 'latexmk', INCREMENTAL_GOALS),
  },
  identical: {
    documents: ['paper'],
    measure: measureIdentical,
    goals: (rows) =>
      rows.map(({ medians }) => ({ name: 'speed-identical-ms', measured: medians['ours'] ?? NaN, wanted: 10 })),
  },
  throughput: {
    documents: ['hello'],
    measure: measureThroughput,
    goals: (rows) =>
      rows.map((row) => ({
        name: `speed-throughput-${row.document}`,
        measured: 1 / ratioOf(row, 'latexmk'),
        wanted: 2.5,
        direction: 'at least',
      })),
  },
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(names: readonly string[]): Promise<void> {
  const corpus = [...(await readCorpus(new URL('documents/', import.meta.url))), ...BOOKS]
  const unknown = names.filter((name) => !(name in PARTS) && corpus.every((document) => document.name !== name))
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}; or names of documents`)
  const parts = Object.keys(PARTS).filter((name) => names.includes(name) || !names.some((one) => one in PARTS))
  const chosen = names.filter((name) => !(name in PARTS))
  console.log(
    `medians of ${ROUNDS} rounds (page: ${PAGE_ROUNDS}) in ms, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  )
  // As `texproof serve`: a program that this process started would stop the service in it for some milliseconds.
  const spawner = startSpawner((error) => console.error(error))
  try {
    const { rows, goals } = await measureParts(parts, { corpus, chosen })
    for (const goal of goals) console.log(goalLine(goal))
    await store(rows, goals)
  } finally {
    await spawner.close()
  }
}

async function measureParts(
  parts: readonly string[],
  { corpus, chosen }: { readonly corpus: readonly CorpusDocument[]; readonly chosen: readonly string[] },
): Promise<{ readonly rows: readonly Row[]; readonly goals: readonly Goal[] }> {
  const rows: Row[] = []
  const goals: Goal[] = []
  for (const name of parts) {
    const part = PARTS[name]
    if (part === undefined) continue
    const listed = chosen.length === 0 ? part.documents : part.documents.filter((one) => chosen.includes(one))
    const documents = listed.flatMap((one) => corpus.find((document) => document.name === one) ?? [])
    if (documents.length === 0) continue
    const workDir = await mkdtemp(join(tmpdir(), 'bench-speed-'))
    try {
      const measured = await part.measure(documents, workDir)
      rows.push(...measured)
      goals.push(...part.goals(measured))
    } finally {
      await rm(workDir, { recursive: true, force: true })
    }
  }
  return { rows, goals }
}

async function measureCold(documents: readonly CorpusDocument[], workDir: string): Promise<readonly Row[]> {
  await using service = await startService(SERVICE)
  const rows: Row[] = []
  for (const document of documents) {
    await compile(service, document.files, document)
    rows.push(
      await rounds(
        { part: 'cold', document },
        {
          ours: async () => timeOf(() => compile(service, document.files, document)),
          latexmk: async () => timeLatexmk(document, await makeCheckout(workDir, document.files)),
          'plain pass': async () => timePlainPass(document, await makeCheckout(workDir, document.files)),
        },
      ),
    )
  }
  return rows
}

async function measureEdits(
  documents: readonly CorpusDocument[],
  { position, part, workDir }: { readonly position: Position; readonly part: string; readonly workDir: string },
): Promise<readonly Row[]> {
  await using service = await startService(SERVICE)
  const rows: Row[] = []
  for (const document of documents) {
    const session = `bench-${part}-${document.name}`
    const besides = { latexmk: '', 'plain pass': '' }
    for (const name of ['latexmk', 'plain pass'] as const) {
      besides[name] = await makeCheckout(workDir, document.files)
      await timeLatexmk(document, besides[name])
    }
    await compile(service, document.files, { ...document, session })
    await sleep(PAUSE_MS)
    const edited = (number: number) => editedFiles(document, { position, number })
    rows.push(
      await rounds(
        { part, document },
        {
          ours: async (number) => {
            await sleep(PAUSE_MS)
            const files = edited(number)
            return timeOf(() => compile(service, files, { ...document, session }))
          },
          latexmk: async (number) => {
            await writeFiles(besides.latexmk, edited(number))
            return timeLatexmk(document, besides.latexmk)
          },
          'plain pass': async (number) => {
            await writeFiles(besides['plain pass'], edited(number))
            return timePlainPass(document, besides['plain pass'])
          },
        },
      ),
    )
  }
  return rows
}

/** The edited page of a preview, against a plain pass over the whole document. */
async function measurePages(documents: readonly CorpusDocument[], workDir: string): Promise<readonly Row[]> {
  const compiler = await openProjectCompiler({ ...SERVICE })
  try {
    const rows: Row[] = []
    for (const document of documents) {
      const folder = await makeCheckout(workDir, document.files)
      await timeLatexmk(document, folder)
      // The first edits name the place, the engines that read up to it, and the pages.
      for (const number of [101, 102]) {
        await timeEditedPage(compiler, { document, number })
        await sleep(PAUSE_MS)
      }
      const sides = {
        ours: async (number: number) => {
          await sleep(PAUSE_MS)
          return timeEditedPage(compiler, { document, number })
        },
        'plain pass': () => timePlainPass(document, folder),
      }
      rows.push(await rounds({ part: 'page', document, count: PAGE_ROUNDS }, sides))
    }
    return rows
  } finally {
    await compiler.close()
  }
}

async function measurePushes(documents: readonly CorpusDocument[], workDir: string): Promise<readonly Row[]> {
  const host = await startHost()
  try {
    const token = await host.makeToken('alice')
    const rows: Row[] = []
    for (const document of documents) {
      const folder = await makeCheckout(workDir, document.files)
      const beside = await makeCheckout(workDir, document.files)
      const pushed = { host, token, name: document.name, folder }
      await connectFolder(pushed)
      await timePush(pushed)
      await timeLatexmk(document, beside)
      rows.push(
        await rounds(
          { part: 'push', document },
          {
            ours: async (number) => {
              await sleep(PAUSE_MS)
              await writeFiles(folder, editedFiles(document, { position: 'body', number }))
              return timePush(pushed)
            },
            latexmk: async (number) => {
              await writeFiles(beside, editedFiles(document, { position: 'body', number }))
              return timeLatexmk(document, beside)
            },
          },
        ),
      )
    }
    return rows
  } finally {
    await host.stop()
  }
}

async function measureWatch(documents: readonly CorpusDocument[], workDir: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const document of documents) {
    const folder = await makeCheckout(workDir, document.files)
    const beside = await makeCheckout(workDir, document.files)
    const watching = startCompile(['main.tex', '--watch', '--engine', document.engine], { cwd: folder })
    await watching.said(/Watching/)
    await timeLatexmk(document, beside)
    rows.push(
      await rounds(
        { part: 'watch', document },
        {
          ours: async (number) => {
            await sleep(PAUSE_MS)
            await writeFiles(folder, editedFiles(document, { position: 'body', number }))
            return timeOf(() => watching.said(/✓ [^]*→ main\.pdf/))
          },
          latexmk: async (number) => {
            await writeFiles(beside, editedFiles(document, { position: 'body', number }))
            return timeLatexmk(document, beside)
          },
        },
      ),
    )
    watching.signal('SIGINT')
    await watching.exitCode
  }
  return rows
}

async function measureIdentical(documents: readonly CorpusDocument[]): Promise<readonly Row[]> {
  await using service = await startService(SERVICE)
  const rows: Row[] = []
  for (const document of documents) {
    const request = { ...document, mayHit: true }
    await compile(service, document.files, request)
    rows.push(
      await rounds(
        { part: 'identical', document },
        {
          ours: () => timeOf(() => compile(service, document.files, request)),
        },
      ),
    )
  }
  return rows
}

/** Both run one compile per processor at a time. */
async function measureThroughput(documents: readonly CorpusDocument[], workDir: string): Promise<readonly Row[]> {
  const concurrency = availableParallelism()
  await using service = await startService({ ...SERVICE, maxConcurrentCompiles: concurrency })
  const many = (compileOne: () => Promise<unknown>) =>
    timeOf(async () => {
      let left = THROUGHPUT_COUNT
      const work = async (): Promise<void> => {
        for (left -= 1; left >= 0; left -= 1) await compileOne()
      }
      await Promise.all(Array.from({ length: concurrency }, work))
    })
  const rows: Row[] = []
  for (const document of documents) {
    rows.push(
      await rounds(
        { part: 'throughput', document },
        {
          ours: () => many(() => compile(service, document.files, document)),
          latexmk: () => many(async () => timeLatexmk(document, await makeCheckout(workDir, document.files))),
        },
      ),
    )
  }
  return rows
}

interface ServiceCompile extends Pick<CorpusDocument, 'name' | 'engine'> {
  readonly session?: string
  /** Whether the response may come from the result cache. @default false */
  readonly mayHit?: boolean
}

async function compile(
  service: LiveService,
  files: ReadonlyMap<string, Uint8Array>,
  { name, engine, session, mayHit = false }: ServiceCompile,
): Promise<void> {
  const texts = [...files].map(([path, bytes]) => [path, { text: new TextDecoder().decode(bytes) }])
  const answer = await fetch(`${service.url}/compile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(mayHit ? {} : { 'cache-control': 'no-cache' }) },
    body: JSON.stringify({ main: 'main.tex', engine, files: Object.fromEntries(texts), timeout: 120_000, session }),
  })
  const { pdf, errors } = (await answer.json()) as { pdf: string | null; errors?: { message: string }[] }
  if (!pdf) throw new Error(`no PDF of ${name}: ${answer.status} ${errors?.[0]?.message}`)
}

/** Alternates between the sides; rounds are numbered from 1. */
async function rounds(
  {
    part,
    document,
    count = ROUNDS,
  }: { readonly part: string; readonly document: CorpusDocument; readonly count?: number },
  opponents: Readonly<Record<string, (round: number) => Promise<number>>>,
): Promise<Row> {
  const times: Record<string, number[]> = {}
  for (let round = 1; round <= count; round += 1)
    for (const [name, measure] of Object.entries(opponents)) (times[name] ??= []).push(await measure(round))
  const row = { part, document: document.name, medians: mediansOf(times) }
  const cells = Object.entries(row.medians).map(([name, ms]) => `${name} ${ms.toFixed(ms < 100 ? 1 : 0).padStart(6)}`)
  console.log(`${part.padEnd(11)}${document.name.padEnd(10)}${cells.join('   ')}`)
  return row
}

function mediansOf(times: Times): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, medianOf(values)]))
}

function ratioOf({ medians }: Row, opponent: string): number {
  return (medians['ours'] ?? NaN) / (medians[opponent] ?? NaN)
}

function goalOf(row: Row, opponent: string): Pick<Goal, 'name' | 'measured'> {
  return { name: `speed-${row.part}-${row.document}`, measured: ratioOf(row, opponent) }
}

function goalsOf(rows: readonly Row[], opponent: string, wanted: Readonly<Record<string, number>>): readonly Goal[] {
  return rows.flatMap((row) => {
    const limit = wanted[row.document]
    return limit === undefined ? [] : [{ ...goalOf(row, opponent), wanted: limit }]
  })
}

function goalLine({ name, measured, wanted, direction }: Goal): string {
  const isMet = direction === 'at least' ? measured >= wanted : measured <= wanted
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${wanted.toFixed(2)} ${isMet ? 'met' : 'short'}`
}

/** Rows of parts and documents that were not measured are kept. */
async function store(rows: readonly Row[], goals: readonly Goal[]): Promise<void> {
  const file = new URL('results/speed.json', import.meta.url)
  const earlier = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as { rows: readonly Row[]; goals: readonly Goal[] },
    () => ({ rows: [], goals: [] }),
  )
  const keyOf = ({ part, document }: Row) => `${part} ${document}`
  const merged = new Map([...earlier.rows, ...rows].map((row) => [keyOf(row), row]))
  const mergedGoals = new Map([...earlier.goals, ...goals].map((goal) => [goal.name, goal]))
  const machine = { cores: availableParallelism(), load: loadavg()[0], node: process.version, rounds: ROUNDS }
  const content = {
    measuredAt: new Date().toISOString(),
    machine,
    goals: [...mergedGoals.values()],
    rows: [...merged.values()],
  }
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`)
}
