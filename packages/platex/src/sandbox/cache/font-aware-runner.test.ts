import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fontAwareRunner } from './font-aware-runner.ts'

test('a program that is started ahead does not wait for font caches that are being created', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'platex-font-aware-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  const indexing = Promise.withResolvers<undefined>()
  const run = async (): Promise<never> => {
    await indexing.promise
    throw new Error('LuaTeX is missing.')
  }
  const dir = join(top, 'fonts-0123456789abcdef')
  const { findFontCache, prepareFonts } = fontAwareRunner(run, {
    cache: { dir, insideDir: dir },
    workRoot: top,
    owner: null,
  })
  const find = (): Promise<unknown> => findFontCache('lualatex', top, { mayWait: false })
  await assert.rejects(find, { message: 'The font caches are not ready.' })
  indexing.resolve(undefined)
  await prepareFonts()
  assert.equal(await find(), null)
})
