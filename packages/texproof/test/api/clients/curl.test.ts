import assert from 'node:assert/strict'
import { test } from 'node:test'

import { missingProgram, openTourHost } from '../../support/client-tour.ts'
import type { Tour, TourHost } from '../../support/client-tour.ts'
import { runProgram } from '../../support/programs/run-program.ts'

const skip = await missingProgram('curl', ['--version'])

test('curl completes the tour', { skip }, async (context) => {
  const tour = await openTourHost()
  context.after(() => tour.host.close())
  assert.deepEqual(await makeTour(tour), tour.expected('by-curl'))
})

async function makeTour({ env }: TourHost): Promise<Tour> {
  const api = `${env['BASE']}/api/v3`
  const curl = async (url: string, token: string | undefined, ...args: string[]) => {
    const options = ['--silent', '--show-error', '--include', '--header', `Authorization: Bearer ${token}`]
    const { stdout } = await runProgram('curl', [...options, ...args, url])
    const [head = '', body = ''] = stdout.split('\r\n\r\n')
    return {
      status: Number(head.split(' ')[1]),
      next: /<([^>]*)>; rel="next"/.exec(head)?.[1] ?? null,
      body: JSON.parse(body),
    }
  }
  const get = async (path: string) => (await curl(api + path, env['TOKEN'])).body
  const pages = async (path: string) => {
    const names: string[] = []
    for (let url: string | null = api + path; url !== null;) {
      const page: Awaited<ReturnType<typeof curl>> = await curl(url, env['TOKEN'])
      names.push(...page.body.map(({ name }: { name: string }) => name))
      url = page.next
    }
    return names
  }
  const create = (token: string | undefined, name: string) =>
    curl(`${api}/user/repos`, token, '--data', JSON.stringify({ name }))

  const tides = await get('/repos/alice/tides')
  const branch = await get('/repos/alice/tides/branches/feature%2Fa')
  return {
    login: (await get('/user')).login,
    profile: (await get('/users/bob')).login,
    ownCount: (await pages('/user/repos')).length,
    publicCount: (await pages('/users/alice/repos')).length,
    repository: tides.full_name,
    mayPush: tides.permissions.push,
    branches: ends(await pages('/repos/alice/tides/branches')),
    tags: ends(await pages('/repos/alice/tides/tags')),
    branch: [branch.name, branch.commit.sha],
    created: (await create(env['TOKEN'], 'by-curl')).body.full_name,
    errors: [
      (await curl(`${api}/user`, 'pst_bad')).status,
      (await create(env['READ_TOKEN'], 'x')).status,
      (await curl(`${api}/repos/bob/hidden`, env['TOKEN'])).status,
      (await curl(`${api}/users/nobody`, env['TOKEN'])).status,
      (await create(env['TOKEN'], 'not a name')).status,
    ],
  }
}

function ends(names: readonly string[]): readonly [string, string, number] {
  return [names[0] ?? '', names.at(-1) ?? '', names.length]
}
