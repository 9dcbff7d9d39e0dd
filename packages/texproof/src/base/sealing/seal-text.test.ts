import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { sealText, unsealText } from './seal-text.ts'
import { sealingKeyFile } from './sealing-key.ts'

test('a sealed text can be opened only for its purpose and in its data directory', async (context) => {
  const [dataDir, other] = [await makeDir(context), await makeDir(context)]
  const seal = { dataDir, purpose: 'second-factor:1' }
  const sealed = await sealText('JBSWY3DPEHPK3PXP', seal)
  await sealText('', { dataDir: other, purpose: '' })
  assert.deepEqual(
    [
      await unsealText(sealed, seal),
      await unsealText(sealed, { ...seal, purpose: 'second-factor:2' }),
      await unsealText(sealed, { ...seal, dataDir: other }),
    ],
    ['JBSWY3DPEHPK3PXP', null, null],
  )
})

test('a sealed text that was changed, truncated or forged cannot be opened', async (context) => {
  const seal = { dataDir: await makeDir(context), purpose: 'p' }
  const bytes = Buffer.from(await sealText('tide', seal), 'base64url')
  const forged = [...bytes.keys()].map((at) => {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  })
  forged.push(bytes.subarray(0, -1), bytes.subarray(0, 20), Buffer.alloc(0))
  const opened = await Promise.all(forged.map((each) => unsealText(each.toString('base64url'), seal)))
  assert.deepEqual(
    opened,
    forged.map(() => null),
  )
})

test('the same text is sealed differently each time', async (context) => {
  const seal = { dataDir: await makeDir(context), purpose: 'p' }
  assert.notEqual(await sealText('tide', seal), await sealText('tide', seal))
})

test('of many concurrent processes the first one creates the key, readable only by its owner', async (context) => {
  const seal = { dataDir: await makeDir(context), purpose: 'p' }
  const sealed = await Promise.all(Array.from({ length: 20 }, (_, at) => sealText(String(at), seal)))
  const opened = await Promise.all(sealed.map((each) => unsealText(each, seal)))
  assert.deepEqual(
    opened,
    sealed.map((_, at) => String(at)),
  )
  assert.deepEqual(await readdir(seal.dataDir), [sealingKeyFile])
  assert.equal((await stat(join(seal.dataDir, sealingKeyFile))).mode & 0o777, 0o600)
})

test('without the key nothing can be opened, and a damaged key is reported', async (context) => {
  const seal = { dataDir: await makeDir(context), purpose: 'p' }
  const sealed = await sealText('tide', seal)
  await rm(join(seal.dataDir, sealingKeyFile))
  assert.equal(await unsealText(sealed, seal), null)
  await writeFile(join(seal.dataDir, sealingKeyFile), 'half a k')
  await assert.rejects(unsealText(sealed, seal), /sealing\.key contains no key: restore it from a backup/)
})

async function makeDir(context: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'texproof-seal-'))
  context.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}
