import assert from 'node:assert/strict'
import { test } from 'node:test'

import { encodePushReport, explainRefused, parsePushReport, reportRefusals, reportUnpack } from './push-report.ts'

const refusal = { refBytes: Buffer.from('refs/x'), reason: 'no' }
const lines = [reportUnpack(null), ...reportRefusals([refusal])]
const asText = (parts: Iterable<Uint8Array>): string => Buffer.concat([...parts]).toString('latin1')

test('encodePushReport() wraps the report in band 1', () => {
  const client = { capabilities: new Set(['report-status-v2']), sideBand: 'side-band-64k' } as const
  assert.equal(asText(encodePushReport(client, lines)), '0028\u0001000eunpack ok\n0011ng refs/x no\n0000')
})

test('encodePushReport() is the plain report for a client without side bands, and empty if no report is requested', () => {
  const bare = encodePushReport({ capabilities: new Set(['report-status']), sideBand: null }, lines)
  const none = encodePushReport({ capabilities: new Set(), sideBand: null }, lines)
  assert.deepEqual([asText(bare), asText(none)], ['000eunpack ok\n0011ng refs/x no\n0000', ''])
})

test('a report of many refs can be parsed in parts, including a name that is not UTF-8', () => {
  const names = Array.from({ length: 1_234 }, (_, at) => Buffer.from(`refs/x/\xff${at}`, 'latin1'))
  const many = [...reportRefusals(names.map((refBytes) => ({ refBytes, reason: 'no' })))]
  const parts = encodePushReport({ capabilities: new Set(['report-status']), sideBand: null }, many)
  const read = parsePushReport(Buffer.concat([...parts]))
  assert.deepEqual(
    read.map((line) => Buffer.from(line).toString('latin1')),
    names.map((name) => `ng ${name.toString('latin1')} no`),
  )
})

test('the refusal of the longest name fits into one packet', () => {
  const refBytes = Buffer.alloc(65_430, 'x')
  const report = reportRefusals([{ refBytes, reason: 'a reason that has a hundred letters '.repeat(4) }])
  const [part] = encodePushReport({ capabilities: new Set(['report-status']), sideBand: null }, report)
  assert.equal(part?.length, 65_520 + 4)
})

test('explainRefused() adds the reason of the hook to declined refs only', () => {
  const report = ['unpack ok', 'ng refs/heads/a pre-receive hook declined', 'ok refs/heads/b'].map((line) =>
    Buffer.from(line),
  )
  assert.deepEqual(explainRefused(report, 'This token has expired.').map(String), [
    'unpack ok',
    'ng refs/heads/a This token has expired.',
    'ok refs/heads/b',
  ])
})
