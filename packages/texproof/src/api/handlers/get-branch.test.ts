import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf } from '../../../test/support/expected.ts'
import { runTestGit } from '../../../test/support/programs/run-program.ts'
import { seedCommit, seedRefs } from '../../../test/support/git/seed-refs.ts'

let host: ApiHost
let gitDir: string
let parentId: string
let commitId: string
before(async () => {
  host = await openApiHost({ baseUrl: 'https://papers.example.org:8443/sub' })
  const { user } = await host.addUser('alice')
  const repository = await host.addRepository(user, 'tides')
  gitDir = host.git.gitDir(repository.id)
  parentId = await seedCommit(gitDir, 'main')
  commitId = await seedCommit(gitDir, 'main', {
    message: 'Add the moon\n\nIt pulls.\n\n',
    author: 'Älice <alice@private.example> 1700003600 -0330',
    committer: 'Bob <bob@private.example> 1700007200 +1400',
  })
  const names = ['feature/a/b', 'a%2Fb', 'a+b', '100%', 'x#1', 'x/protection', 'wave-\u{1F30A}', 'Main']
  await seedRefs(gitDir, [...names.map((name) => `refs/heads/${name}`), 'refs/tags/tagged'], commitId)
})
after(() => host.close())

function get(branch: string) {
  return host.call({ target: `/repos/Alice/Tides/branches/${branch}` })
}

test('GET /repos/{owner}/{repo}/branches/{branch} answers the branch with its commit', async () => {
  const { status, body } = await get('feature/a/b')
  const treeId = await runTestGit(gitDir, ['rev-parse', 'main^{tree}'])
  const base = 'https://papers.example.org:8443/sub'
  const api = `${base}/api/v3/repos/alice/tides`
  const email = 'noreply@papers.example.org'
  assert.equal(status, 200)
  assert.deepEqual(body, {
    name: 'feature/a/b',
    commit: {
      sha: commitId,
      commit: {
        author: { name: 'Älice', email, date: '2023-11-14T23:13:20Z' },
        committer: { name: 'Bob', email, date: '2023-11-15T00:13:20Z' },
        message: 'Add the moon\n\nIt pulls.',
        tree: { sha: treeId, url: `${api}/git/trees/${treeId}` },
        url: `${api}/git/commits/${commitId}`,
        comment_count: 0,
      },
      url: `${api}/commits/${commitId}`,
      html_url: `${base}/alice/tides/commit/${commitId}`,
      comments_url: `${api}/commits/${commitId}/comments`,
      author: null,
      committer: null,
      parents: [
        { sha: parentId, url: `${api}/commits/${parentId}`, html_url: `${base}/alice/tides/commit/${parentId}` },
      ],
    },
    _links: { self: `${api}/branches/feature/a/b`, html: `${base}/alice/tides/tree/feature/a/b` },
    protected: false,
    protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
    protection_url: `${api}/branches/feature/a/b/protection`,
  })
})

for (const [path, name] of Object.entries({
  'feature%2Fa%2Fb': 'feature/a/b',
  'feature/a%2Fb': 'feature/a/b',
  '%66eature/a/b': 'feature/a/b',
  'a%252Fb': 'a%2Fb',
  'a+b': 'a+b',
  'a%2Bb': 'a+b',
  '100%25': '100%',
  'x%231': 'x#1',
  'x/protection': 'x/protection',
  'wave-%F0%9F%8C%8A': 'wave-\u{1F30A}',
  Main: 'Main',
})) {
  test(`GET …/branches/${path} answers the branch ${name}`, async () => {
    const { status, body } = await get(path)
    assert.deepEqual([status, Object(body).name], [200, name])
  })
}

test('GET …/branches/{branch} percent-encodes the name in its links, segment by segment', async () => {
  const { body } = await get('x%231')
  assert.equal(Object(body)._links.self, `${host.baseUrl}/api/v3/repos/alice/tides/branches/x%231`)
})

for (const path of [
  'MAIN',
  'feature',
  'feature/a/b/',
  'feature//a/b',
  'feature%252Fa%252Fb',
  'heads/main',
  'refs/heads/main',
  'refs%2Fheads%2Fmain',
  'HEAD',
  'tagged',
  'main~0',
  'main%5E',
  'main%5E%7Bcommit%7D',
  'ma*',
  'main%0A',
  'main%00',
  'main%FF',
  'main%',
  '../../closed/branches/main',
  '%2e%2e%2Fmain',
  '-x',
  '--output=x',
  '@',
  'a%20b',
]) {
  test(`GET …/branches/${path} answers 404`, async () => {
    const { status, body } = await get(path)
    assert.deepEqual([status, Object(body).message, Object(body).status], [404, 'Not Found', '404'])
  })
}

test('GET …/branches/{branch} does not accept a commit id', async () => {
  const { status, body } = await get(commitId)
  assert.deepEqual([status, body], [404, errorOf(404, 'Not Found', '/branches/branches#get-a-branch')])
})

test('GET …/branches/{branch} reads a message in a legacy encoding', async () => {
  const tree = await runTestGit(gitDir, ['rev-parse', 'main^{tree}'])
  const person = 'Alice <a@b.example> 1700000000 +0000'
  const head = `tree ${tree}\nauthor ${person}\ncommitter ${person}\nencoding ISO-8859-1\n\n`
  // \x80-free Latin-1, written by printf: as a string it would become two bytes of UTF-8.
  const id = await runTestGit(gitDir, [
    '-c',
    `alias.legacy=!f() { printf '${head.replaceAll('\n', '\\n')}caf\\351\\n' | git hash-object -t commit -w --stdin; }; f`,
    'legacy',
  ])
  await seedRefs(gitDir, ['refs/heads/legacy'], id)
  const { body } = await get('legacy')
  assert.equal(Object(body).commit.commit.message, 'café')
})
