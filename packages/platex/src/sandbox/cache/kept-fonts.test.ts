import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import type { FontFile } from '../types.ts'
import { chooseOwner } from '../unprivileged-owner.ts'
import { openFontKeeper } from './kept-fonts.ts'

const FONT = '/usr/share/texmf/fonts/opentype/public/lm/lmroman10-regular.otf'

/** The documents of the runs that a keeper starts. */
async function keep(t: TestContext, rounds: readonly (readonly FontFile[])[]): Promise<readonly string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'platex-keeper-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  await chmod(dir, 0o711)
  const workRoot = join(dir, 'work')
  await mkdir(workRoot)
  const cache = { dir, insideDir: dir }
  const documents: string[] = []
  const maker = {
    cache,
    workRoot,
    owner: chooseOwner(),
    run: async (_: unknown, { workspaceDir }: { readonly workspaceDir: string }) => {
      documents.push(await readFile(join(workspaceDir, 'fonts.tex'), 'utf8'))
      const end = { kind: 'exited', exitCode: 0 } as const
      return { end, stdout: new Uint8Array(), stderr: new Uint8Array(), durationMs: 0 }
    },
  }
  const keeper = openFontKeeper(maker, async () => cache)
  for (const fonts of rounds) {
    keeper.keep(fonts)
    await keeper.whenKept()
  }
  return documents
}

test('openFontKeeper() parses each font once, with its number in a collection', async (t) => {
  const fonts = [
    { path: FONT, number: null },
    { path: FONT, number: 2 },
  ]
  const load = (number: string): string => `pcall(fonts.handlers.otf.load, "${FONT}", ${number})`
  assert.deepEqual(await keep(t, [fonts, fonts]), [`\\directlua{${load('false')} ${load('2')}}\\stop\n`])
})

test('openFontKeeper() starts no run for fonts that do not exist', async (t) => {
  const fonts = ['/usr/share/gone.otf', '/usr/share', '/proc/self/root/gone.otf'].map((path) => ({
    path,
    number: null,
  }))
  assert.deepEqual(await keep(t, [fonts]), [])
})

test('openFontKeeper() parses a font after recorder files have named thousands that do not exist', async (t) => {
  const rounds = Array.from({ length: 26 }, (_, round) =>
    Array.from({ length: 200 }, (_, at) => ({ path: `/usr/share/gone-${round}-${at}.otf`, number: null })),
  )
  const documents = await keep(t, [...rounds, [{ path: FONT, number: null }]])
  assert.deepEqual(documents, [`\\directlua{pcall(fonts.handlers.otf.load, "${FONT}", false)}\\stop\n`])
})
