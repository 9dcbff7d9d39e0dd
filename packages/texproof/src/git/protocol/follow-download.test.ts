import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { followDownload } from './follow-download.ts'

const folder = await mkdtemp(join(tmpdir(), 'follow-download-'))
const packs = join(folder, 'objects', 'pack')
after(() => rm(folder, { recursive: true, force: true }))

/** Writes packs like git, and ends when it is stopped, or when its size has been reported. */
async function downloadUntil(
  maxBytes: number,
): Promise<{ readonly result: string; readonly reported: readonly number[] }> {
  const reported: number[] = []
  const isReported = Promise.withResolvers<string>()
  const onBytes = (bytes: number): void => {
    reported.push(bytes)
    isReported.resolve('complete')
  }
  const options = { dir: folder, maxBytes, signal: new AbortController().signal, onBytes }
  const result = await followDownload(options, async (signal) => {
    await mkdir(packs, { recursive: true })
    await writeFile(join(packs, 'pack-1.pack'), Buffer.alloc(3_000))
    await writeFile(join(packs, 'pack-1.idx'), Buffer.alloc(9_000))
    await writeFile(join(packs, 'tmp_pack_a1b2c3'), Buffer.alloc(2_000))
    signal.addEventListener('abort', () => isReported.resolve('stopped'))
    return isReported.promise
  })
  return { result, reported }
}

test('followDownload() reports the size of all packs', async () => {
  assert.deepEqual(await downloadUntil(5_000), { result: 'complete', reported: [5_000] })
})

test('followDownload() stops a download whose packs are larger than the limit', async () => {
  assert.deepEqual(await downloadUntil(4_999), { result: 'too-large', reported: [] })
})

test('followDownload() stops a download when its caller does', async () => {
  const signal = AbortSignal.abort()
  const download = async ({ aborted }: AbortSignal) => aborted
  assert.equal(await followDownload({ dir: folder, maxBytes: 1, signal }, download), true)
})
