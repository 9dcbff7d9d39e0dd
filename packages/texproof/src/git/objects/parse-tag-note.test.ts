import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseTagNote } from './parse-tag-note.ts'

const HEAD = `object ${'1'.repeat(40)}\ntype commit\ntag v1\n`

test('a tag has its message without the signature, its tagger and its date', () => {
  const text = `${HEAD}tagger Alice <alice@example.org> 1700000000 +0100\n\nAs submitted\n\nTo the journal.\n-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n`
  assert.deepEqual(parseTagNote(Buffer.from(text)), {
    message: 'As submitted\n\nTo the journal.',
    tagger: { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 },
  })
})

test('a malformed tag is read as far as possible', () => {
  const notes = ['', HEAD, `${HEAD}\n`, `${HEAD}encoding latin1\n\nf\xfcr\n`, '\n\n\0'].map((text) =>
    parseTagNote(Buffer.from(text, 'latin1')),
  )
  assert.deepEqual(notes, [
    { message: '', tagger: null },
    { message: '', tagger: null },
    { message: '', tagger: null },
    { message: 'für', tagger: null },
    { message: '', tagger: null },
  ])
})
