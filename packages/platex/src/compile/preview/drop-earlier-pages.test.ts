import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dropEarlierPages } from './drop-earlier-pages.ts'

const PREAMBLE = Buffer.from('preamble')
const FONTS = Buffer.from('fonts')

/** The pages of a file, and the file. */
function fileOf(contents: readonly Uint8Array[]): { readonly pages: readonly Buffer[]; readonly file: Buffer } {
  const pages: Buffer[] = []
  let at = PREAMBLE.length
  let last = -1
  for (const content of contents) {
    const page = Buffer.concat([Buffer.from([139]), Buffer.alloc(40), int32(last), content, Buffer.from([140])])
    pages.push(page)
    last = at
    at += page.length
  }
  const postamble = Buffer.concat([Buffer.from([248]), int32(last), Buffer.alloc(24), FONTS])
  const tail = Buffer.concat([Buffer.from([249]), int32(at), Buffer.from([7, 223, 223, 223, 223])])
  return { pages, file: Buffer.concat([PREAMBLE, ...pages, postamble, tail]) }
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

test('the fonts of all pages are before the pages that are kept', () => {
  const { pages, file } = fileOf([Buffer.from('one'), Buffer.from('two'), Buffer.from('three')])
  const end = file.subarray(file.indexOf('fonts') - 29)
  assert.deepEqual(dropEarlierPages(file, 2), Buffer.concat([PREAMBLE, FONTS, ...pages.slice(1), end]))
})

test('every page of every file can be the first', () => {
  const contents = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(contents, fc.nat(), (made, number) => {
      const { pages, file } = fileOf(made)
      const first = (number % pages.length) + 1
      const start = PREAMBLE.length + FONTS.length
      const kept = Buffer.concat(pages.slice(first - 1))
      assert.deepEqual(dropEarlierPages(file, first)?.subarray(start, start + kept.length), kept)
    }),
  )
})

test('a page that the file does not have gives nothing', () => {
  assert.equal(dropEarlierPages(fileOf([Buffer.from('one')]).file, 2), null)
})

test('a file with one wrong byte gives pages or nothing', () => {
  const { file } = fileOf([Buffer.from('one'), Buffer.from('two'), Buffer.from('three')])
  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.nat(255), (at, byte) => {
      const broken = Buffer.from(file)
      broken[at] = byte
      const kept = dropEarlierPages(broken, 2)
      assert.equal(kept === null || kept.length <= file.length + FONTS.length, true)
    }),
    { numRuns: 2_000 },
  )
})

test('a file of any bytes gives nothing', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => dropEarlierPages(bytes, 1) === null))
})
