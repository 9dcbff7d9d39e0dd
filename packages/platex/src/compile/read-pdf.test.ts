import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWholePdf } from './read-pdf.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('isWholePdf requires the beginning and the end of a PDF', () => {
  assert.equal(isWholePdf(bytes('%PDF-1.5\n...\n%%EOF\n')), true)
  assert.equal(isWholePdf(bytes('%PDF-1.5\n...')), false)
  assert.equal(isWholePdf(bytes('...%%EOF')), false)
  assert.equal(isWholePdf(bytes('')), false)
})
