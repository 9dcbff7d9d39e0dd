import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { readResult, readResultEnds } from './read-result.ts'

let workspace: string

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'platex-result-'))
  await writeFile(join(workspace, 'main.pdf'), '%PDF')
})

afterEach(() => rm(workspace, { recursive: true }))

test('readResult reads a plain file of exactly the allowed size', async () => {
  assert.deepEqual(await readResult(workspace, 'main.pdf', 4), new Uint8Array(Buffer.from('%PDF')))
})

test('readResult returns null for a file over the allowed size', async () => {
  assert.equal(await readResult(workspace, 'main.pdf', 3), null)
})

test('readResult returns null for a missing file', async () => {
  assert.equal(await readResult(workspace, 'absent.pdf', 10), null)
})

test('readResultEnds reads the beginning and the end of a long file', async () => {
  await writeFile(join(workspace, 'main.log'), 'beginning, middle, end')
  assert.deepEqual(await readResultEnds(workspace, 'main.log', { headBytes: 9, tailBytes: 3 }), {
    head: new Uint8Array(Buffer.from('beginning')),
    tail: new Uint8Array(Buffer.from('end')),
    sizeBytes: 22,
  })
})

test('readResultEnds reads all of a short file at once', async () => {
  const head = new Uint8Array(Buffer.from('%PDF'))
  const limits = { headBytes: 2, tailBytes: 2 }
  assert.deepEqual(await readResultEnds(workspace, 'main.pdf', limits), { head, tail: new Uint8Array(), sizeBytes: 4 })
})

test('readResult returns null for a symbolic link', async () => {
  await symlink('/etc/passwd', join(workspace, 'link.pdf'))
  assert.equal(await readResult(workspace, 'link.pdf', 1_000_000), null)
})

test('readResult returns null for a hard link', async () => {
  await link(join(workspace, 'main.pdf'), join(workspace, 'second.pdf'))
  assert.equal(await readResult(workspace, 'second.pdf', 10), null)
})

test('readResult returns null for a FIFO instead of waiting for a writer', async () => {
  execFileSync('mkfifo', [join(workspace, 'main.log')])
  assert.equal(await readResult(workspace, 'main.log', 10), null)
})

test('readResult returns null for a folder', async () => {
  await mkdir(join(workspace, 'main.blg'))
  assert.equal(await readResult(workspace, 'main.blg', 10), null)
})

test('readResult returns null if a parent folder is a link', async () => {
  await symlink('/etc', join(workspace, 'figures'))
  assert.equal(await readResult(workspace, 'figures/hostname', 10_000), null)
})

for (const name of ['../x', '/etc/passwd', 'a//b', './main.pdf', '', 'main.pdf\0']) {
  test(`readResult returns null for the name ${JSON.stringify(name)}`, async () => {
    assert.equal(await readResult(workspace, name, 1_000_000), null)
  })
}
