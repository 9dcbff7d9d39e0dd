import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { acceptsGzip, prefersEventStream, prefersPdf } from './accept.ts'

describe('prefersPdf', () => {
  for (const [accept, expected] of [
    [null, false],
    ['', false],
    ['*/*', false],
    ['application/*', false],
    ['application/pdf', true],
    ['Application/PDF', true],
    ['application/pdf;q=0', false],
    ['application/pdf; q=0.5, */*;q=0.1', true],
    ['application/json, application/pdf', false],
    ['application/json;q=0.5, application/pdf;q=0.9', true],
    ['application/pdf;q=nonsense', false],
    ['application/pdf, */*', true],
    ['application/pdf;q=0.1, */*', false],
    ['application/pdf;q=0.5, application/*;q=0.9, */*;q=0.1', false],
  ] as const) {
    test(`is ${expected} for Accept: ${accept}`, () => {
      assert.equal(prefersPdf(new Headers(accept === null ? {} : { accept })), expected)
    })
  }
})

describe('acceptsGzip', () => {
  for (const [encoding, expected] of [
    [null, false],
    ['identity', false],
    ['gzip', true],
    ['br, GZIP;q=0.2', true],
    ['*', true],
    ['*, gzip;q=0', false],
    ['br;q=1, *;q=0', false],
  ] as const) {
    test(`is ${expected} for Accept-Encoding: ${encoding}`, () => {
      assert.equal(acceptsGzip(new Headers(encoding === null ? {} : { 'accept-encoding': encoding })), expected)
    })
  }
})

describe('prefersEventStream', () => {
  for (const [accept, expected] of [
    [null, false],
    ['*/*', false],
    ['text/event-stream', true],
    ['text/event-stream, application/json;q=0.9', true],
    ['text/event-stream, application/json', false],
  ] as const) {
    test(`is ${expected} for Accept: ${accept}`, () => {
      assert.equal(prefersEventStream(new Headers(accept === null ? {} : { accept })), expected)
    })
  }
})
