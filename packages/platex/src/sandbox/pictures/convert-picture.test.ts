import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSandbox } from '../open-sandbox.ts'
import { convertPicture } from './convert-picture.ts'

const PICTURE = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n0 0 moveto 9 9 lineto stroke\n')

test('a picture is converted although its PDF cannot be kept', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'platex-pictures-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  await writeFile(join(top, 'file'), '')
  const sandbox = await openSandbox('auto')
  const workspaces = { create: () => sandbox.createWorkspace(), remove: sandbox.removeWorkspace }
  const order = { kind: 'eps', bytes: PICTURE, timeoutMs: 60_000, signal: undefined } as const
  const { has, run } = sandbox
  const outcome = await convertPicture(order, { dir: join(top, 'file', 'pictures'), workspaces, has, run })
  assert.equal(outcome.kind, 'converted')
})
