import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf, permissions, repositoryOf } from '../../../test/support/expected.ts'
import { runTestGit } from '../../../test/support/programs/run-program.ts'
import { noOverrides } from '../../domain/quota-fields.ts'
import type { User } from '../../domain/types.ts'

let host: ApiHost
let alice: { user: User; token: string }
before(async () => {
  host = await openApiHost()
  alice = await host.addUser('Alice')
})
after(() => host.close())

const page = '/repos/repos#create-a-repository-for-the-authenticated-user'

function create(body: unknown, token: string = alice.token) {
  return host.call({ method: 'POST', target: '/user/repos', token, body: JSON.stringify(body) })
}

function failed(...errors: { field: string; code: string; message?: string }[]) {
  const items = errors.map((error) => ({ resource: 'Repository', ...error }))
  return { status: 422, body: { ...errorOf(422, 'Repository creation failed.', page), errors: items } }
}

test('POST /user/repos answers 201 with the location and the whole repository', async () => {
  const { status, headers, body } = await create({ name: 'Tides', description: 'About tides', private: true })
  const repository = await host.store.repositories.findByName('alice', 'tides')
  assert.notEqual(repository, null)
  assert.deepEqual(
    { status, location: headers.location, body },
    {
      status: 201,
      location: `${host.baseUrl}/api/v3/repos/Alice/Tides`,
      body: repository && { ...repositoryOf(repository, host.baseUrl), permissions: permissions.admin },
    },
  )
})

test('POST /user/repos creates an empty repository by default', async () => {
  await create({ name: 'empty', gitignore_template: 'TeX', license_template: 'mit' })
  const lists = await Promise.all(
    ['branches', 'tags'].map((list) => host.call({ target: `/repos/Alice/empty/${list}` })),
  )
  assert.deepEqual(
    lists.map(({ status, body }) => ({ status, body })),
    [
      { status: 200, body: [] },
      { status: 200, body: [] },
    ],
  )
})

test('POST /user/repos with auto_init creates one commit of README.md, .gitignore and LICENSE', async () => {
  await create({ name: 'whole', auto_init: true, gitignore_template: 'TeX', license_template: 'MIT' })
  const repository = await host.store.repositories.findByName('alice', 'whole')
  const git = (...args: string[]) => runTestGit(host.git.gitDir(repository?.id ?? 0), args)
  assert.equal(await git('log', '--format=%an <%ae> %s', '--all'), 'Alice <noreply@127.0.0.1> Initial commit')
  assert.equal(await git('ls-tree', '--name-only', 'main'), '.gitignore\nLICENSE\nREADME.md')
  assert.equal(await git('show', 'main:README.md'), '# whole')
  assert.match(
    await git('show', 'main:LICENSE'),
    new RegExp(`^MIT License\n\nCopyright \\(c\\) ${new Date().getUTCFullYear()} Alice\n`),
  )
  assert.match(await git('show', 'main:.gitignore'), /^\*\.aux$/m)
})

test('POST /user/repos with auto_init and no template commits the README alone', async () => {
  await create({ name: 'plain', auto_init: true, gitignore_template: '', license_template: null })
  const repository = await host.store.repositories.findByName('alice', 'plain')
  const tree = await runTestGit(host.git.gitDir(repository?.id ?? 0), ['ls-tree', '--name-only', 'main'])
  assert.equal(tree, 'README.md')
})

for (const name of ['TeX', 'Node', 'VisualStudio', 'C++', 'Objective-C', 'Python', 'macOS']) {
  test(`POST /user/repos supports the gitignore template ${name}`, async () => {
    const { status } = await create({ name: `gitignore-${name.replaceAll('+', 'x')}`, gitignore_template: name })
    assert.equal(status, 201)
  })
}

for (const key of ['mit', 'apache-2.0', 'gpl-3.0', 'cc-by-4.0', 'cc0-1.0', 'lppl-1.3c', 'unlicense', 'BSD-3-Clause']) {
  test(`POST /user/repos supports the license ${key}`, async () => {
    assert.equal((await create({ name: `license-${key}`, license_template: key })).status, 201)
  })
}

const unknownGitignore = {
  field: 'gitignore_template',
  code: 'custom',
  message: 'gitignore_template is an unknown gitignore template.',
}
const unknownLicense = {
  field: 'license_template',
  code: 'custom',
  message: 'license_template is an unknown license template.',
}
const badName = { field: 'name', code: 'invalid' }
const badDescription = { field: 'description', code: 'invalid' }

const refused: readonly (readonly [title: string, body: unknown, ...errors: { field: string; code: string }[]])[] = [
  ['no name', {}, { field: 'name', code: 'missing_field' }],
  ['a null name', { name: null }, { field: 'name', code: 'missing_field' }],
  ['an empty name', { name: '' }, { field: 'name', code: 'missing_field' }],
  ['a number for a name', { name: 7 }, badName],
  ['a list for a name', { name: ['x'] }, badName],
  ['a blank in the name', { name: 'a b' }, badName],
  ['a plus in the name', { name: 'a+b' }, badName],
  ['a slash in the name', { name: 'a/b' }, badName],
  ['an accent in the name', { name: 'é' }, badName],
  ['a line end in the name', { name: 'abc\n' }, badName],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, badName],
  ['the name .', { name: '.' }, badName],
  ['the name ..', { name: '..' }, badName],
  ['a name ending in .git', { name: 'a.git' }, badName],
  ['a name ending in .wiki', { name: 'a.wiki' }, badName],
  ['a description of 501 characters', { name: 'x', description: 'x'.repeat(501) }, badDescription],
  ['a description of 501 emoji', { name: 'x', description: '\u{1F30A}'.repeat(501) }, badDescription],
  ['a control character in the description', { name: 'x', description: 'a\nb' }, badDescription],
  ['half a character in the description', { name: 'x', description: 'a\uD83C' }, badDescription],
  ['a number for a description', { name: 'x', description: 7 }, badDescription],
  ['a text for private', { name: 'x', private: 'true' }, { field: 'private', code: 'invalid' }],
  ['a number for auto_init', { name: 'x', auto_init: 1 }, { field: 'auto_init', code: 'invalid' }],
  ['an unknown gitignore template', { name: 'x', gitignore_template: 'tex' }, unknownGitignore],
  ['a gitignore template of the object prototype', { name: 'x', gitignore_template: '__proto__' }, unknownGitignore],
  ['a path for a gitignore template', { name: 'x', gitignore_template: '../licenses/mit' }, unknownGitignore],
  ['an unknown license', { name: 'x', auto_init: true, license_template: 'mine' }, unknownLicense],
  ['a number for a license', { name: 'x', license_template: 7 }, { field: 'license_template', code: 'invalid' }],
]
for (const [title, body, ...errors] of refused) {
  test(`POST /user/repos refuses ${title}`, async () => {
    const answer = await create(body)
    assert.deepEqual({ status: answer.status, body: answer.body }, failed(...errors))
  })
}

test('POST /user/repos names every invalid field at once, in the order of the documentation', async () => {
  const { status, body } = await create({
    license_template: 'mine',
    gitignore_template: 'tex',
    auto_init: 'yes',
    private: 0,
    description: 7,
  })
  assert.deepEqual(
    { status, body },
    failed(
      { field: 'name', code: 'missing_field' },
      badDescription,
      { field: 'private', code: 'invalid' },
      { field: 'auto_init', code: 'invalid' },
      unknownGitignore,
      unknownLicense,
    ),
  )
})

test('POST /user/repos names a taken name beside the other invalid fields', async () => {
  await create({ name: 'Beside' })
  const { status, body } = await create({ name: 'beside', description: 7 })
  const message = 'name already exists on this account'
  assert.deepEqual({ status, body }, failed({ field: 'name', code: 'custom', message }, badDescription))
})

test('POST /user/repos accepts a description of 500 characters outside the basic plane', async () => {
  const { status } = await create({ name: 'long', description: '\u{1F30A}'.repeat(500) })
  assert.equal(status, 201)
})

test('POST /user/repos refuses a name that the caller uses in another case, but not one of another user', async () => {
  const bob = await host.addUser('bob')
  await create({ name: 'Taken', private: true })
  const again = await create({ name: 'tAKEN' })
  const message = 'name already exists on this account'
  assert.deepEqual({ status: again.status, body: again.body }, failed({ field: 'name', code: 'custom', message }))
  assert.equal((await create({ name: 'taken' }, bob.token)).status, 201)
})

test('POST /user/repos ignores every other field, whatever its value', async () => {
  const body = `{"name":"bare","id":99,"owner":"bob","visibility":7,"homepage":[],"team_id":null,"has_wiki":"x",
    "stargazers_count":9,"created_at":"1999","__proto__":{"private":true},"constructor":{"prototype":{"polluted":1}}}`
  const answer = await host.call({ method: 'POST', target: '/user/repos', token: alice.token, body })
  const repository = await host.store.repositories.findByName('alice', 'bare')
  assert.equal(answer.status, 201)
  assert.deepEqual(
    answer.body,
    repository && { ...repositoryOf(repository, host.baseUrl), permissions: permissions.admin },
  )
  assert.equal(Object('').polluted, undefined)
  assert.equal(repository?.visibility, 'public')
})

test('POST /user/repos uses the last of two equal keys', async () => {
  const body = '{"name":"first","name":"last"}'
  const answer = await host.call({ method: 'POST', target: '/user/repos', token: alice.token, body })
  assert.equal(Object(answer.body).name, 'last')
})

const notObjects: readonly (readonly [string, string | Uint8Array])[] = [
  ['nothing', ''],
  ['blanks', '  \n'],
  ['a list', '[{"name":"x"}]'],
  ['null', 'null'],
  ['a text', '"x"'],
  ['a number', '7'],
  ['broken JSON', '{"name":"x"'],
  ['single quotes', "{'name':'x'}"],
  ['a byte order mark', '\uFEFF{"name":"x"}'],
  [
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from('{"name":"x","description":"'), Buffer.from([0xff]), Buffer.from('"}')]),
  ],
  ['a form', 'name=x'],
  ['a list of 500,000 levels', '['.repeat(500_000) + ']'.repeat(500_000)],
]
for (const [title, body] of notObjects) {
  test(`POST /user/repos answers 400 to ${title}`, async () => {
    const answer = await host.call({ method: 'POST', target: '/user/repos', token: alice.token, body })
    assert.deepEqual([answer.status, answer.body], [400, errorOf(400, 'Problems parsing JSON', page)])
  })
}

test('POST /user/repos accepts JSON under any content type', async () => {
  const answer = await host.call({
    method: 'POST',
    target: '/user/repos',
    token: alice.token,
    body: '{"name":"typed"}',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(answer.status, 201)
})

test('POST /user/repos names the invalid fields of a large body', async () => {
  const rest = Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`k${n}`, n]))
  const answer = await create({ ...rest, name: 'large', private: [{}], description: { a: 1 }, auto_init: null })
  const invalid = (field: string) => ({ resource: 'Repository', field, code: 'invalid' })
  assert.deepEqual([answer.status, Object(answer.body).errors], [422, [invalid('description'), invalid('private')]])
})

test('POST /user/repos accepts exactly 1 MiB and answers 413 to a byte more', async () => {
  const padded = (name: string, size: number) => {
    const head = `{"name":"${name}","x":"`
    return `${head}${'x'.repeat(size - head.length - 2)}"}`
  }
  const send = (body: string) => host.call({ method: 'POST', target: '/user/repos', token: alice.token, body })
  const fits = await send(padded('fits', 1_048_576))
  const over = await send(padded('over', 1_048_577))
  assert.equal(fits.status, 201)
  assert.deepEqual([over.status, over.body], [413, errorOf(413, 'Payload Too Large', page)])
})

test('POST /user/repos answers 413 to a chunked body that exceeds 1 MiB', async () => {
  const answer = await host.call({
    method: 'POST',
    target: '/user/repos',
    token: alice.token,
    headers: { 'Transfer-Encoding': 'chunked' },
    body: '['.repeat(3_000_000),
  })
  assert.deepEqual([answer.status, answer.body], [413, errorOf(413, 'Payload Too Large', page)])
})

test('POST /user/repos checks login, scope, size, JSON and fields in this order', async () => {
  const readOnly = await host.addToken(alice.user, [])
  const post = (token: string | undefined, body: string) =>
    host.call({ method: 'POST', target: '/user/repos', body, ...(token === undefined ? {} : { token }) })
  const answers = await Promise.all([
    post(undefined, 'x'.repeat(2_000_000)),
    post(readOnly, 'x'.repeat(2_000_000)),
    post(alice.token, 'x'.repeat(2_000_000)),
    post(alice.token, 'x'),
    post(alice.token, '{}'),
  ])
  assert.deepEqual(
    answers.map(({ status, body }) => [status, Object(body).message]),
    [
      [401, 'Requires authentication'],
      [403, 'Resource not accessible by personal access token'],
      [413, 'Payload Too Large'],
      [400, 'Problems parsing JSON'],
      [422, 'Repository creation failed.'],
    ],
  )
})

test('POST /user/repos by 50 clients at once creates one repository and leaves nothing else', async () => {
  const before_ = await directories()
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ name: 'race', auto_init: true })))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [201, ...Array.from({ length: 49 }, () => 422)])
  assert.equal((await directories()).length - before_.length, 1)
  assert.deepEqual(await host.store.repositories.listUnfinished({ before: Date.now() + 1 }), [])
})

async function directories(): Promise<readonly string[]> {
  const names = await readdir(join(host.dataDir, 'repositories'), { recursive: true })
  return names.filter((name) => /\d+\.git$/.test(name))
}

test('POST /user/repos answers 422 when the caller owns the maximum number of repositories', async () => {
  const owner = await host.addUser('full')
  await host.store.quotas.setOverrides(owner.user.id, { ...noOverrides, repositories: 1 })
  const first = await create({ name: 'one' }, owner.token)
  const { status, body } = await create({ name: 'two' }, owner.token)
  const { repositoryCount } = await host.store.quotas.measureOwned(owner.user.id)
  const message = 'repository quota of 1 is used up'
  assert.deepEqual(
    { first: first.status, status, body, repositoryCount },
    { first: 201, ...failed({ field: 'name', code: 'custom', message }), repositoryCount: 1 },
  )
})
