import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { findTreeEntry, parseTree } from './parse-tree.ts'

const id = Buffer.alloc(20, 0xab)

function entry(mode: string, name: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.of(0), id])
}

test('parseTree() reads every mode that git has ever written', () => {
  const modes = ['100644', '100664', '100755', '120000', '40000', '040000', '160000']
  assert.deepEqual(
    parseTree(Buffer.concat(modes.map((mode) => entry(mode, 'x'))), 20)?.map(({ kind }) => kind),
    ['file', 'file', 'executable', 'symlink', 'folder', 'folder', 'submodule'],
  )
})

test('parseTree() reads names with newlines, quotes and invalid UTF-8', () => {
  const bytes = Buffer.concat([entry('100644', 'a\n"b".tex'), entry('100644', Buffer.of(0x61, 0xff))])
  assert.deepEqual(parseTree(bytes, 20), [
    { name: 'a\n"b".tex', kind: 'file', objectId: id.toString('hex') },
    { name: 'a\ufffd', kind: 'file', objectId: id.toString('hex') },
  ])
})

test('parseTree() reads the empty tree', () => assert.deepEqual(parseTree(Buffer.alloc(0), 20), []))

test('parseTree() returns null for a truncated or invalid tree', () => {
  const whole = entry('100644', 'main.tex')
  const broken = [
    whole.subarray(0, -1),
    whole.subarray(0, 5),
    entry('10064x', 'a'),
    entry('170000', 'a'),
    Buffer.from('hello'),
  ]
  assert.deepEqual(
    broken.map((bytes) => parseTree(bytes, 20)),
    broken.map(() => null),
  )
})

test('parseTree() never throws', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.uint8Array(), fc.constant(entry('100644', 'x')))), (parts) => {
      parseTree(Buffer.concat(parts), 20)
    }),
  )
})

test('parseTree() reads at most the requested number of entries', () => {
  const bytes = Buffer.concat(Array.from({ length: 1_000 }, (_, n) => entry('100644', `${n}.tex`)))
  assert.deepEqual(
    parseTree(bytes, 20, 2)?.map(({ name }) => name),
    ['0.tex', '1.tex'],
  )
})

test('findTreeEntry() finds entries only by their complete names', () => {
  const names = ['a', 'ab', 'b c', 'é', 'a\n']
  const bytes = Buffer.concat([...names.map((name) => entry('100755', name)), entry('40000', Buffer.of(0x61, 0xff))])
  const found = [...names, 'a\ufffd', 'c', 'b', ''].map((name) => findTreeEntry(bytes, 20, name)?.name ?? null)
  assert.deepEqual(found, [...names, 'a\ufffd', null, null, null])
})

test('findTreeEntry() finds what parseTree() lists, and accepts any bytes', () => {
  const part = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(entry('100644', 'a')))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const bytes = Buffer.concat(parts)
      for (const { name } of parseTree(bytes, 20) ?? []) assert.equal(findTreeEntry(bytes, 20, name)?.name, name)
      findTreeEntry(bytes, 20, 'a')
    }),
  )
})
