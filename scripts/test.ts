import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { checkStages } from './check-stages.ts'
import { longTests } from './long-tests.ts'
import { runStage, runStages } from './run-stage.ts'
import type { Stage, StageReport } from './run-stage.ts'

// `npm test`: the checks, then the test files of both packages except long ones; small unit tests of one folder share a
// process. `npm run test:long`: only the long ones, see long-tests.ts.
// `npm test -- PATTERN …`: all test files whose path contains one of the patterns.
// `npm test -- --cpu …`: also prints the processor time of each process.

const root = new URL('..', import.meta.url).pathname
const testFiles = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts'] as const
/** `npm run test:diagnostics`. */
const diagnostics = ['packages/platex/test/diagnostics/**'] as const
/** Tests that compile nothing, and need not wait for the preparation of compiles. */
const COMPILES_NOTHING =
  /^(packages\/texproof\/src\/(accounts|api|compat|config|domain|git|mail|smart-http|store)|scripts)\//
const slowFileMs = 2_000
/** More than processors, because tests also wait for a browser, git or a disk. */
const concurrency = 2 * availableParallelism()
/** The slowest files run first, then all that start a host: at the end, a slow file would leave processors idle. */
const startOrder = [
  /test\/(builds\/error-pages|hostile\/hostile-quick|web\/(injection|every-page|host-journeys)|cli\/demo|admin\/demo-web)\.test\.ts$/,
  /test\/(editor\/editor|repository\/edit-journeys|service\/contract|compile\/read-ahead)\.test\.ts$|^scripts\/dev\//,
  /^packages\/texproof\/test\//,
  /^packages\/platex\/test\//,
  /^scripts\//,
] as const

/** Takes half a minute on a machine that has never run LuaTeX, which must not count towards the timeout of a test. */
const fontStage: Stage = { title: 'fonts', command: ['scripts/pinned-node', 'scripts/prepare-fonts.ts'] }

process.chdir(root)
process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const patterns = words.filter((word) => word !== '--cpu' && word !== '--long')
  const isCpuRecorded = words.includes('--cpu')
  const isLong = words.includes('--long')
  const files = findTestFiles(patterns, isLong)
  if (files.length === 0) {
    console.error(`No test file matches ${patterns.join(' ')}.`)
    return 2
  }
  const startedAt = performance.now()
  const reportDir = mkdtempSync(join(tmpdir(), 'texproof-test-'))
  const cpuTimes = join(reportDir, 'cpu')
  const env = { ...testEnvironment(), ...(isCpuRecorded ? { TEST_CPU_TIMES: cpuTimes } : {}) }
  // The longest first.
  const firstStages = [
    ...(files.every((file) => COMPILES_NOTHING.test(file)) ? [] : [fontStage]),
    ...(patterns.length === 0 && !isLong ? checkStages : []),
  ]
  const reports: StageReport[] = []
  try {
    reports.push(...(await runStages(firstStages, { env })))
    reports.push(await runStage(testStage(files, reportDir, isCpuRecorded), { env }))
    printTimes('time', join(reportDir, 'files'))
    if (isCpuRecorded) printTimes('processor time', cpuTimes)
  } finally {
    rmSync(reportDir, { recursive: true, force: true })
  }
  return printOutcome(reports, performance.now() - startedAt)
}

function findTestFiles(patterns: readonly string[], isLong: boolean): string[] {
  const all = globSync([...testFiles], { exclude: diagnostics }).toSorted()
  const long = new Set(longTests.flatMap(({ files }) => files))
  const wanted = all.filter((file) =>
    patterns.length === 0 ? long.has(file) === isLong : patterns.some((pattern) => file.includes(pattern)),
  )
  const place = (file: string): number => {
    const at = startOrder.findIndex((pattern) => pattern.test(file))
    return at === -1 ? startOrder.length : at
  }
  return wanted.toSorted((a, b) => place(a) - place(b))
}

function testStage(files: readonly string[], reportDir: string, isCpuRecorded: boolean): Stage {
  const options = ['--concurrency', String(concurrency), '--times', join(reportDir, 'files')]
  const preload = isCpuRecorded ? ['--import', join(root, 'scripts/record-cpu.ts')] : []
  return {
    title: `tests (${files.length} ${files.length === 1 ? 'file' : 'files'})`,
    command: ['scripts/pinned-node', ...preload, 'scripts/run-test-files.ts', ...options, ...files],
  }
}

/** Settings of the user must not affect the programs under test. */
function testEnvironment(): NodeJS.ProcessEnv {
  const isOurs = (name: string): boolean => /^(TEXPROOF_|COMPILE_(API_KEY|SERVICE_URL)$)/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
}

function printTimes(title: string, path: string): void {
  const times = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      durationMs: Number.parseInt(line, 10),
      file: relative(root, line.slice(line.indexOf('\t') + 1)),
    }))
  const slow = times.filter((time) => time.durationMs >= slowFileMs).toSorted((a, b) => b.durationMs - a.durationMs)
  if (slow.length === 0) return
  console.log(`\n── ${title} a file (those over ${slowFileMs / 1000} s of ${times.length})`)
  for (const { durationMs, file } of slow) console.log(`${(durationMs / 1000).toFixed(1).padStart(7)} s  ${file}`)
}

function printOutcome(reports: readonly StageReport[], durationMs: number): number {
  const failed = reports.filter((report) => !report.isGood)
  console.log(
    `\n── ${reports.map((report) => `${report.title} ${(report.durationMs / 1000).toFixed(1)} s`).join(' · ')}`,
  )
  const seconds = Math.round(durationMs / 1000)
  const minutes = `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  console.log(
    failed.length === 0
      ? `✓ all green in ${minutes}`
      : `✗ failed: ${failed.map((report) => report.title).join(', ')} (${minutes})`,
  )
  return failed.length === 0 ? 0 : 1
}
