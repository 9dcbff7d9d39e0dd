import assert from 'node:assert/strict'
import { test } from 'node:test'

import { fileKind } from './file-kind.ts'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])
const pointer = Buffer.from('version https://git-lfs.github.com/spec/v1\nsize 12345\n')

test('fileKind() calls a file with the name of an image text if it is, except SVG', () => {
  const files = { 'a.png': pointer, 'b.png': png, 'c.PNG': new Uint8Array(), 'd.svg': Buffer.from('<svg/>') }
  assert.deepEqual(
    Object.entries(files).map(([path, bytes]) => fileKind(path, bytes)),
    ['text', 'image', 'image', 'image'],
  )
})
