import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { openPaperHost, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import { withoutBuilds } from '../../../test/support/hosts/test-config.ts'
import { pdfPath } from '../cache/pdf-store.ts'
import { listPending, markPending } from './pending-repositories.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost(withoutBuilds)
  alice = await host.addUser('alice')
})

after(() => host.close())

/** A repository with the objects of a commit, and a function that moves its refs like a push. */
async function openRepository(name: string, files: Readonly<Record<string, string>>) {
  const { git, papers } = host.deps
  const { id: repositoryId } = await host.addRepository(alice.user, name)
  const checkout = await host.makeCheckout('unused', files)
  const store = async (): Promise<string> => {
    await checkout.git('push', '--force', git.gitDir(repositoryId), 'main:refs/heads/stored')
    return (await checkout.git('rev-parse', 'main')).stdout.trim()
  }
  const push = (refs: readonly string[], oldCommitId: string | null, newCommitId: string) => {
    const updates = refs.map((ref) => ({ ref, oldCommitId, newCommitId }))
    const changes = refs.map((ref) => ({ ref, from: oldCommitId, to: newCommitId }))
    return papers.moveRefs({ repositoryId, userId: alice.user.id, updates }, () =>
      git.changeRefs(repositoryId, changes),
    )
  }
  return { repositoryId, checkout, commitId: await store(), store, push }
}

test('a push of branches with many documents queues them in several turns of the event loop', async () => {
  const sheets = Array.from({ length: 30 }, (_, n) => [`sheet-${n}.tex`, ARTICLE] as const)
  const { repositoryId, commitId, push } = await openRepository('sheets', Object.fromEntries(sheets))
  const counts: number[] = []
  const over = new AbortController()
  const count = async (): Promise<void> => {
    while (!over.signal.aborted) {
      counts.push(await host.deps.store.builds.count(repositoryId))
      await nextTurn()
    }
  }
  const counting = count()
  const refs = Array.from({ length: 8 }, (_, n) => `refs/heads/branch-${n}`)
  const { queued } = await push(refs, null, commitId)
  over.abort()
  await counting
  const mostAtOnce = Math.max(...counts.map((each, at) => each - (counts[at - 1] ?? 0)))
  assert.deepEqual([queued.flatMap(({ builds }) => builds).length, mostAtOnce <= 60], [240, true])
})

test('a restored host queues builds of branches whose PDF is not stored', async () => {
  const { builds } = host.deps.store
  const { dataDir } = host.deps.config
  const ids: number[] = []
  for (const [name, pdfId] of [
    ['lost', 'ab'.repeat(32)],
    ['kept', 'cd'.repeat(32)],
  ] as const) {
    const { repositoryId, commitId, push } = await openRepository(name, { 'main.tex': ARTICLE })
    const { queued } = await push(['refs/heads/main'], null, commitId)
    for (const { id } of queued.flatMap((each) => each.builds))
      await builds.finish(id, { state: 'succeeded', pdfId, pageCount: 1, errors: [], warnings: [], passes: [] })
    ids.push(repositoryId)
    await markPending(dataDir, [repositoryId])
  }
  const path = pdfPath(join(dataDir, 'cache', 'pdf'), 'cd'.repeat(32))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '%PDF-')

  await host.restart()
  await eventually(async () => (await listPending(dataDir)).length === 0)

  const states = async (id: number): Promise<readonly string[]> =>
    (await host.deps.store.builds.list(id, { limit: 10, offset: 0 }))
      .filter(({ ref }) => ref === 'refs/heads/main')
      .map(({ state }) => state)
  assert.deepEqual(await Promise.all(ids.map(states)), [['queued', 'succeeded'], ['succeeded']])
})

test('a push queues the builds of the default branch first', async () => {
  const { repositoryId, commitId, push } = await openRepository('first', { 'main.tex': ARTICLE })
  await push(['refs/heads/a', 'refs/heads/main'], null, commitId)
  const builds = await host.deps.store.builds.list(repositoryId, { limit: 10, offset: 0 })
  assert.deepEqual(
    builds.map(({ ref, number }) => [ref, number]),
    [
      ['refs/heads/a', 2],
      ['refs/heads/main', 1],
    ],
  )
})

test('a push queues no builds while 10,000 of the owner wait, and says so', async () => {
  const bob = await host.addUser('bob')
  const full = await host.addRepository(bob.user, 'full')
  const notes = await host.makeCheckout(host.gitUrl('bob/full.git', bob.token), { 'notes.txt': 'Notes.\n' })
  await notes.git('push', 'origin', 'main')
  const commitId = (await notes.git('rev-parse', 'main')).stdout.trim()
  const waiting = exampleNewBuild({ repositoryId: full.id, ref: 'refs/tags/v1', commitId })
  await host.deps.store.builds.addAll(Array.from({ length: 10_000 }, () => waiting))
  await host.restart()
  const ask = () => host.deps.papers.requestBuild({ repository: full, ref: 'refs/heads/main', commitId })
  await eventually(ask, { until: (outcome) => outcome === 'busy' })
  const { id } = await host.addRepository(bob.user, 'late')
  const checkout = await host.makeCheckout(host.gitUrl('bob/late.git', bob.token), { 'main.tex': ARTICLE })

  const { stderr } = await checkout.git('push', '--quiet', 'origin', 'main')

  const lines = stderr.split('\n').filter((line) => line.startsWith('remote: '))
  assert.deepEqual(
    [lines.map((line) => line.slice('remote: '.length).trimEnd()), await host.deps.store.builds.count(id)],
    [
      [
        'Found main.tex (\\documentclass{article}) → pdfLaTeX',
        '  named main.tex, default engine',
        '  Not built: 10,000 builds of repositories owned by bob are waiting.',
        '  To build it later, choose Build now on its PDF page.',
      ],
      0,
    ],
  )
})

test('a push whose branch moves while its builds are stored does not replace the builds of the later push', async (t) => {
  const { repositoryId, checkout, commitId: one, store, push } = await openRepository('outrun', { 'main.tex': ARTICLE })
  await checkout.commit({ 'main.tex': ARTICLE.replace('Text', 'More text') })
  const two = await store()
  const { builds } = host.deps.store
  const refs = ['refs/heads/main']
  const addAll = builds.addAll.bind(builds)
  t.mock.method(builds, 'addAll', async (wanted: Parameters<typeof addAll>[0]) => {
    if (wanted[0]?.commitId === one) await push(refs, one, two)
    return addAll(wanted)
  })

  const { queued } = await push(refs, null, one)

  const states = (await builds.list(repositoryId, { limit: 10, offset: 0 })).map(({ commitId, state }) => [
    commitId,
    state,
  ])
  assert.deepEqual(
    [queued, states],
    [
      [],
      [
        [one, 'cancelled'],
        [two, 'queued'],
      ],
    ],
  )
})

test('builds of a push that were stored before a fault of the database are kept, and the others are stored later', async (t) => {
  const { repositoryId, commitId, push } = await openRepository('halfway', { 'main.tex': ARTICLE })
  const { builds } = host.deps.store
  const addAll = builds.addAll.bind(builds)
  let faults = 0
  t.mock.method(builds, 'addAll', (wanted: Parameters<typeof addAll>[0]) => {
    if (wanted[0]?.ref !== 'refs/heads/two' || faults > 0) return addAll(wanted)
    faults += 1
    throw new Error('The database is locked')
  })
  await push(['refs/heads/one', 'refs/heads/two'], null, commitId)
  const list = async () =>
    (await builds.list(repositoryId, { limit: 10, offset: 0 })).map(({ ref, state }) => [ref, state])
  await eventually(async () => (await list()).some(([ref]) => ref === 'refs/heads/two'))
  assert.deepEqual(await list(), [
    ['refs/heads/two', 'queued'],
    ['refs/heads/one', 'queued'],
  ])
})
