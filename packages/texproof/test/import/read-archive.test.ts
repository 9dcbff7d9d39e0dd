import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { importLimits } from '../../src/operations/import/archive-limits.ts'
import { readArchive, summarizeArchive } from '../../src/operations/import/read-archive.ts'
import { makeTar } from '../support/make-tar.ts'
import { makeZip, type ZipEntry } from '../support/make-zip.ts'

const source = '\\documentclass{article}\\usepackage{amsmath,local}\\begin{document}Hi\\end{document}'
const main: ZipEntry = { name: 'main.tex', data: source }
const again = 'Create it again, or download it again.'
const damaged = (why: string): string => `The zip file is damaged: ${why}. ${again}`

async function read(bytes: Uint8Array, fileName = 'paper.zip') {
  const outcome = await readArchive({ bytes, fileName })
  if (outcome.kind === 'refused') return outcome.problem
  return Object.fromEntries([...outcome.files].map(([path, content]) => [path, Buffer.from(content).toString()]))
}

async function summarize(entries: readonly ZipEntry[]) {
  const summary = await summarizeArchive({ bytes: makeZip(entries), fileName: 'paper.zip' })
  assert.equal(summary.kind, 'summary')
  return summary
}

test('readArchive() reads stored and compressed files of a zip, without the folder around them', async () => {
  const zip = makeZip([
    { name: 'paper/' },
    { name: 'paper/main.tex', data: source },
    { name: 'paper/figures/a.txt', data: 'A', method: 0 },
  ])
  assert.deepEqual(await read(zip), { 'main.tex': source, 'figures/a.txt': 'A' })
})

test('readArchive() reads tar, tar.gz, a LaTeX source and a source compressed with gzip', async () => {
  const tar = makeTar([{ name: './main.tex', data: source }])
  const expected = { 'main.tex': source }
  assert.deepEqual(
    [
      await read(tar, 'paper.tar'),
      await read(gzipSync(tar), 'paper.tar.gz'),
      await read(Buffer.from(source), 'main.tex'),
      await read(gzipSync(source), 'main.gz'),
    ],
    [expected, expected, expected, expected],
  )
})

test('readArchive() decodes names in UTF-8, code page 437 and Latin-1', async () => {
  const zip = makeZip([
    { name: 'Küste.tex', data: '1' },
    { name: Buffer.from('M\u{81}we.tex', 'latin1'), data: '2' },
    { name: Buffer.from('Mövchen.tex', 'latin1'), data: '3', mode: 0o100644 },
    { name: 'a\\b.tex', data: '4' },
  ])
  assert.deepEqual(await read(zip), { 'Küste.tex': '1', 'Müwe.tex': '2', 'Mövchen.tex': '3', 'a/b.tex': '4' })
})

test('readArchive() refuses names that lead out of the archive, are absolute, repeated or cannot be shown', async () => {
  const refusals: string[] = []
  for (const name of [
    '../x.tex',
    'a/../../x.tex',
    '..\\x.tex',
    '/etc/x.tex',
    'C:\\x.tex',
    'a\nb.tex',
    'a\u{0}.tex',
    'main.tex',
    'main.tex/b',
  ])
    refusals.push(String(await read(makeZip([main, { name, data: 'x' }]))))
  const leads = (name: string): string =>
    `The name "${name}" points outside the archive. Create the archive again without "..".`
  const absolute = (name: string): string =>
    `The name "${name}" is absolute. Create the archive again with relative names.`
  const control = (name: string): string =>
    `The name "${name}" has a control character. Rename the file and create the archive again.`
  assert.deepEqual(refusals, [
    leads('../x.tex'),
    leads('a/../../x.tex'),
    leads('../x.tex'),
    absolute('/etc/x.tex'),
    absolute('C:/x.tex'),
    control('a\u{FFFD}b.tex'),
    control('a\u{FFFD}.tex'),
    'The archive has "main.tex" twice. Remove one of them.',
    '"main.tex" is both a file and a folder of the archive. Rename one of them.',
  ])
})

test('readArchive() refuses damaged, encrypted and ambiguous zip files', async () => {
  const zip = makeZip([main])
  const outcomes = [
    await read(zip.subarray(0, -30)),
    await read(makeZip([{ ...main, checksum: 1 }])),
    await read(makeZip([{ ...main, declaredSize: 5 }])),
    await read(makeZip([{ ...main, declaredSize: 5_000 }])),
    await read(makeZip([{ ...main, localName: 'evil.tex' }])),
    await read(makeZip([main, { ...main, isRepeated: true }])),
    await read(makeZip([{ ...main, flags: 1 }])),
    await read(makeZip([{ ...main, method: 14 }])),
    await read(Buffer.from('%PDF-1.5'), 'paper.pdf'),
    await read(Buffer.alloc(0)),
    await read(makeZip([{ name: 'empty/' }])),
  ]
  assert.deepEqual(outcomes, [
    damaged('its list of files cannot be read'),
    damaged('"main.tex" has a wrong checksum'),
    damaged('"main.tex" does not have the declared size'),
    damaged('"main.tex" does not have the declared size'),
    damaged('the entry "main.tex" has two names'),
    damaged('the entries "main.tex" and "main.tex" overlap'),
    '"main.tex" is encrypted. Create the archive again without a password.',
    '"main.tex" is compressed with method 14. Create the zip file again with the standard compression, Deflate.',
    '"paper.pdf" is not a zip file, a tar file or a LaTeX source. Choose a .zip, .tar, .tar.gz or .tex file.',
    'The file is empty. Choose another one.',
    'The archive has no files to import.',
  ])
})

test('readArchive() refuses sizes of zip64 that are too large or wrong', async () => {
  const outcomes = [
    await read(makeZip([{ ...main, zip64Size: BigInt(source.length) }])),
    await read(makeZip([{ ...main, zip64Size: 5n }])),
    await read(makeZip([{ ...main, zip64Size: 40_000_000n }])),
    await read(makeZip([{ ...main, zip64Size: 1n << 40n }])),
  ]
  assert.deepEqual(outcomes, [
    { 'main.tex': source },
    damaged('"main.tex" does not have the declared size'),
    'The archive unpacks to more than 100 times its size, like a zip bomb. Create it again from the files of the paper.',
    '"main.tex" unpacks to more than 50 MB, the limit for one file. Remove it, or make it smaller.',
  ])
})

test('readArchive() refuses archives that unpack to too much, before it unpacks them', async () => {
  const many = Array.from({ length: importLimits.files + 1 }, (_, index) => ({ name: `${index}.tex`, data: 'x' }))
  const entries = Array.from({ length: importLimits.entries + 1 }, (_, index) => ({ name: `${index}/` }))
  const half = { data: 'x', declaredSize: 40e6 }
  assert.deepEqual(
    [
      await read(makeZip([{ name: 'zeros.dat', data: Buffer.alloc(6_000_000) }])),
      await read(makeZip([{ name: 'large.dat', data: 'x', declaredSize: 4e9 }])),
      await read(
        makeZip([
          { name: 'a.dat', ...half },
          { name: 'b.dat', ...half },
        ]),
      ),
      await read(makeZip(many)),
      await read(makeZip(entries)),
      await read(gzipSync(Buffer.alloc(90_000_000), { level: 1 }), 'paper.tar.gz'),
    ],
    [
      'The archive unpacks to more than 100 times its size, like a zip bomb. Create it again from the files of the paper.',
      '"large.dat" unpacks to more than 50 MB, the limit for one file. Remove it, or make it smaller.',
      'The archive unpacks to more than 64 MB. Remove files that the document does not need.',
      'The archive has 2,001 files, and the limit is 2,000. Remove files that the document does not need.',
      'The archive has more than 5,000 entries. Remove files that the document does not need.',
      'The archive unpacks to more than 64 MB. Remove files that the document does not need.',
    ],
  )
})

test('readArchive() refuses a damaged gzip file', async () => {
  const tar = makeTar([{ name: 'main.tex', data: source }])
  assert.equal(
    await read(gzipSync(tar).subarray(0, 60), 'paper.tar.gz'),
    'The gzip file is damaged. Create it again, or download it again.',
  )
})

test('summarizeArchive() names every entry that is skipped and the reason', async () => {
  const { skipped, fileCount, nestedArchives } = await summarize([
    main,
    { name: 'main.bbl', data: 'b' },
    { name: 'main.aux', data: 'a' },
    { name: 'main.log', data: 'a' },
    { name: 'data.log', data: 'a' },
    { name: '__MACOSX/._main.tex', data: 'a' },
    { name: '.DS_Store', data: 'a' },
    { name: '.git/config', data: 'a' },
    { name: 'link.tex', data: '/etc/passwd', mode: 0o120777 },
    { name: 'pipe', mode: 0o010644 },
    { name: ' x.tex', data: 'a' },
    { name: 'old.zip', data: 'PK' },
  ])
  assert.deepEqual(
    { fileCount, nestedArchives, skipped: skipped.map(({ path, reason }) => `${path}: ${reason}`) },
    {
      fileCount: 4,
      nestedArchives: ['old.zip'],
      skipped: [
        'main.aux: written by LaTeX at every compile',
        'main.log: written by LaTeX at every compile',
        '__MACOSX/._main.tex: file of the operating system',
        '.DS_Store: file of the operating system',
        '.git/config: git data of another repository',
        'link.tex: link: add the file itself',
        'pipe: not a regular file',
        ' x.tex: " x.tex" begins or ends with a space.',
      ],
    },
  )
})

test('summarizeArchive() skips what only git reads, and says why', async () => {
  const git = 'is reserved by git. Choose another name.'
  const { skipped } = await summarize([
    main,
    { name: '.GIT/config', data: 'a' },
    { name: 'git~1/config', data: 'a' },
    { name: '.git.', data: 'a' },
    { name: '.git /config', data: 'a' },
    { name: '.g\u{200C}it', data: 'a' },
    { name: '.gitmodules', data: 'a' },
    { name: '.gitattributes/a', data: 'a' },
    { name: '.gitignore', data: '/etc/passwd', mode: 0o120777 },
    { name: '.', data: 'a' },
  ])
  assert.deepEqual(
    skipped.map(({ path, reason }) => `${path}: ${reason}`),
    [
      '.GIT/config: git data of another repository',
      `git~1/config: "git~1" ${git}`,
      `.git.: ".git." ${git}`,
      '.git /config: ".git " begins or ends with a space.',
      `.g\u{FFFD}it: ".g\u{FFFD}it" ${git}`,
      '.gitmodules: submodules are not imported: add their files',
      '.gitattributes/a: git reads a file of this name, not a folder',
      '.gitignore: link: add the file itself',
      '.: the name is empty',
    ],
  )
})

test('summarizeArchive() skips names that are too long, even with characters that are slow to normalize', async () => {
  const name = 'e\u{327}\u{301}'.repeat(20_000)
  const { skipped } = await summarize([main, { name: name.slice(0, 16_000), data: 'a' }])
  assert.deepEqual(skipped, [{ path: `${name.slice(0, 79)}…`, reason: 'The path is longer than 1024 bytes.' }])
})

test('summarizeArchive() names the files that Windows or macOS cannot check out', async () => {
  const { unportable } = await summarize([
    { name: 'paper/Main.tex', data: source },
    { name: 'paper/main.tex', data: source },
    { name: 'paper/nul', data: 'a' },
  ])
  assert.deepEqual(unportable, [
    { path: 'main.tex', reason: 'Windows and macOS do not distinguish it from "Main.tex"' },
    { path: 'nul', reason: 'Windows reserves this name' },
  ])
})

test('summarizeArchive() finds the documents and the packages that the archive does not contain', async () => {
  const summary = await summarize([
    { name: 'paper/main.tex', data: source },
    { name: 'paper/local.sty', data: '\\RequirePackage{xcolor}' },
  ])
  assert.deepEqual(
    [
      summary.topFolder,
      summary.byteCount,
      summary.packages,
      summary.found.kind === 'found' && summary.found.documents.map(({ rootFile, engine }) => [rootFile, engine]),
    ],
    ['paper', source.length + 23, ['amsmath', 'article'], [['main.tex', 'pdflatex']]],
  )
})
