import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import type { TestContext } from 'node:test'

import { mergeSources } from './merge-sources.mjs'

const checkout = join(import.meta.dirname, '../..')

const sources = {
  'cli/main.ts': `import { places } from '../words/places.ts'
    const print = ({ load }: { load: () => string }): void => {
      console.log(JSON.stringify([places.text, places.folder, load()]))
    }
    void import(places.thread).then(print)\n`,
  'words/places.ts': `import { readFileSync } from 'node:fs'
    export const places: Readonly<Record<'text' | 'folder' | 'thread', string>> = {
      text: readFileSync(new URL('tides.txt', import.meta.url), 'utf8'),
      folder: import.meta.dirname.split('/').filter((part) => part !== '').slice(-2).join('/'),
      thread: import.meta.resolve('./load.ts'),
    }\n`,
  'words/load.ts': `export const load = (): string => new Error().stack?.split('\\n')[1]?.match(/\\/(\\w+\\/[\\w-]+\\.\\w+):/)?.[1] ?? ''\n`,
  'words/tides.txt': 'spring and neap',
}

describe('mergeSources', () => {
  it('lets modules find files next to their sources, and the merged modules of threads', async (t) => {
    const { root, run } = makeCheckout(t)
    const before = run()
    await mergeSources(root)
    assert.deepEqual(
      [before, run()],
      [
        ['spring and neap', 'src/words', 'words/load.ts'],
        ['spring and neap', 'src/words', 'threads/words-load.js'],
      ],
    )
  })

  it('leaves a source in effect that was edited after it', async (t) => {
    const { root, run } = makeCheckout(t)
    await mergeSources(root)
    appendFileSync(join(root, 'packages/texproof/src/words/load.ts'), '\n')
    assert.deepEqual(run(), ['spring and neap', 'src/words', 'words/load.ts'])
  })

  it('leaves nothing behind if a source cannot be read', async (t) => {
    const { root } = makeCheckout(t)
    appendFileSync(join(root, 'packages/texproof/src/words/load.ts'), 'export const\n')
    await mergeSources(root)
    assert.deepEqual(readdirSync(join(root, 'packages/texproof/dist')), [])
  })
})

/** A small checkout with the real command, and what the command prints. */
function makeCheckout(t: TestContext): { readonly root: string; readonly run: () => unknown } {
  const root = mkdtempSync(join(tmpdir(), 'texproof-merge-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const path of ['packages/texproof/bin', 'scripts/source-id', 'scripts/pinned-node', 'package-lock.json'])
    cpSync(join(checkout, path), join(root, path), { recursive: true })
  for (const script of ['merge-sources.mjs', 'store-code.mjs'])
    cpSync(join(import.meta.dirname, script), join(root, 'scripts/setup', script))
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'packages/platex/src'), { recursive: true })
  writeFileSync(join(root, 'packages/texproof/package.json'), '{"type":"module"}')
  for (const [path, text] of Object.entries(sources)) {
    const file = join(root, 'packages/texproof/src', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const command = join(root, 'packages/texproof/bin/texproof')
  return { root, run: () => JSON.parse(execFileSync(command, { encoding: 'utf8' })) as unknown }
}
