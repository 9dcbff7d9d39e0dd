import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { fontNamesOfPdf } from './font-names-of-pdf.ts'

test('the fonts of a PDF are named in its text and in its compressed objects, without the tags of subsets', () => {
  const pdf = Buffer.concat([
    Buffer.from('1 0 obj\n<</Type/FontDescriptor/FontName /ABCDEF+CMR10>>\nendobj\n'),
    packed('<</BaseFont/LMSans17-Regular/Subtype/Type1>><</BaseFont/LMSans17-Regular>>'),
  ])
  assert.deepEqual(fontNamesOfPdf(pdf), ['CMR10', 'LMSans17-Regular'])
})

test('a PDF without text names no fonts', () => {
  assert.deepEqual(fontNamesOfPdf(Buffer.from('1 0 obj\n<</Type/Page>>\nendobj\n')), [])
})

for (const [reason, pdf] of Object.entries({
  'it is encrypted': Buffer.from('trailer <</Encrypt 5 0 R>>'),
  'another object has the name': Buffer.from('<</FontName 7 0 R>>'),
  'the name has escapes': Buffer.from('<</FontName/CM#52 10>>'),
  'its objects are damaged': Buffer.from('1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>stream\nx\nendstream'),
  'its objects have no end': Buffer.from('1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>stream\nx'),
  'its objects need another filter': Buffer.from('1 0 obj\n<</Type/ObjStm/Filter/LZWDecode>>stream\nx\nendstream'),
  'its objects are larger than 1 MiB': packed(' '.repeat(1024 * 1024 + 1)),
}))
  test(`the fonts of a PDF are unknown if ${reason}`, () => {
    assert.equal(fontNamesOfPdf(pdf), null)
  })

/** A PDF object that contains others. */
function packed(objects: string): Buffer {
  const head = '2 0 obj\n<< /Type /ObjStm /N 1 /Filter /FlateDecode >>\nstream\n'
  return Buffer.concat([Buffer.from(head), deflateSync(objects), Buffer.from('\nendstream\nendobj\n')])
}
