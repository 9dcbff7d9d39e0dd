import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { importLimits } from '../../src/operations/import/archive-limits.ts'
import { readArchive, summarizeArchive } from '../../src/operations/import/read-archive.ts'
import { makeFolder } from '../support/make-folder.ts'
import { makeTar, paxRecords, type TarFile } from '../support/make-tar.ts'
import { runProgram } from '../support/programs/run-program.ts'

const source = '\\documentclass{article}\\begin{document}Hi\\end{document}'
const main: TarFile = { name: 'main.tex', data: source }

async function read(...entries: readonly TarFile[]) {
  return readBytes(makeTar(entries))
}

async function readBytes(bytes: Uint8Array) {
  const outcome = await readArchive({ bytes, fileName: 'paper.tar' })
  if (outcome.kind === 'refused') return outcome.problem
  return Object.fromEntries([...outcome.files].map(([path, content]) => [path, Buffer.from(content).toString()]))
}

const damaged = (why: string): string => `The tar file is damaged: ${why}. Create it again, or download it again.`
const sparse = (name: string): string =>
  `"${name}" is stored as a sparse file. Create the archive again without the option --sparse.`

test('readArchive() reads long names and sizes in the formats of pax and GNU tar', async () => {
  const long = `${'a'.repeat(150)}.tex`
  assert.deepEqual(
    await read(
      { name: 'global', type: 'g', data: paxRecords({ comment: 'a commit' }) },
      { name: 'pax', type: 'x', data: paxRecords({ mtime: '1.5', path: long, size: '2' }) },
      { name: 'short', data: 'xy', sizeField: Buffer.from('00000000000\0') },
      { name: '././@LongLink', type: 'L', data: `b${long}\0` },
      { name: 'short', data: 'long' },
      { name: 'c.tex', data: 'z', sizeField: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) },
    ),
    { [long]: 'xy', [`b${long}`]: 'long', 'c.tex': 'z' },
  )
})

test('readArchive() reads the formats of GNU tar', async (context) => {
  const folder = await makeFolder(context)
  const [file, long] = [`${'a'.repeat(80)}.tex`, 'b'.repeat(80)]
  await mkdir(join(folder, long))
  await writeFile(join(folder, long, file), source)
  for (const format of ['ustar', 'gnu', 'oldgnu', 'pax']) {
    const { exitCode, stderr } = await runProgram('tar', ['cf', `${format}.tar`, '--format', format, long], {
      cwd: folder,
    })
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(await readBytes(await readFile(join(folder, `${format}.tar`))), { [file]: source }, format)
  }
})

test('readArchive() decodes names of tar files in UTF-8 and Latin-1', async () => {
  assert.deepEqual(
    await read({ name: 'Küste.tex', data: '1' }, { name: Buffer.from('Möwe.tex', 'latin1'), data: '2' }),
    { 'Küste.tex': '1', 'Möwe.tex': '2' },
  )
})

test('summarizeArchive() skips a name of a tar file in an unknown encoding', async () => {
  const bytes = makeTar([main, { name: Buffer.from('\u{83}\u{65}.tex', 'latin1'), data: 'x' }])
  const summary = await summarizeArchive({ bytes, fileName: 'paper.tar' })
  assert.deepEqual(summary.kind === 'summary' ? summary.skipped : summary, [
    { path: '\u{FFFD}e.tex', reason: 'the name is not UTF-8: rename the file' },
  ])
})

test('readArchive() refuses sparse files of GNU tar and pax', async () => {
  assert.deepEqual(
    [
      await read(main, { name: 'old.dat', type: 'S', data: 'x' }),
      await read(
        main,
        { name: 'pax', type: 'x', data: paxRecords({ 'GNU.sparse.major': '1', 'GNU.sparse.name': 'new.dat' }) },
        { name: 'GNUSparseFile.0/new.dat', data: '0\n' },
      ),
    ],
    [sparse('old.dat'), sparse('new.dat')],
  )
})

test('readArchive() refuses sizes that are longer than the tar file, negative or invalid', async () => {
  const size = (...field: readonly number[]) => ({ name: 'a.tex', data: 'x', sizeField: Buffer.from(field) })
  assert.deepEqual(
    [
      await read(main, size(0x80, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)),
      await read(main, size(0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
      await read(main, size(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
      await read(main, { name: 'a.tex', data: 'x', sizeField: Buffer.from('77777777777\0') }),
      await read(main, { name: 'a.tex', data: 'x', sizeField: Buffer.from('-0000000001\0') }),
      await read({ name: 'p', type: 'x', data: paxRecords({ size: '999999999' }) }, main),
      await read({ name: 'p', type: 'x', data: paxRecords({ size: '-1' }) }, main),
      await read({ name: 'p', type: 'x', data: paxRecords({ size: '9'.repeat(400) }) }, main),
    ],
    [
      damaged('it ends before the end of "a.tex"'),
      damaged('"a.tex" has an invalid size'),
      damaged('"a.tex" has an invalid size'),
      damaged('it ends before the end of "a.tex"'),
      damaged('"a.tex" has an invalid size'),
      damaged('it ends before the end of "main.tex"'),
      damaged('an attribute of a file has an invalid size'),
      damaged('an attribute of a file has an invalid size'),
    ],
  )
})

test('readArchive() refuses pax records that are invalid, too large, or apply to all files', async () => {
  const pax = async (data: string, type = 'x') => read({ name: 'p', type, data }, main)
  assert.deepEqual(
    [
      await pax('99 path=a\n'),
      await pax('0 path=a\n'),
      await pax('x'),
      await pax('12 path=a.tex'),
      await pax(paxRecords({ comment: 'x'.repeat(8 * 1024 ** 2) })),
      await pax(paxRecords({ path: 'b.tex' }), 'g'),
      await pax(paxRecords({ path: '../b.tex' })),
      await pax(paxRecords({ path: 'a\0b.tex' })),
    ],
    [
      ...Array.from({ length: 4 }, () => damaged('an attribute of a file cannot be read')),
      'The tar file has more than 8 MB of attributes. Create it again without extended attributes.',
      damaged('a global header declares the name or the size of all files'),
      'The name "../b.tex" points outside the archive. Create the archive again without "..".',
      'The name "a\u{FFFD}b.tex" has a control character. Rename the file and create the archive again.',
    ],
  )
})

test('readArchive() refuses tar files without an end, with content after it, and with a wrong checksum', async () => {
  const tar = makeTar([main])
  const changed = Buffer.from(tar)
  changed.write('M')
  assert.deepEqual(
    [
      await readBytes(tar.subarray(0, 540)),
      await readBytes(tar.subarray(0, -1_024)),
      await readBytes(tar.subarray(0, -512)),
      await readBytes(Buffer.concat([tar, tar])),
      await readBytes(changed),
    ],
    [
      damaged('it ends before the end of "main.tex"'),
      damaged('its end is missing'),
      damaged('its end is missing'),
      damaged('it continues after its end'),
      damaged('a header has a wrong checksum'),
    ],
  )
})

test('readArchive() refuses a tar file with the same name twice, and one with too many entries', async () => {
  const folders = Array.from({ length: importLimits.entries + 1 }, (_, index) => ({ name: `${index}/`, type: '5' }))
  assert.deepEqual(
    [await read(main, { name: './main.tex', data: 'x' }), await readBytes(gzipSync(makeTar(folders)))],
    [
      'The archive has "main.tex" twice. Remove one of them.',
      'The archive has more than 5,000 entries. Remove files that the document does not need.',
    ],
  )
})

test('summarizeArchive() names the links, devices and volume labels of a tar file that are skipped', async () => {
  const skippedTypes = ['1', '2', '3', '4', '6', 'V', 'D']
  const bytes = makeTar([main, ...skippedTypes.map((type) => ({ name: `a${type}`, type }))])
  const summary = await summarizeArchive({ bytes, fileName: 'paper.tar' })
  const reasons = summary.kind === 'summary' ? summary.skipped.map(({ path, reason }) => `${path}: ${reason}`) : summary
  assert.deepEqual(reasons, [
    'a1: hard link: add the file itself',
    'a2: link: add the file itself',
    ...['a3', 'a4', 'a6', 'aV', 'aD'].map((name) => `${name}: not a regular file`),
  ])
})
