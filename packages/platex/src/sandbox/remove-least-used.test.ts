import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { removeLeastUsed } from './remove-least-used.ts'

/** Three files of 10 bytes: `old` and `sub/middle` were used before `new`. */
async function fill(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'platex-least-used-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'sub'))
  for (const [seconds, name] of ['old', 'sub/middle', 'new'].entries()) {
    await writeFile(join(dir, name), 'ten bytes.')
    await utimes(join(dir, name), seconds, seconds)
  }
  return dir
}

for (const { name, limits, left } of [
  { name: 'keeps files within the limits', limits: { maxBytes: 30, maxFiles: 3 }, left: ['new', 'old', 'sub/middle'] },
  { name: 'removes the oldest files beyond the bytes', limits: { maxBytes: 29 }, left: ['new', 'sub/middle'] },
  { name: 'removes the oldest files beyond the number', limits: { maxBytes: 30, maxFiles: 1 }, left: ['new'] },
]) {
  test(`removeLeastUsed() ${name}`, async (t) => {
    const dir = await fill(t)
    await removeLeastUsed(dir, limits)
    const paths = await readdir(dir, { recursive: true })
    assert.deepEqual(paths.filter((path) => path !== 'sub').toSorted(), left)
  })
}
