import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { testConfig } from '../../../test/support/hosts/test-config.ts'
import { openHostCompiler, type HostCompiler } from '../host-compiler.ts'
import { createFigureStore, type FigureStore, type WantedFigure } from './figure-store.ts'

const eps = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 40 20\n0 0 moveto 40 20 lineto stroke\nshowpage\n'

let folder: string
let compiler: HostCompiler
let figures: FigureStore

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'texproof-figures-'))
  compiler = openHostCompiler({ ...testConfig, dataDir: folder, sandbox: 'required' }, { isServer: false })
  figures = createFigureStore(join(folder, 'pictures'), { compiler })
})
after(async () => {
  await figures.close()
  await compiler.close()
  await rm(folder, { recursive: true, force: true })
})

/** A figure, and how often its content was read. */
function figureOf(
  digit: string,
  content: string | null,
): { readonly wanted: WantedFigure; readonly count: () => number } {
  let reads = 0
  const read = async (): Promise<Uint8Array | null> => {
    reads += 1
    return content === null ? null : Buffer.from(content)
  }
  return {
    wanted: { objectId: digit.repeat(40), kind: 'eps', ownerId: '1', requesterId: '1', read },
    count: () => reads,
  }
}

test('a figure is drawn once for simultaneous and later requests', async () => {
  const { wanted, count } = figureOf('1', eps)
  const found = await Promise.all([figures.find(wanted), figures.find(wanted)])
  const later = await figures.find(wanted)
  assert.deepEqual(
    [[...found, later].map((figure) => figure.kind === 'drawn' && figure.pageCount), count()],
    [[1, 1, 1], 1],
  )
})

test('a requester of many figures does not delay the figure of another requester', async () => {
  const order: string[] = []
  const find = (digit: string, requesterId: string): Promise<unknown> => {
    const { wanted } = figureOf(digit, eps)
    const read = async (): Promise<Uint8Array | null> => {
      order.push(digit)
      return wanted.read()
    }
    return figures.find({ ...wanted, requesterId, read })
  }
  await Promise.all([...['4', '5', '6', '7'].map((digit) => find(digit, 'mallory')), find('8', 'bob')])
  assert.deepEqual([order.toSorted(), order.at(-1) === '8'], [['4', '5', '6', '7', '8'], false])
})

test('a failure is cached by content', async () => {
  const { wanted, count } = figureOf('2', '%!PS\ntides\n')
  const found = [await figures.find(wanted), await figures.find(wanted)]
  const failed = { kind: 'failed', reason: 'Ghostscript (gs) failed (exit code 1): Error: /undefined in tides' }
  assert.deepEqual([found, count()], [[failed, failed], 1])
})

test('a figure over the size limit has no image', async () => {
  assert.deepEqual(await figures.find(figureOf('3', null).wanted), { kind: 'failed', reason: 'the file is too large' })
})
