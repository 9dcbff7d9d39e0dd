import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'

// `run-test-files.ts --concurrency N --times FILE TEST…`: runs test files in the given order, each in a process of its
// own, N at once, and writes `milliseconds<TAB>path` for each file. `node --test` would sort them by name.

const testTimeoutMs = 600_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' }, times: { type: 'string', default: '/dev/null' } },
})
const times = createWriteStream(values.times)
const events = run({ files: positionals, concurrency: Number(values.concurrency), timeout: testTimeoutMs })
events.on('test:summary', ({ file, success, duration_ms: durationMs }) => {
  if (!success) process.exitCode = 1
  if (file !== undefined) times.write(`${durationMs.toFixed(0)}\t${file}\n`)
})
const report = events.compose(spec)
report.pipe(process.stdout)
await finished(report, { writable: false })
times.end()
