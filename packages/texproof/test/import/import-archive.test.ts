import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { User } from '../../src/domain/types.ts'
import { importArchive, inspectArchive } from '../../src/operations/import/import-archive.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { makeZip } from '../support/make-zip.ts'

const source = '\\documentclass{article}\\begin{document}Tides\\end{document}\n'

let host: PaperHost
let alice: User

before(async () => {
  host = await openPaperHost()
  alice = { ...(await host.addUser('alice')).user, name: 'Alice Example' }
})
after(() => host.close())

function importZip(name: string, zip: Uint8Array) {
  const details = {
    owner: alice,
    name,
    description: null,
    visibility: 'private',
    authorEmail: 'noreply@localhost',
    projectUrl: host.origin,
  } as const
  return importArchive(host.deps, details, { bytes: zip, fileName: 'paper.zip' })
}

test('importArchive() commits the files with the owner as author and builds the PDF', async () => {
  const outcome = await importZip(
    'tides',
    makeZip([
      { name: 'paper/main.tex', data: source },
      { name: 'paper/chapters/one.tex', data: 'One.\n' },
    ]),
  )
  assert.equal(outcome.kind, 'created')
  const repository = outcome.kind === 'created' ? outcome.repository : null
  assert.ok(repository)
  const head = await host.deps.git.findBranch(repository.id, 'main')
  assert.ok(head)
  const commit = await host.deps.git.findCommit(repository.id, head.commitId)
  const files = await host.deps.git.listFiles(repository.id, head.commitId, { maxFiles: 10 })
  await host.whenBuilt(repository.id)
  const builds = await host.deps.store.builds.list(repository.id, { limit: 5, offset: 0 })
  assert.deepEqual(
    [
      commit?.author.name,
      files?.map(({ path, kind }) => `${kind} ${path}`).toSorted(),
      builds.map(({ state, errorCount }) => [state, errorCount]),
    ],
    ['Alice Example', ['file chapters/one.tex', 'file main.tex'], [['succeeded', 0]]],
  )
})

test('importArchive() creates no repository from an archive that is refused, and its name stays free', async () => {
  const refused = await importZip('waves', makeZip([{ name: '../main.tex', data: source }]))
  const isAbsent = (await host.deps.store.repositories.findByName('alice', 'waves')) === null
  const created = await importZip('waves', makeZip([{ name: 'main.tex', data: source }]))
  assert.deepEqual(
    [refused, isAbsent, created.kind],
    [
      {
        kind: 'refused',
        problem: 'The name "../main.tex" points outside the archive. Create the archive again without "..".',
      },
      true,
      'created',
    ],
  )
})

test('importArchive() creates no repository if git refuses the commit', async () => {
  const tight = { ...host.deps, config: { ...host.deps.config, maxPushBytes: 10 } }
  const details = {
    owner: alice,
    name: 'large',
    description: null,
    visibility: 'private',
    authorEmail: 'noreply@localhost',
    projectUrl: host.origin,
  } as const
  const zip = makeZip([{ name: 'main.tex', data: source }])
  const outcome = await importArchive(tight, details, { bytes: zip, fileName: 'paper.zip' })
  assert.deepEqual([outcome.kind, await host.deps.store.repositories.findByName('alice', 'large')], ['refused', null])
})

test('importArchive() refuses a name that is taken', async () => {
  const zip = makeZip([{ name: 'main.tex', data: source }])
  await importZip('twice', zip)
  assert.deepEqual(await importZip('twice', zip), { kind: 'name-taken' })
})

test('inspectArchive() describes an archive in a worker thread', async () => {
  const zip = makeZip([{ name: 'main.tex', data: source }])
  const summary = await inspectArchive(host.deps, { bytes: zip, fileName: 'paper.zip' }, alice.id)
  assert.deepEqual([summary.kind, summary.kind === 'summary' && summary.fileCount], ['summary', 1])
})
