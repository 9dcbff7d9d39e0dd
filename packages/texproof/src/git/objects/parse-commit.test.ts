import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { parseCommit, parseTagNote } from './parse-commit.ts'

const id = 'c'.repeat(40)
const tree = 'a'.repeat(40)
const nobody = { name: '', email: '', at: 0 }

function commitOf(lines: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
}

function personOf(line: string) {
  return parseCommit(id, commitOf([`tree ${tree}`, `author ${line}`, '', 'x']))?.author
}

test('parseCommit() reads every field and applies time zones', () => {
  const bytes = commitOf([
    `tree ${tree}`,
    `parent ${'1'.repeat(40)}`,
    `parent ${'2'.repeat(40)}`,
    'author Alice <alice@example.org> 1700000000 +0530',
    'committer Bob <bob@example.org> 1700000060 -0800',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' tree of a signature',
    ' -----END PGP SIGNATURE-----',
    '',
    'Subject',
    '',
    'Body',
    '',
  ])
  assert.deepEqual(parseCommit(id, bytes), {
    commitId: id,
    treeId: tree,
    parentIds: ['1'.repeat(40), '2'.repeat(40)],
    author: { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 },
    committer: { name: 'Bob', email: 'bob@example.org', at: 1_700_000_060_000 },
    message: 'Subject\n\nBody',
  })
})

test('parseCommit() decodes by the encoding header', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const bytes = commitOf([
    `tree ${tree}`,
    latin('author José <j@x> 1 +0000'),
    'encoding ISO-8859-1',
    '',
    latin('Théorème'),
  ])
  const commit = parseCommit(id, bytes)
  assert.deepEqual([commit?.author.name, commit?.message], ['José', 'Théorème'])
})

test('parseCommit() decodes Shift_JIS', () => {
  const bytes = commitOf([`tree ${tree}`, 'encoding SHIFT-JIS', '', Buffer.from([0x93, 0xfa, 0x96, 0x7b])])
  assert.equal(parseCommit(id, bytes)?.message, '日本')
})

for (const [encoding, bytes] of Object.entries({
  CP932: [0x93, 0xfa, 0x96, 0x7b],
  eucJP: [0xc6, 0xfc, 0xcb, 0xdc],
  CP936: [0xc8, 0xd5, 0xb1, 0xbe],
  'EUC-CN': [0xc8, 0xd5, 0xb1, 0xbe],
  CP949: [0xec, 0xed, 0xdc, 0xe2],
  UHC: [0xec, 0xed, 0xdc, 0xe2],
  CP950: [0xa4, 0xe9, 0xa5, 0xbb],
})) {
  test(`parseCommit() decodes ${encoding}, a name of iconv`, () => {
    const commit = commitOf([`tree ${tree}`, `encoding ${encoding}`, '', Buffer.from(bytes)])
    assert.equal(parseCommit(id, commit)?.message, '日本')
  })
}

test('parseCommit() ignores the declared encoding UTF-16, in which no commit can be written', () => {
  const person = 'Alice <alice@example.org> 1700000000 +0000'
  const lines = [`tree ${tree}`, `author ${person}`, `committer ${person}`, 'encoding UTF-16', '', 'Message']
  const commit = parseCommit(id, commitOf(lines))
  const expected = { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 }
  assert.deepEqual([commit?.author, commit?.committer, commit?.message], [expected, expected, 'Message'])
})

test('parseCommit() decodes undeclared legacy text as Windows-1252, and ignores an unknown encoding', () => {
  const texts = [[], ['encoding klingon']].map((headers) =>
    parseCommit(id, commitOf([`tree ${tree}`, ...headers, '', Buffer.from([0x93, 0x61, 0x94])])),
  )
  assert.deepEqual(
    texts.map((commit) => commit?.message),
    ['“a”', '“a”'],
  )
})

test('parseCommit() keeps newlines within a message and removes those at its end', () => {
  assert.equal(parseCommit(id, Buffer.from(`tree ${tree}\n\n\n  a\n\n b \n\n\n`))?.message, '\n  a\n\n b ')
})

test('parseCommit() reads a million line ends within a message at once', () => {
  const message = `a${'\n'.repeat(1_000_000)}b`
  assert.equal(parseCommit(id, Buffer.from(`tree ${tree}\n\n${message}\n`))?.message.length, message.length)
})

test('parseCommit() cuts a name and an email after a thousand characters', () => {
  const person = `${'N'.repeat(2_000)} <${'e'.repeat(2_000)}> 1700000000 +0000`
  const bytes = Buffer.from(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nMessage\n`)
  const expected = { name: 'N'.repeat(1_000), email: 'e'.repeat(1_000), at: 1_700_000_000_000 }
  const commit = parseCommit(id, bytes)
  assert.deepEqual([commit?.author, commit?.committer], [expected, expected])
})

test('parseCommit() reads a commit without a message', () => {
  assert.deepEqual(parseCommit(id, Buffer.from(`tree ${tree}\n`)), {
    commitId: id,
    treeId: tree,
    parentIds: [],
    author: nobody,
    committer: nobody,
    message: '',
  })
})

test('parseCommit() ignores text after a NUL', () => {
  assert.equal(parseCommit(id, Buffer.from(`tree ${tree}\n\nseen\0hidden`))?.message, 'seen')
})

const people = {
  'Alice <a@x> 1 +0000': { name: 'Alice', email: 'a@x', at: 1_000 },
  'Alice <a@x> 1': { name: 'Alice', email: 'a@x', at: 1_000 },
  'Alice <a@x>': { name: 'Alice', email: 'a@x', at: 0 },
  '<a@x> -5 +0000': { name: '', email: 'a@x', at: -5_000 },
  'Alice <<a@x>> 7 +0000': { name: 'Alice', email: '<a@x', at: 7_000 },
  'Alice <a@x> b> 7 +0000': { name: 'Alice', email: 'a@x', at: 7_000 },
  'Alice <a@x': { name: 'Alice', email: 'a@x', at: 0 },
  'Alice 3 +0000': { name: 'Alice 3 +0000', email: '', at: 0 },
  '': nobody,
  'A <a@x> 99999999999999999999 +0000': { name: 'A', email: 'a@x', at: 0 },
  'A <a@x> 8640000000000 +0000': { name: 'A', email: 'a@x', at: 8.64e15 },
  'A <a@x> 12+0100': { name: 'A', email: 'a@x', at: 12_000 },
}

for (const [line, person] of Object.entries(people)) {
  test(`parseCommit() reads the author ${JSON.stringify(line)}`, () => assert.deepEqual(personOf(line), person))
}

test('parseCommit() returns null for invalid input', () => {
  const texts = ['', 'x', '\n\n', 'tree\n', 'tree short\n\n', `tree  ${tree}\n`]
  assert.deepEqual(
    texts.map((text) => parseCommit(id, Buffer.from(text))),
    texts.map(() => null),
  )
})

test('parseCommit() never throws, and returns valid dates', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('author ', 'encoding utf-16', 'parent', '<', '> '),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const commit = parseCommit(id, commitOf([`tree ${tree}`, ...lines]))
      assert.ok(commit !== null && !Number.isNaN(new Date(commit.author.at).getTime()))
    }),
  )
})

const TAG_HEAD = `object ${'1'.repeat(40)}\ntype commit\ntag v1\n`

test('a tag has its message without the signature, its tagger and its date', () => {
  const text = `${TAG_HEAD}tagger Alice <alice@example.org> 1700000000 +0100\n\nAs submitted\n\nTo the journal.\n-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n`
  assert.deepEqual(parseTagNote(Buffer.from(text)), {
    message: 'As submitted\n\nTo the journal.',
    tagger: { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 },
  })
})

test('a malformed tag is read as far as possible', () => {
  const notes = ['', TAG_HEAD, `${TAG_HEAD}\n`, `${TAG_HEAD}encoding latin1\n\nf\xfcr\n`, '\n\n\0'].map((text) =>
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
