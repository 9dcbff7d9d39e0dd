import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunReport } from '../../sandbox/types.ts'
import { collectLogs, type RunOutput } from './collect-logs.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function report(stdout = ''): RunReport {
  return { end: { kind: 'exited', exitCode: 0 }, stdout: bytes(stdout), stderr: bytes(''), durationMs: 12.4 }
}

const timedOut: RunReport = { ...report(), end: { kind: 'timed-out' } }

function engineRun(number: number, log: Uint8Array): RunOutput {
  return { pass: { number, engine: 'pdflatex' }, isEngine: true, report: report('out\n'), log, reason: 'first pass' }
}

function toolRun(tool: 'makeindex' | 'bibtex', number: number | null): RunOutput {
  const pass = tool === 'bibtex' && number !== null ? { number, engine: tool } : null
  return { pass, isEngine: false, report: report(`${tool}\n`), log: bytes('said'), reason: 'new' }
}

test('collectLogs appends index tools and the driver to the engine pass before them', () => {
  const outputs = [
    engineRun(1, bytes('one')),
    toolRun('makeindex', null),
    toolRun('bibtex', 2),
    engineRun(3, bytes('two')),
  ]
  const logs = collectLogs({ outputs, driver: report('driver\n') })
  assert.deepEqual(
    logs.map((log) => [log.passNumber, log.engine, log.stdout, log.log, log.durationMs]),
    [
      [1, 'pdflatex', 'out\nmakeindex\nsaid', 'one', 12],
      [2, 'bibtex', 'bibtex\n', 'said', 12],
      [3, 'pdflatex', 'out\ndriver\n', 'two', 12],
    ],
  )
})

for (const [name, outputs, driver] of [
  ['an index tool', [{ ...toolRun('makeindex', null), report: timedOut }], null],
  ['the driver', [], timedOut],
] as const) {
  test(`collectLogs marks the engine pass before ${name} that timed out`, () => {
    const logs = collectLogs({ outputs: [engineRun(1, bytes('one')), ...outputs], driver })
    assert.deepEqual(
      logs.map((log) => [log.timedOut, log.exitCode]),
      [[true, -1]],
    )
  })
}

test('collectLogs keeps 1 MiB of a log, its beginning and its end', () => {
  const long = bytes(`BEGIN${'x'.repeat(3 * 1024 * 1024)}END`)
  const [log] = collectLogs({ outputs: [engineRun(1, long)], driver: null })
  const text = log?.log ?? ''
  assert.ok(text.startsWith('BEGINxxx') && text.endsWith('xxxEND') && text.includes('bytes left out'))
  assert.equal(Buffer.byteLength(text), 1024 * 1024)
})

test('collectLogs keeps at most 8 MiB in all, and the last passes', () => {
  const outputs = Array.from({ length: 12 }, (_, index) => engineRun(index + 1, Buffer.alloc(1024 * 1024, 120)))
  const logs = collectLogs({ outputs, driver: null })
  const size = logs.reduce((sum, log) => sum + Buffer.byteLength(log.log) + Buffer.byteLength(log.stdout), 0)
  assert.ok(size <= 8 * 1024 * 1024 + 4096)
  assert.ok(logs.at(-1)?.log.startsWith('xxx'))
  assert.ok(logs[0]?.log.startsWith('[left out'))
})
