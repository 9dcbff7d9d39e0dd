import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { evictCache, removeAbandonedDrafts } from './evict-cache.ts'

const builds = (...ids: readonly string[]) => ({ listKeptPdfIds: async () => new Set(ids) })
const pdf = (digit: string): string => `${digit.repeat(64)}.pdf`

/** A folder with files of 100 bytes, the least recently used one first. */
async function fill(context: TestContext, names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-evict-'))
  context.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'aa'))
  for (const [index, name] of names.entries()) {
    await writeFile(join(folder, 'aa', name), Buffer.alloc(100))
    await utimes(join(folder, 'aa', name), 1_700_000_000 + index, 1_700_000_000 + index)
  }
  return folder
}

async function left(folder: string): Promise<string[]> {
  return (await readdir(join(folder, 'aa'))).toSorted()
}

test('evictCache() removes nothing from a cache that is small enough', async (context) => {
  const folder = await fill(context, [pdf('a'), pdf('b')])
  const eviction = await evictCache([folder], { builds: builds(), maxBytes: 200 })
  assert.deepEqual(eviction, { removedCount: 0, removedBytes: 0, keptBytes: 200 })
})

test('evictCache() removes the least recently used files first, down to nine tenths', async (context) => {
  const folder = await fill(context, [pdf('a'), 'logs.br', pdf('b'), pdf('c')])
  const eviction = await evictCache([folder], { builds: builds(), maxBytes: 300 })
  assert.deepEqual(eviction, { removedCount: 2, removedBytes: 200, keptBytes: 200 })
  assert.deepEqual(await left(folder), [pdf('b'), pdf('c')])
})

test('evictCache() never removes a PDF that is kept, nor a draft, however large', async (context) => {
  const folder = await fill(context, [pdf('a'), `${pdf('b')}.x.part`, pdf('c')])
  const eviction = await evictCache([folder], { builds: builds('a'.repeat(64)), maxBytes: 10 })
  assert.deepEqual(eviction, { removedCount: 1, removedBytes: 100, keptBytes: 100 })
  assert.deepEqual(await left(folder), [pdf('a'), `${pdf('b')}.x.part`])
})

test('evictCache() treats a missing folder as empty', async () => {
  const eviction = await evictCache([join(tmpdir(), 'texproof-none')], { builds: builds(), maxBytes: 0 })
  assert.deepEqual(eviction, { removedCount: 0, removedBytes: 0, keptBytes: 0 })
})

test('evictCache() keeps files that were used within the last minute', async (context) => {
  const folder = await fill(context, [pdf('a'), pdf('b')])
  await utimes(join(folder, 'aa', pdf('a')), new Date(), new Date())
  await evictCache([folder], { builds: builds(), maxBytes: 0 })
  assert.deepEqual(await left(folder), [pdf('a')])
})

test('removeAbandonedDrafts() removes drafts that were not written to for an hour', async (context) => {
  const folder = await fill(context, ['old.part', pdf('a'), 'new.part'])
  await utimes(join(folder, 'aa', 'new.part'), new Date(), new Date())
  assert.deepEqual([await removeAbandonedDrafts([folder]), await left(folder)], [1, [pdf('a'), 'new.part']])
})
