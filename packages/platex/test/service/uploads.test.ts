/** Projects uploaded to POST /compile as tar archives and forms, valid and hostile. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { packTar } from 'modern-tar'

import { createApp } from '../../src/api/server.ts'
import { CITING, HELLO, REFERENCES, isBase64Pdf } from '../support/documents.ts'
import { readJson } from '../support/read-json.ts'

const app = createApp({ log: () => {} })

function post(body: NonNullable<RequestInit['body']>, contentType: string | null, query = ''): Promise<Response> {
  const headers: Record<string, string> = contentType === null ? {} : { 'Content-Type': contentType }
  return Promise.resolve(app.request(`/compile${query}`, { method: 'POST', headers, body }))
}

function tarOf(...files: readonly (readonly [string, string])[]): Promise<Uint8Array<ArrayBuffer>> {
  return packTar(files.map(([name, body]) => ({ header: { name, size: body.length, type: 'file' }, body })))
}

describe('POST /compile with a tar archive', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'uploads-'))
    mkdirSync(join(folder, 'paper/.git'), { recursive: true })
    writeFileSync(join(folder, 'paper/.git/config'), 'hidden')
    writeFileSync(join(folder, 'paper/thesis.tex'), CITING)
    writeFileSync(join(folder, 'paper/refs.bib'), REFERENCES)
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const format of ['gnu', 'pax', 'ustar']) {
    test(`compiles an archive of tar --format=${format} with the settings of the query`, async () => {
      const archive = execFileSync('tar', ['-cz', `--format=${format}`, '-C', folder, './paper'])
      const response = await post(archive, 'application/gzip', '?main=paper/thesis.tex&outputs=bbl,toc')
      const { pdf, errors, outputs } = await readJson(response)
      assert.deepEqual([response.status, isBase64Pdf(pdf), errors], [200, true, []])
      assert.deepEqual([typeof outputs?.['bbl'], outputs?.['toc']], ['string', null])
    })
  }

  test('uses main.tex as the root file by default', async () => {
    const { pdf } = await readJson(await post(await tarOf(['main.tex', HELLO]), 'application/x-tar'))
    assert.ok(isBase64Pdf(pdf))
  })

  test('rejects a symbolic link', async () => {
    symlinkSync('/etc/passwd', join(folder, 'link.tex'))
    const response = await post(execFileSync('tar', ['-c', '-C', folder, 'link.tex']), 'application/x-tar')
    assert.deepEqual(
      [response.status, (await readJson(response)).error],
      [400, 'The archive contains "link.tex", which is a symbolic link. Send the file itself.'],
    )
  })

  test('rejects a sparse file, whose content has gaps', async () => {
    writeFileSync(join(folder, 'gaps.tex'), '')
    truncateSync(join(folder, 'gaps.tex'), 1_000_000)
    const archive = execFileSync('tar', ['-c', '--sparse', '--format=gnu', '-C', folder, 'gaps.tex'])
    const response = await post(archive, 'application/x-tar')
    const { error } = await readJson(response)
    const expected = '"gaps.tex" is stored as a sparse file. Create the archive again without the option --sparse.'
    assert.deepEqual([response.status, error], [400, expected])
  })

  const many = (count: number): Promise<Uint8Array<ArrayBuffer>> =>
    packTar(Array.from({ length: count }, (_, at) => ({ header: { name: `d${at}/`, size: 0, type: 'directory' } })))
  const hostile: readonly (readonly [string, () => Promise<Uint8Array<ArrayBuffer>>, RegExp])[] = [
    ['a path out of the project', () => tarOf(['../main.tex', HELLO]), /has the part \.\./],
    ['an absolute path', () => tarOf(['/etc/main.tex', HELLO]), /is absolute/],
    ['one name twice', () => tarOf(['main.tex', HELLO], ['./main.tex', HELLO]), /contains "main\.tex" twice/],
    [
      'a hard link',
      () => packTar([{ header: { name: 'a', size: 0, type: 'link', linkname: '/etc/passwd' } }]),
      /contains "a", which is a hard link\. Send the file itself/,
    ],
    ['a device', () => packTar([{ header: { name: 'a', size: 0, type: 'character-device' } }]), /which is a device/],
    [
      'too many files',
      () => tarOf(...Array.from({ length: 51 }, (_, at) => [`${at}.tex`, ''] as const)),
      /maxFilesCount: 51 > 50/,
    ],
    ['too many folders', async () => repeat(await many(1), 80_000), /more than 1050 entries/],
    ['a gzip bomb', async () => new Uint8Array(gzipSync(new Uint8Array(200_000_000))), /unpacks to more than/],
    [
      'more entries in gzip than may be unpacked',
      async () => new Uint8Array(gzipSync(repeat(await many(1), 100_000))),
      /unpacks to more than/,
    ],
    [
      'gzip cut short',
      async () => new Uint8Array(gzipSync(await tarOf(['main.tex', HELLO]))).slice(0, 60),
      /is not valid gzip data/,
    ],
    [
      'tar cut short',
      async () => (await tarOf(['main.tex', HELLO])).slice(0, 520),
      /ends before the end of "main\.tex"/,
    ],
    [
      'no tar at all',
      async () => new TextEncoder().encode('{"source": ""}'.repeat(99)),
      /a header has a wrong checksum/,
    ],
    ['no root file', () => tarOf(['a.tex', HELLO]), /^main must name the root file, because files has no main\.tex$/],
  ]
  for (const [name, archive, error] of hostile) {
    test(`answers 400 for ${name}`, async () => {
      const response = await post(await archive(), 'application/x-tar')
      assert.equal(response.status, 400)
      assert.match((await readJson(response)).error, error)
    })
  }
})

/** The header of the first entry, repeated. */
function repeat(tar: Uint8Array, times: number): Buffer<ArrayBuffer> {
  return Buffer.concat(Array.from({ length: times }, () => tar.subarray(0, 512)))
}

describe('POST /compile with a form', () => {
  function formOf(settings: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>): FormData {
    const form = new FormData()
    for (const [name, value] of Object.entries(settings)) form.append(name, value)
    for (const [name, text] of Object.entries(files)) form.append('files', new Blob([text]), name)
    return form
  }

  test('compiles its files, including those in folders, with its settings', async () => {
    const files = { 'a/b.tex': CITING, 'a/refs.bib': REFERENCES }
    const response = await post(formOf({ main: 'a/b.tex', timeout: '60000', outputs: 'bbl' }, files), null)
    const { pdf, errors, outputs } = await readJson(response)
    assert.deepEqual([response.status, isBase64Pdf(pdf), errors, typeof outputs?.['bbl']], [200, true, [], 'string'])
  })

  test('accepts the source as a field or a file', async () => {
    const form = new FormData()
    form.append('source', new Blob([HELLO]), 'paper.tex')
    const bodies = [
      await readJson(await post(form, null)),
      await readJson(await post(formOf({ source: HELLO }, {}), null)),
    ]
    assert.deepEqual(
      bodies.map(({ pdf }) => isBase64Pdf(pdf)),
      [true, true],
    )
  })

  test('answers 400 for a source that is not UTF-8, instead of altering it', async () => {
    const form = new FormData()
    form.append('source', new Blob([Buffer.from(HELLO.replace('Hello', 'H\u00e9llo'), 'latin1')]), 'paper.tex')
    const response = await post(form, null)
    const error = 'The source is not UTF-8. Send it as a part "files", with its name in the part "main".'
    assert.deepEqual([response.status, (await readJson(response)).error], [400, error])
  })

  const boundary = '----FormBoundary7MA4YWxkTrZu0gW1'
  const type = `multipart/form-data; boundary=${boundary}`
  const part = (headers: string): string => `--${boundary}\r\n${headers}\r\n\r\ntext\r\n`
  const file = (name: string): string => part(`Content-Disposition: form-data; name="files"; filename="${name}"`)
  const hostile: readonly (readonly [string, string, RegExp])[] = [
    ['a path out of the project', `${file('../main.tex')}--${boundary}--\r\n`, /has the part \.\./],
    ['one name twice', `${file('main.tex')}${file('main.tex')}--${boundary}--\r\n`, /two files with the same name/],
    ['a million parts', `${`--${boundary}\r\n`.repeat(1_000_000)}--${boundary}--\r\n`, /too many parts/],
    [
      'a part with 20 MB of headers',
      `${part(`X: ${'a'.repeat(20_000_000)}`)}--${boundary}--\r\n`,
      /not valid multipart/,
    ],
    ['a form cut short', file('main.tex'), /not valid multipart/],
    [
      'a file under another name',
      `${part('Content-Disposition: form-data; name="a"; filename="b"')}--${boundary}--\r\n`,
      /must be parts/,
    ],
    [
      'a file without a name',
      part('Content-Disposition: form-data; name="files"') + `--${boundary}--\r\n`,
      /no file name/,
    ],
    [
      'a setting that is no number',
      `${part('Content-Disposition: form-data; name="timeout"')}${file('main.tex')}--${boundary}--\r\n`,
      /timeout must be/,
    ],
  ]
  test('ignores a file input of a browser without a selected file', async () => {
    const input = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename=""\r\n\r\n\r\n`
    const source = `--${boundary}\r\nContent-Disposition: form-data; name="source"\r\n\r\n${HELLO}\r\n`
    const response = await post(`${input}${source}--${boundary}--\r\n`, type)
    const { pdf, errors } = await readJson(response)
    assert.deepEqual([response.status, isBase64Pdf(pdf), errors], [200, true, []])
  })

  for (const [name, body, error] of hostile) {
    test(`answers 400 for ${name}`, async () => {
      const response = await post(body, type)
      assert.equal(response.status, 400)
      assert.match((await readJson(response)).error, error)
    })
  }

  test('answers 400 for a form without a boundary in its content type', async () => {
    const response = await post(`${file('main.tex')}--${boundary}--\r\n`, 'multipart/form-data')
    const error = 'The Content-Type of a form must contain its boundary: multipart/form-data; boundary=…'
    assert.deepEqual([response.status, (await readJson(response)).error], [400, error])
  })
})
