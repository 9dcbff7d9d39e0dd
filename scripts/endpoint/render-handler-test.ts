import { titleOf } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { handlerFile, handlersFolder } from './source-files.ts'

/** What path parameters are in the generated test; others are their own names. */
const VALUES: Readonly<Record<string, string>> = {
  owner: 'alice',
  username: 'alice',
  repo: 'tides',
  branch: 'main',
  ref: 'main',
}

/**
 * The source of a behaviour test that is red until the handler answers, and then until the test says what it answers.
 * What holds of every endpoint in a repository, that a stranger cannot tell a hidden one from none, it tests at once.
 */
export function renderHandlerTest(endpoint: Endpoint): string {
  return [head(endpoint), answerTest(endpoint), endpoint.isInRepository ? hiddenTest(endpoint) : loginTest(endpoint)]
    .filter((part) => part !== '')
    .join('\n')
}

function head({ needsLogin, isInRepository }: Endpoint): string {
  const repositories = `  await host.addRepository(alice.user, 'tides', { autoInit: true })
${isInRepository ? "  await host.addRepository(alice.user, 'secret', { visibility: 'private' })\n" : ''}`
  return `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/api-host.ts'
import type { ApiHost } from '../../../test/support/api-host.ts'
${isInRepository || needsLogin ? "import { errorOf } from '../../../test/support/expected.ts'\n" : ''}
let host: ApiHost
${needsLogin ? 'let token: string\n' : ''}before(async () => {
  host = await openApiHost()
  const alice = await host.addUser('alice')
${needsLogin ? '  token = alice.token\n' : ''}${repositories}})
after(() => host.close())
`
}

function answerTest(endpoint: Endpoint): string {
  const file = `${handlersFolder}/${handlerFile(endpoint.name)}.ts`
  const pattern =
    endpoint.method === 'POST' ? 'create-own-repository' : endpoint.isList ? 'list-branches' : 'get-branch'
  return `test('${titleShown(endpoint)} answers what is asked for', async () => {
  const { status, body } = await host.call(${callOf(endpoint, targetOf(endpoint.path), true)})
  assert.equal(
    status,
    ${endpoint.method === 'POST' ? 201 : 200},
    \`answered \${status}: write ${endpoint.name} in ${file}; ${pattern}.ts beside it is the pattern\`,
  )
  assert.deepEqual(body, 'the whole answer, written out by hand: the body above is what came')
})
`
}

function hiddenTest(endpoint: Endpoint): string {
  const target = targetOf(endpoint.path).replace('/repos/alice/tides/', '/repos/alice/${name}/')
  const stranger = endpoint.needsLogin ? "  const { token } = await host.addUser('bob')\n" : ''
  return `test('${titleShown(endpoint)} answers 404 for a hidden repository and for none', async () => {
${stranger}  const answers = await Promise.all(
    ['secret', 'none'].map((name) => host.call(${callOf(endpoint, target, endpoint.needsLogin)})),
  )
  const expected = errorOf(404, 'Not Found')
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [404, expected],
      [404, expected],
    ],
  )
})
`
}

function loginTest(endpoint: Endpoint): string {
  if (!endpoint.needsLogin) return ''
  return `test('${titleShown(endpoint)} answers 401 without a token', async () => {
  const { status, body } = await host.call(${callOf(endpoint, targetOf(endpoint.path), false)})
  assert.deepEqual([status, body], [401, errorOf(401, 'Requires authentication')])
})
`
}

function callOf({ method, needsLogin }: Endpoint, target: string, withToken: boolean): string {
  const quoted = target.includes('${') ? `\`${target}\`` : `'${target}'`
  const parts = [
    ...(method === 'POST' ? ["method: 'POST'"] : []),
    `target: ${quoted}`,
    ...(needsLogin && withToken ? ['token'] : []),
    ...(method === 'POST' ? ["body: '{}'"] : []),
  ]
  return `{ ${parts.join(', ')} }`
}

function targetOf(path: string): string {
  return path.replaceAll(/\{\+?(\w+)\}/g, (_all, name: string) => VALUES[name] ?? name)
}

function titleShown(endpoint: Endpoint): string {
  return titleOf(endpoint).replace('{+', '{')
}
