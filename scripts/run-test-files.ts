import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'

import type { BrowserServer } from 'playwright-core'

import { startSharedBrowser, withoutBrowser } from '../packages/texproof/test/support/web/open-browser.ts'
import { groupTestFiles } from './group-test-files.ts'

// `run-test-files.ts --concurrency N --times FILE TEST…`: runs test files in the given order, N processes at once, and
// writes `milliseconds<TAB>title` for each process. `node --test` would sort them by name.

const testTimeoutMs = 600_000

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
  const titles = new Map(processes.map(({ path, title }) => [path, title]))
  const events = run({
    files: [...titles.keys()],
    concurrency: Number(values.concurrency),
    timeout: testTimeoutMs,
    execArgv: ['--import', import.meta.resolve('./track-tests.ts')],
  })
  events.on('test:summary', ({ file, success, duration_ms: durationMs }) => {
    if (!success) process.exitCode = 1
    if (file !== undefined) times.write(`${durationMs.toFixed(0)}\t${titles.get(file) ?? file}\n`)
  })
  const report = events.compose(spec)
  report.pipe(process.stdout)
  await finished(report, { writable: false })
} finally {
  times.end()
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
}

function usesBrowser(file: string): boolean {
  return readFileSync(file, 'utf8').includes('openBrowser(')
}
