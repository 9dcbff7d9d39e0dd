import { gzipSync } from 'node:zlib'

import { solidPng } from '../../../../platex/test/hostile/solid-png.ts'
import { makeTar } from '../../support/make-tar.ts'
import { makeZip } from '../../support/make-zip.ts'
import { quick, type Files, type HostileForm, type HostileInput } from '../hostile-input.ts'

const MB = 1024 * 1024
const URLENCODED = 'application/x-www-form-urlencoded'
const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'

/** A body as it is, sent without an account, and therefore without a token. */
function sent(path: string, type: string, text: string): HostileForm {
  return { path, isAnonymous: true, encode: () => new Blob([text], { type }) }
}

function fields(path: string, values: Readonly<Record<string, string>>): HostileForm {
  return { path, encode: (token) => new URLSearchParams({ form_token: token, ...values }) }
}

function upload(
  path: string,
  field: string,
  files: readonly (readonly [name: string, content: () => string | Uint8Array])[],
): HostileForm {
  return {
    path,
    encode(token) {
      const form = new FormData()
      form.append('form_token', token)
      for (const [name, content] of files) form.append(field, new Blob([Buffer.from(content())]), name)
      return form
    },
  }
}

const part = (disposition: string, value = ''): string =>
  `--x\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
const PARTS = 'multipart/form-data; boundary=x'
const marks = `a${'\u0301\u0323'.repeat(60_000)}`
const longBoundary = 'a'.repeat(69)

/** Bodies that are slow to parse or to show again. Nobody needs an account to send them. */
const bodies: Readonly<Record<string, HostileForm>> = {
  'many-fields': sent('/login', URLENCODED, 'a&'.repeat(MB - 1)),
  'distinct-fields': sent(
    '/login',
    URLENCODED,
    Array.from({ length: 250_000 }, (_, n) => `${n.toString(36)}=`).join('&'),
  ),
  escapes: sent('/login', URLENCODED, `a=${'%41'.repeat(690_000)}`),
  'many-parts': sent('/login', PARTS, `${part('name="a"').repeat(30_000)}--x--\r\n`),
  'many-files': sent('/login', PARTS, `${part('name="a"; filename="b"').repeat(25_000)}--x--\r\n`),
  'false-boundaries': sent('/login', PARTS, `${part('name="a"', '\r\n--'.repeat(500_000))}--x--\r\n`),
  'long-boundary': sent('/login', `multipart/form-data; boundary=${longBoundary}b`, `--${longBoundary}`.repeat(28_000)),
  'long-header': sent('/login', PARTS, part(`name="${'a'.repeat(2 * MB - 1_000)}"`)),
  'kept-text': sent('/alice/none/edit/main/a.tex', URLENCODED, `text=${'%26'.repeat(690_000)}`),
  'kept-fields': sent('/alice/none/edit/main/a.tex', URLENCODED, `text=a&a=${'"'.repeat(2 * MB - 1_000)}`),
  'long-name': fields('/new', { name: '"'.repeat(2 * MB - 10_000) }),
  'long-description': fields('/new', { name: '/', description: '"&'.repeat(300_000) }),
  'name-of-marks': upload('/import', 'archive', [[`${marks}.tex`, () => '']]),
  'path-of-marks': fields('/bob/form-path-of-marks/new/main', { path: marks, text: 'a', message: '' }),
  'move-to-marks': fields('/bob/form-move-to-marks/move/main/a.txt', { path: marks, message: '' }),
  'folder-of-files': upload(
    '/import',
    'folder',
    Array.from({ length: 12_000 }, (_, n) => [`f/${n}.tex`, () => ''] as const),
  ),
  'large-file': upload('/import', 'archive', [['a.zip', () => Buffer.alloc(25 * MB, 'PK\u0005\u0006')]]),
}

/** Bodies of the API. */
const json = (text: string): HostileForm => ({
  path: '/api/v3/user/repos',
  encode: () => new Blob([text], { type: 'application/json' }),
})
const apiBodies: Readonly<Record<string, HostileForm>> = {
  'many-members': json(`{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}`),
  'nested-arrays': json(`{"name":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
  'empty-objects': json(`{"name":[${'{},'.repeat(330_000)}0]}`),
  escapes: json(`{"name":"${'\\u0041'.repeat(170_000)}"}`),
}

/** Archives that are imported. */
const archives: Readonly<Record<string, readonly [name: string, content: () => Buffer]>> = {
  'zip-of-zeros': ['a.zip', () => makeZip([{ name: 'a.tex', data: Buffer.alloc(256 * MB) }])],
  'gzip-of-zeros': ['a.tar.gz', () => gzipSync(Buffer.alloc(256 * MB))],
  'zip-of-many': ['a.zip', () => makeZip(Array.from({ length: 60_000 }, (_, n) => ({ name: `${n}.tex`, method: 0 })))],
  'zip-of-one': [
    'a.zip',
    () =>
      makeZip([
        { name: 'a.tex', data: 'a'.repeat(2 * MB) },
        ...Array.from({ length: 4_000 }, (_, n) => ({ name: `${n}.tex`, data: 'a'.repeat(2_000), isRepeated: true })),
      ]),
  ],
  'zip-of-ends': ['a.zip', () => Buffer.alloc(20 * MB, 'PK\u0005\u0006')],
  'zip-of-deep-names': [
    'a.zip',
    () => makeZip(Array.from({ length: 300 }, (_, n) => ({ name: `${'a/'.repeat(30_000)}${n}` }))),
  ],
  'tar-of-many': ['a.tar', () => makeTar(Array.from({ length: 45_000 }, (_, n) => ({ name: `${n}.tex` })))],
  'tar-of-long-names': [
    'a.tar',
    () => makeTar(Array.from({ length: 4_000 }, () => ({ name: 'a', type: 'L', data: 'n'.repeat(5_000) }))),
  ],
  'source-of-packages': ['a.tex', () => Buffer.from('\\usepackage{a,b,c}'.repeat(MB))],
  'source-of-spaces': ['a.tex', () => Buffer.from('\\documentclass'.padEnd(20 * MB))],
}

const avatars: Readonly<Record<string, () => Uint8Array>> = {
  pixels: () => solidPng(30_000, 30_000),
  'most-pixels': () => solidPng(5_000, 5_000),
  'false-size': () => Buffer.from(solidPng(40, 40)).fill(0x7f, 16, 20),
  jpeg: () => Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(900_000, 0xff)]),
  webp: () => Buffer.concat([Buffer.from('RIFF\u0010\0\0\0WEBPVP8X', 'latin1'), Buffer.alloc(900_000, 0x2f)]),
}

/** Requests of the editor for the file `a.tex` of its repository. */
function editor(name: string, action: string, values: Readonly<Record<string, string>>, files: Files): HostileInput {
  return {
    name: `editor-${name}`,
    commits: [{ files: { 'a.tex': ARTICLE, ...files } }],
    pages: ['/project/main/a.tex', '/spelling/main/a.tex'],
    forms: [fields(`/bob/editor-${name}/${action}/main/a.tex`, values)],
  }
}

const lines = { 'b.tex': `${'a'.repeat(400)}\n`.repeat(2_000) }
const editorInputs: readonly HostileInput[] = [
  editor('regex-nested', 'search', { text: '(a+)+$', regex: 'yes' }, lines),
  editor('regex-backtracking', 'search', { text: '(.*)*(.*)*(.*)*x', regex: 'yes' }, lines),
  editor('regex-long', 'search', { text: `${'(?:a?){9}'.repeat(100)}`, regex: 'yes' }, lines),
  editor('search-all', 'search', { text: 'a' }, lines),
  editor('search-in-many', 'search', { text: 'x' }, manySources(1_000)),
  editor(
    'replace-growing',
    'replace',
    { text: 'a', replacement: 'b'.repeat(1_000), file: `${'0'.repeat(16)} b.tex` },
    lines,
  ),
  editor('rename-everywhere', 'rename', { kind: 'label', from: 'a', to: 'b' }, { 'b.tex': '\\ref{a}'.repeat(140_000) }),
  editor('rename-open', 'rename', { kind: 'citation', from: 'a', to: 'b' }, { 'b.tex': '\\cites['.repeat(140_000) }),
  editor('formula-nested', 'formula', { source: '\\frac{1}{'.repeat(500) }, {}),
  editor('formula-macro', 'formula', { source: '\\def\\a{\\a\\a}\\a' }, {}),
  editor('formula-braces', 'formula', { source: '{'.repeat(5_000) }, {}),
  editor('word-long', 'spelling', { dictionary: 'project', word: 'a'.repeat(250_000) }, {}),
  editor('word-of-marks', 'spelling', { dictionary: 'project', word: `a${'\u0301\u0323'.repeat(100_000)}` }, {}),
  editor('index-of-labels', 'formula', { source: 'x' }, { 'b.tex': '\\label{a}\\section{b}'.repeat(45_000) }),
  editor('index-of-braces', 'formula', { source: 'x' }, { 'b.tex': `\\section${'{'.repeat(900_000)}` }),
  editor('index-of-entries', 'formula', { source: 'x' }, { 'b.bib': '@a{b,'.repeat(180_000) }),
  editor('index-of-commands', 'formula', { source: 'x' }, { 'b.tex': '\\newcommand{\\a}['.repeat(55_000) }),
]

function manySources(count: number): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}.tex`, 'x x x x\n'.repeat(1_500)]))
}

const posting = (name: string, ...forms: readonly HostileForm[]): HostileInput => ({
  name,
  commits: [{ files: { 'a.txt': 'a\n' } }],
  forms,
})

/** Forms: their bodies, and what they upload. */
export const formInputs: readonly HostileInput[] = [
  ...Object.entries(bodies).map(([name, form]) => {
    const input = posting(`form-${name}`, form, form)
    return name === 'many-fields' || name === 'kept-fields' ? quick(input) : input
  }),
  ...Object.entries(apiBodies).map(([name, form]) => {
    const input = posting(`api-${name}`, form, form)
    return name === 'many-members' ? quick(input) : input
  }),
  ...Object.entries(archives).map(([name, file]) => posting(`import-${name}`, upload('/import', 'archive', [file]))),
  ...Object.entries(avatars).map(([name, bytes]) =>
    posting(`avatar-${name}`, upload('/settings/profile/avatar', 'avatar', [['a.png', bytes]])),
  ),
  ...editorInputs,
]
