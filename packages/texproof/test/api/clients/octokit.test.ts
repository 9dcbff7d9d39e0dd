import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { Octokit } from '@octokit/rest'

import { openTourHost } from '../../support/client-tour.ts'
import type { Tour, TourHost } from '../../support/client-tour.ts'

let tour: TourHost
before(async () => (tour = await openTourHost()))
after(() => tour.host.close())

test('octokit.js completes the tour', async () => {
  assert.deepEqual(await makeTour(tour), tour.expected('by-octokit'))
})

async function makeTour({ env }: TourHost): Promise<Tour> {
  const octokit = connect(env, env['TOKEN'])
  const tides = { owner: 'alice', repo: 'tides' }
  const own = await octokit.paginate(octokit.repos.listForAuthenticatedUser)
  const open = await octokit.paginate(octokit.repos.listForUser, { username: 'alice' })
  const branches = await octokit.paginate(octokit.repos.listBranches, tides)
  const tags = await octokit.paginate(octokit.repos.listTags, { ...tides, per_page: 25 })
  const { data: repository } = await octokit.repos.get(tides)
  const { data: branch } = await octokit.repos.getBranch({ ...tides, branch: 'feature/a' })
  const { data: created } = await octokit.repos.createForAuthenticatedUser({ name: 'by-octokit', auto_init: true })
  return {
    login: (await octokit.users.getAuthenticated()).data.login,
    profile: (await octokit.users.getByUsername({ username: 'bob' })).data.login,
    ownCount: own.length,
    publicCount: open.length,
    repository: repository.full_name,
    mayPush: repository.permissions?.push ?? false,
    branches: ends(branches),
    tags: ends(tags),
    branch: [branch.name, branch.commit.sha],
    created: created.full_name,
    errors: await Promise.all([
      statusOf(connect(env, 'pst_bad').users.getAuthenticated()),
      statusOf(connect(env, env['READ_TOKEN']).repos.createForAuthenticatedUser({ name: 'x' })),
      statusOf(octokit.repos.get({ owner: 'bob', repo: 'hidden' })),
      statusOf(octokit.users.getByUsername({ username: 'nobody' })),
      statusOf(octokit.repos.createForAuthenticatedUser({ name: 'not a name' })),
    ]),
  }
}

function connect(env: TourHost['env'], auth: string | undefined): Octokit {
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  return new Octokit({ auth, baseUrl: `${env['BASE']}/api/v3`, log: silent })
}

function ends(items: readonly { readonly name: string }[]): readonly [string, string, number] {
  return [items[0]?.name ?? '', items.at(-1)?.name ?? '', items.length]
}

async function statusOf(call: Promise<unknown>): Promise<number> {
  const error = await call.then(
    () => ({ status: 0 }),
    (thrown: unknown) => thrown,
  )
  return Number(Object(error).status)
}
