import assert from 'node:assert/strict'
import { test } from 'node:test'

import { maxFields, parseFormBody, type FormField } from './parse-form.ts'

const URLENCODED = 'application/x-www-form-urlencoded'

function parse(contentType: string, text: string): ReturnType<typeof parseFormBody> {
  return parseFormBody({ contentType, bytes: Uint8Array.from(Buffer.from(text)) })
}

test('the fields of an encoded form are read in order', async () => {
  assert.deepEqual(await parse(URLENCODED, 'a=1&b=%C3%A9+x&a=2&__proto__=p'), {
    kind: 'parsed',
    fields: [
      ['a', '1'],
      ['b', 'é x'],
      ['a', '2'],
      ['__proto__', 'p'],
    ],
  })
})

test('the fields and files of a form in parts are read in order', async () => {
  const form = new FormData()
  form.append('a', '1')
  form.append('folder', new File(['\0\u{1F600}'], 'tides/main.tex'))
  form.append('a', '2')
  const response = new Response(form)
  const contentType = response.headers.get('content-type') ?? ''
  assert.deepEqual(await parseFormBody({ contentType, bytes: new Uint8Array(await response.arrayBuffer()) }), {
    kind: 'parsed',
    fields: [
      ['a', '1'],
      ['folder', { name: 'tides/main.tex', bytes: new Uint8Array([0, 240, 159, 152, 128]) }],
      ['a', '2'],
    ] satisfies FormField[],
  })
})

test('a body of another type has no fields, and one that does not match its type is malformed', async () => {
  const bodies = [
    await parse('application/json', '{"a":1}'),
    await parse('', 'a=1'),
    await parse('multipart/form-data; boundary=x', 'a=1'),
    await parse('multipart/form-data', 'a=1'),
  ]
  assert.deepEqual(bodies, [
    { kind: 'parsed', fields: [] },
    { kind: 'parsed', fields: [] },
    { kind: 'malformed' },
    { kind: 'malformed' },
  ])
})

test('a form with more fields or longer ones than any page has is refused', async () => {
  const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'
  const [most, fields, parts, text, other] = [
    await parse(URLENCODED, 'a&'.repeat(maxFields)),
    await parse(URLENCODED, 'a&'.repeat(maxFields + 1)),
    await parse('multipart/form-data; boundary=x', `${part.repeat(maxFields + 1)}--x--\r\n`),
    await parse(URLENCODED, `text=${'a'.repeat(1_000_000)}`),
    await parse(URLENCODED, `message=${'a'.repeat(1_000_000)}`),
  ]
  assert.deepEqual([most.kind, text.kind], ['parsed', 'parsed'])
  assert.deepEqual(
    [fields, parts, other],
    [
      { kind: 'refused', limit: '6,000 fields and files' },
      { kind: 'refused', limit: '6,000 fields and files' },
      { kind: 'refused', limit: '256 kB of other fields' },
    ],
  )
})
