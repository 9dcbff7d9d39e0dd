import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { readFolder } from './read-source.ts'

it('readFolder() lists folders without files, and skips a file with a name that is not UTF-8', async () => {
  const folder = makeFolder({ after })
  mkdirSync(join(folder, 'fig'))
  writeFileSync(join(folder, 'main.tex'), 'A paper.')
  writeFileSync(Buffer.concat([Buffer.from(join(folder, 'bad')), Buffer.from([0xff])]), '')
  assert.deepEqual(await readFolder(folder), {
    files: new Map([['main.tex', Buffer.from('A paper.')]]),
    folders: [folder, join(folder, 'fig')],
    skipped: ['bad\u{FFFD} (name is not UTF-8)'],
  })
})

it(
  'readFolder() skips a file that is deleted in the meantime',
  { skip: !existsSync('/proc/self/fdinfo') },
  async () => {
    // The list contains the descriptor that reads the list.
    const { files, skipped } = await readFolder('/proc/self/fdinfo')
    assert.deepEqual([files.size > 0, skipped], [true, []])
  },
)
