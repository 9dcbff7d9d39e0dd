import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
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

test('caches that could not be created are created again after a minute', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'platex-font-aware-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  t.mock.timers.enable({ apis: ['Date'] })
  const dir = join(top, 'fonts-0123456789abcdef')
  const attempts: string[] = []
  const run = async ({ program }: { readonly program: string }): Promise<never> => {
    attempts.push(program)
    throw new Error('The disk is full.')
  }
  const { findFontCache } = fontAwareRunner(run, { cache: { dir, insideDir: dir }, workRoot: top, owner: null })
  const find = (): Promise<unknown> => findFontCache('lualatex', top, { mayWait: true })
  assert.deepEqual([await find(), await find(), attempts.length], [null, null, 1])
  t.mock.timers.tick(60_000)
  assert.deepEqual([await find(), attempts.length], [null, 2])
  // Another process has completed them.
  await mkdir(join(dir, 'texmf-var'), { recursive: true })
  t.mock.timers.tick(60_000)
  assert.deepEqual(await find(), { dir, insideDir: dir })
})
