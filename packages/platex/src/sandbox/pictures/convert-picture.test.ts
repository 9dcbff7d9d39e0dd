import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSandbox } from '../open-sandbox.ts'
import type { PictureOutcome } from '../types.ts'
import { convertPicture } from './convert-picture.ts'

const PICTURE = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n0 0 moveto 9 9 lineto stroke\n')

async function convert(bytes: Uint8Array, dir: string): Promise<PictureOutcome> {
  const { has, run, createWorkspace, removeWorkspace } = await openSandbox('auto')
  const workspaces = { create: () => createWorkspace(), remove: removeWorkspace }
  return convertPicture({ kind: 'eps', bytes, timeoutMs: 60_000, signal: undefined }, { dir, workspaces, has, run })
}

test('a picture is converted although its PDF cannot be kept', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'platex-pictures-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  await writeFile(join(top, 'file'), '')
  const outcome = await convert(PICTURE, join(top, 'file', 'pictures'))
  assert.equal(outcome.kind, 'converted')
})

for (const [what, comments] of [
  ['without the word EPSF', '%!\n%%BoundingBox: 10 20 82 72\n%%EndComments\n'],
  ['whose box is at its end', '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: (atend)\n%%EndComments\n'],
  [
    'with a more exact box',
    '%!PS-Adobe-3.0 EPSF-3.0\n%%HiResBoundingBox: 10.4 20.4 81 71\n%%BoundingBox: 10 20 82 72\n',
  ],
] as const)
  test(`the page of a picture ${what} is its bounding box`, async (t) => {
    const cacheDir = await mkdtemp(join(tmpdir(), 'platex-pictures-'))
    t.after(() => rm(cacheDir, { recursive: true, force: true }))
    const drawing = '10 20 moveto 82 72 lineto stroke\nshowpage\n%%Trailer\n%%BoundingBox: 10 20 82 72\n'
    const outcome = await convert(Buffer.from(comments + drawing), cacheDir)
    const pdf = outcome.kind === 'converted' ? Buffer.from(outcome.pdf).toString('latin1') : outcome.reason
    assert.match(pdf, /\/MediaBox \[0 0 72 52\]/)
  })
