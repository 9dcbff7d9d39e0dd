import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

import { withoutBuilds } from '../../../test/support/hosts/test-config.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import type { Caller, Repository } from '../../domain/types.ts'
import { draftPlace } from '../edit/drafts.ts'
import { moveEntry } from './move-entry.ts'

const paper = (body: string): string => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`

let host: PaperHost
let caller: Caller
let token: string
let repository: Repository
let checkout: Checkout
let openedId: string
let made = 0

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const alice = await host.addUser('alice')
  caller = { user: alice.user, scopes: ['repo:write'], tokenId: null }
  token = alice.token
})
after(() => host.close())

beforeEach(async () => {
  made += 1
  repository = await host.addRepository(caller.user, `paper-${made}`)
  checkout = await host.makeCheckout(host.gitUrl(`alice/paper-${made}.git`, token), {
    'main.tex': paper('\\input{intro}'),
    'intro.tex': 'Tides.\n',
  })
  openedId = await checkout.commit({}, 'Push')
  await checkout.git('push', '--quiet', 'origin', 'main')
})

const move = (updatesReferences: boolean) =>
  moveEntry(host.deps, {
    repository,
    caller,
    branch: 'main',
    newBranch: null,
    openedId,
    message: 'Move intro.tex',
    path: 'intro.tex',
    newPath: 'sections/intro.tex',
    updatesReferences,
  })

async function textOf(path: string): Promise<string> {
  await checkout.git('fetch', '--quiet', 'origin')
  return (await checkout.git('show', `origin/main:${path}`)).stdout
}

const place = () => draftPlace(host.deps, { repositoryId: repository.id, branch: 'main', path: 'main.tex' })

test('a move and the updated paths are one commit', async () => {
  const outcome = await move(true)
  assert.equal(outcome.kind === 'committed' && outcome.referenceCount, 1)
  assert.deepEqual(
    [await textOf('main.tex'), await textOf('sections/intro.tex')],
    [paper('\\input{sections/intro}'), 'Tides.\n'],
  )
})

test('a move leaves the sources alone if it is to update no paths', async () => {
  const outcome = await move(false)
  assert.equal(outcome.kind === 'committed' && outcome.referenceCount, null)
  assert.equal(await textOf('main.tex'), paper('\\input{intro}'))
})

test('a move updates the paths in drafts, and keeps what was typed', async () => {
  const read = await host.deps.rooms.read(place())
  const typed = paper('Typed. \\input{intro}')
  await host.deps.rooms.replace(place(), { userId: caller.user.id, text: typed, baseRevision: read?.revision ?? 0 })
  await move(true)
  assert.equal((await host.deps.rooms.read(place()))?.text, paper('Typed. \\input{sections/intro}'))
})

test('a move shows the new text in an unchanged file that is open', async () => {
  await host.deps.rooms.read(place())
  await move(true)
  assert.equal((await host.deps.rooms.read(place()))?.text, paper('\\input{sections/intro}'))
})
