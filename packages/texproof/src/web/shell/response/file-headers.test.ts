import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { contentDisposition } from './file-headers.ts'
import { isUnmodified, parseRange } from './file-headers.ts'

const ranges: readonly (readonly [header: string | undefined, expected: ReturnType<typeof parseRange>])[] = [
  [undefined, null],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', null],
  ['bytes=0-1,5-6', null],
  ['lines=0-1', null],
  ['bytes=-', null],
]

for (const [header, expected] of ranges) {
  test(`parseRange() of ${header ?? 'no header'}`, () => {
    assert.deepEqual(parseRange(header, 100), expected)
  })
}

const ETAG = '"a"'
const SINCE = 'Mon, 30 Nov 2026 06:00:00 GMT'

for (const [name, since, tags, expected] of [
  ['no condition', undefined, undefined, false],
  ['the same time', SINCE, undefined, true],
  ['a later time', 'Tue, 01 Dec 2026 06:00:00 GMT', undefined, true],
  ['an earlier time', 'Mon, 30 Nov 2026 05:59:59 GMT', undefined, false],
  ['an invalid time', '2027-01-01', undefined, false],
  ['two times', `${SINCE}, ${SINCE}`, undefined, false],
  ['another ETag and a later time', 'Tue, 01 Dec 2026 06:00:00 GMT', '"b"', false],
  ['the ETag and an earlier time', 'Mon, 30 Nov 2026 05:59:59 GMT', '"b", W/"a"', true],
  ['any ETag', undefined, '*', true],
] as const) {
  test(`isUnmodified() with ${name}`, () => {
    const headers: Readonly<Record<string, string | undefined>> = { 'if-modified-since': since, 'if-none-match': tags }
    // Within the second of SINCE: times of HTTP have no fractions.
    const modifiedAt = Date.parse(SINCE) + 999
    assert.equal(
      isUnmodified((header) => headers[header], { etag: ETAG, modifiedAt }),
      expected,
    )
  })
}

test('contentDisposition() keeps a plain name and escapes any other for every client', () => {
  assert.deepEqual(
    [contentDisposition('inline', 'tides-main.pdf'), contentDisposition('attachment', 'é"\r\nx.pdf')],
    ['inline; filename="tides-main.pdf"', 'attachment; filename="____x.pdf"; filename*=UTF-8\'\'%C3%A9%22%0D%0Ax.pdf'],
  )
})

test('contentDisposition() cannot be used to inject headers', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      assert.match(
        contentDisposition('inline', name),
        /^inline; filename="[^"\\\r\n]*"(; filename\*=UTF-8''[\w.!~%-]*)?$/,
      )
    }),
  )
})
