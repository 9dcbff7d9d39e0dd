import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openPaperHost, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import { withoutBuilds } from '../../../test/support/hosts/test-config.ts'
import type { TextBranch } from './branch-texts.ts'
import { renameInProject } from './rename-in-project.ts'
import { searchProject } from './search-project.ts'

let host: PaperHost
let userId: string
let branch: TextBranch

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const { user, token } = await host.addUser('alice')
  userId = user.id
  const { id: repositoryId } = await host.addRepository(user, 'course')
  const checkout = await host.makeCheckout(host.gitUrl('alice/course.git', token), {
    'main.tex': '\\label{fig:ebb} and \\ref{fig:ebb}\n',
    ...Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`data/${at}.txt`, `${at}\n`])),
  })
  await checkout.git('push', '--quiet', 'origin', 'main')
  const head = await host.deps.git.findBranch(repositoryId, 'main')
  branch = { repositoryId, branch: 'main', headId: head?.commitId ?? null }
})
after(() => host.close())

test('searchProject() reports that it has not searched all files of a branch', async () => {
  const query = { text: 'ebb', isRegex: false, isCaseSensitive: false, replacement: '' }
  assert.deepEqual(await searchProject(host.deps, branch, { userId, query }), {
    kind: 'found',
    files: [],
    isLimited: false,
    isComplete: false,
  })
})

test('renameInProject() renames nothing if it cannot find all uses', async () => {
  const renaming = { kind: 'label', from: 'fig:ebb', to: 'fig:flow' } as const
  assert.deepEqual(await renameInProject(host.deps, branch, { userId, renaming }), { kind: 'incomplete' })
})
