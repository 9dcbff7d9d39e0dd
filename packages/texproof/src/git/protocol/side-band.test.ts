import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readPktLine } from './pkt-line.ts'
import { encodeRemoteLine, encodeSideBand, plainTerminalText } from './side-band.ts'

test('encodeRemoteLine() is a band 2 packet that ends in a newline', () => {
  assert.equal(Buffer.from(encodeRemoteLine('Building…', 'side-band-64k')).toString(), '0011\u0002Building…\n')
})

test('encodeRemoteLine() is empty for a client without side bands', () => {
  assert.deepEqual(encodeRemoteLine('Building', null), new Uint8Array())
})

test('encodeRemoteLine() removes terminal control characters', () => {
  const line = encodeRemoteLine('a\u001b[2Jb\r\nc\u009bd', 'side-band-64k')
  assert.equal(Buffer.from(line).toString(), '000d\u0002a[2Jbcd\n')
})

test('encodeRemoteLine() removes characters that change the direction of text', () => {
  const hidden = '\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069'
  const line = encodeRemoteLine(`Built שלום${hidden}fdp.exe`, 'side-band-64k')
  assert.equal(Buffer.from(line).toString(), '001b\u0002Built שלוםfdp.exe\n')
})

test('plainTerminalText() keeps letters, and removes what controls a terminal or the direction', () => {
  assert.equal(plainTerminalText('Zoë\u001b[2J \u202E\u009b张'), 'Zoë[2J 张')
})

test('encodeSideBand() respects the packet size of the client', () => {
  const bytes = encodeSideBand(1, Buffer.alloc(2_500), 'side-band')
  const lengths: number[] = []
  for (let offset = 0; offset < bytes.length;) {
    const packet = readPktLine(bytes, offset)
    assert.equal(packet.kind, 'data')
    lengths.push(packet.end - offset)
    offset = packet.end
  }
  assert.deepEqual(lengths, [1_000, 1_000, 515])
})
