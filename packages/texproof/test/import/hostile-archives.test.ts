/** Archives made by attackers, and unusual ones, imported into real repositories. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, test } from 'node:test'

import type { User } from '../../src/domain/types.ts'
import { importArchive } from '../../src/operations/import/import-archive.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { makeTar } from '../support/make-tar.ts'
import { makeZip, type ZipEntry } from '../support/make-zip.ts'

const source = '\\documentclass{article}\\begin{document}Tides\\end{document}\n'
const main: ZipEntry = { name: 'main.tex', data: source }

let host: PaperHost
let alice: User

before(async () => {
  host = await openPaperHost()
  alice = (await host.addUser('alice')).user
})
after(() => host.close())

function importAs(name: string, bytes: Uint8Array) {
  const details = {
    owner: alice,
    name,
    description: null,
    visibility: 'private',
    authorEmail: 'noreply@localhost',
    projectUrl: host.origin,
  } as const
  return importArchive(host.deps, details, { bytes, fileName: 'paper.zip' })
}

/** The paths of the first commit of an imported repository. */
async function listImported(name: string, bytes: Uint8Array): Promise<readonly string[]> {
  const outcome = await importAs(name, bytes)
  assert.equal(outcome.kind, 'created', JSON.stringify(outcome))
  if (outcome.kind !== 'created') return []
  const { id } = outcome.repository
  const head = await host.deps.git.findBranch(id, 'main')
  const files = await host.deps.git.listFiles(id, head?.commitId ?? '', { maxFiles: 2_000 })
  return (files ?? []).map(({ path }) => path)
}

/** Files of the data directory, except files of the database. */
async function listFilesOnDisk(): Promise<readonly string[]> {
  const found = await readdir(host.deps.config.dataDir, { recursive: true, withFileTypes: true })
  return found.filter((entry) => !entry.isDirectory() && !/\.db/.test(entry.name)).map(({ name }) => name)
}

test('importArchive() refuses hostile archives with a reason, and leaves no repository and no file', async () => {
  const onDisk = await listFilesOnDisk()
  const longLine = `*.tex ${'x'.repeat(3_000)}`
  const archives = {
    outside: makeZip([main, { name: '../x.tex', data: 'x' }]),
    twice: makeZip([main, main]),
    unicode: makeZip([main, { name: '\u{E9}.tex', data: '1' }, { name: 'e\u{301}.tex', data: '2' }]),
    size: makeZip([main, { name: 'a.tex', data: 'x', declaredSize: 9 }]),
    sparse: makeTar([
      { name: 'main.tex', data: source },
      { name: 'a.dat', type: 'S' },
    ]),
    attributes: makeZip([main, { name: '.gitattributes', data: longLine }]),
  }
  const problems: unknown[] = []
  for (const [name, bytes] of Object.entries(archives)) {
    const outcome = await importAs(name, bytes)
    problems.push(outcome.kind === 'refused' ? outcome.problem : outcome)
  }
  const created = await Promise.all(
    Object.keys(archives).map((name) => host.deps.store.repositories.findByName('alice', name)),
  )
  assert.deepEqual(
    [problems, created, await listFilesOnDisk()],
    [
      [
        'The name "../x.tex" points outside the archive. Create the archive again without "..".',
        'The archive has "main.tex" twice. Remove one of them.',
        'The archive has "\u{E9}.tex" twice, in two Unicode forms. Remove one of them.',
        'The zip file is damaged: "a.tex" does not have the declared size. Create it again, or download it again.',
        '"a.dat" is stored as a sparse file. Create the archive again without the option --sparse.',
        'Git refused the files: gitattributesLineLength: .gitattributes has too long lines to parse. No repository was created.',
      ],
      Object.keys(archives).map(() => null),
      onDisk,
    ],
  )
})

test('importArchive() imports a paper of 900 files', async () => {
  const figures = Array.from({ length: 899 }, (_, index) => ({ name: `figures/${index}.txt`, data: `${index}` }))
  assert.equal((await listImported('large', makeZip([main, ...figures]))).length, 900)
})

test('importArchive() imports names that only some systems can check out', async () => {
  const names = ['Main.tex', 'aux.tex', 'a:b.tex', 'main.tex', 'old.zip', 'what?.tex']
  const imported = await listImported('names', makeZip(names.map((name) => ({ name, data: 'x' }))))
  assert.deepEqual(imported.toSorted(), names.toSorted())
})

test('importArchive() imports no file that changes how git works', async () => {
  const names = [
    '.git/config',
    '.GIT/config',
    'a/git~1/config',
    '.git /config',
    '.git./config',
    '.g\u{200C}it/config',
    '.git::$INDEX_ALLOCATION/config',
    '.gitmodules',
    '.GITMODULES/a',
    'GITMOD~1/a',
    '.gitattributes/a',
    'a/.gitAttributes/b',
  ]
  const links = ['.gitignore', 'b/.gitattributes'].map((name) => ({ name, data: '/etc/passwd', mode: 0o120777 }))
  const bytes = makeZip([main, ...names.map((name) => ({ name, data: 'x' })), ...links])
  assert.deepEqual(await listImported('git', bytes), ['main.tex'])
})
