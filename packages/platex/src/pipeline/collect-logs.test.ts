import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../engine/engines.ts'
import type { RunReport } from '../sandbox/types.ts'
import { collectLogs } from './collect-logs.ts'
import { readRecorder } from './read-recorder.ts'
import type { EngineRun, ToolRun } from './run.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function report(stdout = ''): RunReport {
  return { end: { kind: 'exited', exitCode: 0 }, stdout: bytes(stdout), stderr: bytes(''), durationMs: 12.4 }
}

function engineRun(passNumber: number, log: Uint8Array): EngineRun {
  const recorder = readRecorder('', '')
  return {
    kind: 'engine',
    row: ENGINES.pdflatex,
    passNumber,
    reason: 'first pass',
    isDraft: false,
    report: report('out\n'),
    log,
    recorder,
  }
}

function toolRun(tool: 'makeindex' | 'bibtex', passNumber: number | null): ToolRun {
  const subject = tool === 'bibtex' ? 'main.aux' : 'main.idx'
  const plan = { tool, subject, args: [], inputDigest: '', outputs: [], transcript: '', reads: [], prepared: new Map() }
  return {
    kind: 'tool',
    plan,
    passNumber,
    reason: 'new',
    report: report(`${tool}\n`),
    transcript: bytes('said'),
    hasChangedOutput: true,
  }
}

test('collectLogs appends index tools and the driver to the engine pass before them', () => {
  const runs = [
    engineRun(1, bytes('one')),
    toolRun('makeindex', null),
    toolRun('bibtex', 2),
    engineRun(3, bytes('two')),
  ]
  const logs = collectLogs(runs, report('driver\n'))
  assert.deepEqual(
    logs.map((log) => [log.passNumber, log.engine, log.stdout, log.log, log.durationMs]),
    [
      [1, 'pdflatex', 'out\nmakeindex\n', 'one', 12],
      [2, 'bibtex', 'bibtex\n', 'said', 12],
      [3, 'pdflatex', 'out\ndriver\n', 'two', 12],
    ],
  )
})

test('collectLogs keeps 1 MiB of a log, its beginning and its end', () => {
  const long = bytes(`BEGIN${'x'.repeat(3 * 1024 * 1024)}END`)
  const [log] = collectLogs([engineRun(1, long)], null)
  const text = log?.log ?? ''
  assert.ok(text.startsWith('BEGINxxx') && text.endsWith('xxxEND') && text.includes('bytes left out'))
  assert.equal(Buffer.byteLength(text), 1024 * 1024)
})

test('collectLogs keeps at most 8 MiB in all, and the last passes', () => {
  const runs = Array.from({ length: 12 }, (_, index) => engineRun(index + 1, Buffer.alloc(1024 * 1024, 120)))
  const logs = collectLogs(runs, null)
  const size = logs.reduce((sum, log) => sum + Buffer.byteLength(log.log) + Buffer.byteLength(log.stdout), 0)
  assert.ok(size <= 8 * 1024 * 1024 + 4096)
  assert.ok(logs.at(-1)?.log.startsWith('xxx'))
  assert.ok(logs[0]?.log.startsWith('[left out'))
})
