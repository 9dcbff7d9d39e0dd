import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
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

it('readFolder() follows links to folders, except to a folder that contains the link', async () => {
  const folder = makeFolder({ after })
  mkdirSync(join(folder, 'paper'))
  mkdirSync(join(folder, 'shared'))
  writeFileSync(join(folder, 'shared/plot.tex'), 'A plot.')
  symlinkSync('../shared', join(folder, 'paper/figures'))
  symlinkSync('..', join(folder, 'shared/loop'))
  symlinkSync('..', join(folder, 'paper/loop'))
  symlinkSync('nowhere', join(folder, 'paper/dangling'))
  assert.deepEqual(await readFolder(join(folder, 'paper')), {
    files: new Map([['figures/plot.tex', Buffer.from('A plot.')]]),
    folders: [join(folder, 'paper'), join(folder, 'paper/figures')],
    skipped: [],
  })
})

it('readFolder() skips only those linked folders that are above the limits', async () => {
  const folder = makeFolder({ after })
  mkdirSync(join(folder, 'paper'))
  mkdirSync(join(folder, 'data'))
  mkdirSync(join(folder, 'shared'))
  writeFileSync(join(folder, 'shared/plot.tex'), 'A plot.')
  writeFileSync(join(folder, 'data/measured.csv'), '')
  truncateSync(join(folder, 'data/measured.csv'), 501 * 1024 ** 2)
  symlinkSync('../data', join(folder, 'paper/data'))
  symlinkSync('../shared', join(folder, 'paper/figures'))
  assert.deepEqual(await readFolder(join(folder, 'paper')), {
    files: new Map([['figures/plot.tex', Buffer.from('A plot.')]]),
    folders: [join(folder, 'paper'), join(folder, 'paper/data'), join(folder, 'paper/figures')],
    skipped: ['data (too many or too large files)'],
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
