import * as Y from 'yjs'

import { quick, type HostileInput } from '../hostile-input.ts'

function update(change: (text: Y.Text, doc: Y.Doc) => void): Uint8Array {
  const doc = new Y.Doc()
  change(doc.getText('text'), doc)
  return Y.encodeStateAsUpdate(doc)
}

/** Messages of a live connection, as from the editor of a file. */
const messages: Readonly<Record<string, () => readonly (string | Uint8Array)[]>> = {
  'deep-json': () => [`{"kind":"cursor","anchor":${'['.repeat(900)}`],
  'long-json': () => [`{"kind":"cursor","anchor":"${'a'.repeat(2_900_000)}"}`],
  'many-cursors': () =>
    Array.from({ length: 3_000 }, () => JSON.stringify({ kind: 'cursor', anchor: 'AA==', head: 'AA==' })),
  zeros: () => [new Uint8Array(2_900_000)],
  ones: () => [new Uint8Array(2_900_000).fill(0xff)],
  counts: () => [new Uint8Array([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])],
  'empty-updates': () => Array.from({ length: 3_000 }, () => new Uint8Array([0, 0])),
  'long-text': () => [update((text) => text.insert(0, 'a'.repeat(2_900_000)))],
  'many-items': () => [
    update((text) => {
      for (let n = 0; n < 20_000; n += 1) text.insert(0, 'a')
    }),
  ],
  'many-clients': () => [Y.mergeUpdates(Array.from({ length: 2_000 }, () => update((text) => text.insert(0, 'a'))))],
  'many-formats': () => [
    update((text) => {
      text.insert(0, 'a'.repeat(2_000))
      for (let n = 0; n < 2_000; n += 1) text.format(n, 1, { bold: n })
    }),
  ],
  'nested-types': () => [
    update((_, doc) => {
      let map = doc.getMap<unknown>('map')
      for (let n = 0; n < 3_000; n += 1) {
        const next = new Y.Map<unknown>()
        map.set('a', next)
        map = next
      }
    }),
  ],
  deletions: () => [
    update((text) => {
      text.insert(0, 'a'.repeat(60_000))
      for (let n = 0; n < 10_000; n += 1) text.delete(0, 1)
    }),
  ],
}

/** Live connections. */
export const liveInputs: readonly HostileInput[] = Object.entries(messages).map(([name, sent]) => {
  const input: HostileInput = {
    name: `live-${name}`,
    commits: [{ files: { 'a.tex': 'a\n' } }],
    live: { path: 'a.tex', messages: sent },
  }
  return name === 'zeros' ? quick(input) : input
})
