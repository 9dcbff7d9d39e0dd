import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'

import type { BrowserServer } from 'playwright-core'

import { startSharedBrowser, withoutBrowser } from '../packages/texproof/test/support/web/open-browser.ts'
import { groupTestFiles, type TestProcess } from './group-test-files.ts'

// `run-test-files.ts --concurrency N --times FILE TEST…`: runs test files in the given order, N processes at once, and
// writes `milliseconds<TAB>title` for each process. `node --test` would sort them by name. A few processes that failed are
// repeated alone at the end, and the report names those that passed then.

const testTimeoutMs = 600_000
/** Processes that are repeated at most. */
const MAX_REPEATED = 6

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' }, times: { type: 'string', default: '/dev/null' } },
})
const times = createWriteStream(values.times)
const folder = mkdtempSync(join(tmpdir(), 'texproof-test-groups-'))
let browser: BrowserServer | null = null
try {
  // For test/support/hosts/copy-snapshot.ts.
  process.env['TEST_SNAPSHOTS'] = folder
  // A test file that runs others has a browser already.
  if (process.env['TEST_BROWSER'] === undefined && withoutBrowser === false && positionals.some(usesBrowser)) {
    browser = await startSharedBrowser()
    process.env['TEST_BROWSER'] = browser.wsEndpoint()
  }
  const processes = groupTestFiles(positionals, folder)
  const failed = await runTests(processes, Number(values.concurrency))
  // Many failures have a common cause, which repeating does not remove.
  const isRepeated = failed.length > 0 && failed.length <= MAX_REPEATED && failed.length < processes.length
  const remaining = isRepeated ? await repeatAlone(failed) : failed
  if (remaining.length > 0) process.exitCode = 1
} finally {
  times.end()
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Resolves to the processes that failed. */
async function runTests(processes: readonly TestProcess[], concurrency: number): Promise<readonly TestProcess[]> {
  let isGood = true
  const failed = new Set<string>()
  const titles = new Map(processes.map(({ path, title }) => [path, title]))
  const events = run({
    files: [...titles.keys()],
    concurrency,
    timeout: testTimeoutMs,
    execArgv: ['--import', import.meta.resolve('./track-tests.ts')],
  })
  events.on('test:summary', ({ file, success, duration_ms: durationMs }) => {
    if (file === undefined) {
      isGood = success
      return
    }
    if (!success) failed.add(file)
    times.write(`${durationMs.toFixed(0)}\t${titles.get(file) ?? file}\n`)
  })
  // A process that ends early has no summary, but is a test that fails.
  events.on('test:fail', ({ name, file }) => {
    if (titles.has(name)) failed.add(name)
    else if (file !== undefined && titles.has(file)) failed.add(file)
  })
  const report = events.compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report, { writable: false })
  // A failure that belongs to no process, which must not be lost.
  if (!isGood && failed.size === 0) return processes
  return processes.filter(({ path }) => failed.has(path))
}

/** Runs what failed beside other tests once more, one process at a time. Resolves to those that fail again. */
async function repeatAlone(processes: readonly TestProcess[]): Promise<readonly TestProcess[]> {
  console.log(`\n── repeated alone: ${processes.map(({ title }) => title).join(', ')}`)
  const failed = await runTests(processes, 1)
  for (const { title } of processes.filter((one) => !failed.includes(one)))
    console.log(`⚠ ${title} failed beside other tests and passed alone. Make it independent of the load.`)
  return failed
}

function usesBrowser(file: string): boolean {
  return readFileSync(file, 'utf8').includes('openBrowser(')
}
