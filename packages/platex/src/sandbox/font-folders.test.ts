import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fingerprintFolders, listFontFolders } from './font-folders.ts'

test('fingerprintFolders() changes when a font is added to the folder of an installed family', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'platex-fonts-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  const family = join(top, 'truetype', 'dejavu')
  await mkdir(family, { recursive: true })
  await utimes(family, 0, 0)
  const before = await fingerprintFolders(await listFontFolders([top]))
  await writeFile(join(family, 'DejaVuSans.ttf'), '')
  assert.notEqual(await fingerprintFolders(await listFontFolders([top])), before)
})
