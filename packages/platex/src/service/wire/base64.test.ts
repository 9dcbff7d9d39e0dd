import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decodeBase64, encodeBase64 } from './base64.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('encodeBase64', () => {
  test('encodes like Buffer', () => {
    fc.assert(fc.property(fc.uint8Array(), (input) => encodeBase64(input) === Buffer.from(input).toString('base64')))
  })
})

describe('decodeBase64', () => {
  test('decodes the output of encodeBase64', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (input) => {
        assert.deepEqual(decodeBase64(encodeBase64(input)), input)
      }),
    )
  })

  test('decodes the URL-safe alphabet without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (input) => {
        assert.deepEqual(decodeBase64(Buffer.from(input).toString('base64url')), input)
      }),
    )
  })

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (input) => decodeBase64(input) !== undefined))
  })

  const legal: readonly (readonly [string, string])[] = [
    ['', ''],
    ['QQ==', 'A'],
    ['QQ', 'A'],
    ['QUI=', 'AB'],
    ['QUI', 'AB'],
    ['QUJD', 'ABC'],
    ['QU\r\nJD\r\n', 'ABC'],
    [' Q U J D ', 'ABC'],
    ['Pz8/', '???'],
    ['Pz8_', '???'],
  ]
  for (const [text, decoded] of legal) {
    test(`takes ${JSON.stringify(text)}`, () => assert.deepEqual(decodeBase64(text), bytes(decoded)))
  }

  const illegal = ['@@@@', 'Q', 'QQ=', 'QQ===', 'QUI==', 'QUJD=', 'QUJD====', '=', '====', 'QQ==QQ==', 'Q=Q=', 'QU*D']
  for (const text of [...illegal, 'data:;base64,QUJD', 'QUJD\u00a0', 'QUJDé', 'QUJ\0', 'QUJDQ']) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(decodeBase64(text), null))
  }
})
