import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { prepareFormats } from './format-cache.ts'

let root = ''
let tree = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'format-cache-'))
  tree = join(root, 'tree')
  await mkdir(join(tree, 'web2c/pdftex'), { recursive: true })
})

afterEach(() => rm(root, { recursive: true, force: true }))

const putFormat = (bytes: Uint8Array) => writeFile(join(tree, 'web2c/pdftex/pdflatex.fmt'), bytes)

test('prepareFormats unpacks a compressed format', async () => {
  await putFormat(gzipSync('the format'))
  const folder = await prepareFormats(root, [tree])
  assert.equal(await readFile(join(folder ?? '', 'pdflatex.fmt'), 'utf8'), 'the format')
})

test('prepareFormats unpacks a format once, and again after it was rebuilt', async () => {
  await putFormat(gzipSync('the format'))
  const first = await prepareFormats(root, [tree])
  const again = await prepareFormats(root, [tree])
  await putFormat(gzipSync('the newer format'))
  const newer = await prepareFormats(root, [tree])
  assert.deepEqual([first === again, first === newer], [true, false])
})

test('prepareFormats skips an uncompressed format', async () => {
  await putFormat(Buffer.from('the format'))
  assert.deepEqual(await readdir((await prepareFormats(root, [tree])) ?? ''), [])
})

test('prepareFormats returns null if there are no formats', async () => {
  assert.equal(await prepareFormats(root, [tree]), null)
})
