import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { openPaperHost, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import { withoutBuilds } from '../../../test/support/hosts/test-config.ts'

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
