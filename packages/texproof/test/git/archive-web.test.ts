import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { commitRepeatedFolders } from '../support/git/commit-repeated-folders.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>
let bob: Awaited<ReturnType<PaperHost['addUser']>>
let checkout: Checkout
let commitId: string
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'texproof-archive-'))
  host = await openPaperHost(withoutBuilds)
  alice = await host.addUser('alice')
  bob = await host.addUser('bob')
  await host.addRepository(alice.user, 'tides')
  await host.addRepository(alice.user, 'draft', 'private')
  checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', alice.token), {
    'notes.txt': 'Of the sea.\n',
    'figs/a b.txt': 'α\n',
    'secret.txt': 'left out\n',
    'version.txt': 'commit $Format:%H$\n',
    '.gitattributes':
      'secret.txt export-ignore\nversion.txt export-subst\nnotes.txt filter=evil diff=evil\n*.txt text eol=lf\n',
  })
  await symlink('/etc/passwd', join(checkout.dir, 'link'))
  const dir = checkout.dir
  const subCommit = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('update-index', '--add', '--cacheinfo', `160000,${subCommit},sub`)
  await writeFile(join(dir, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ../none.git\n')
  await checkout.git('add', 'link', '.gitmodules')
  await checkout.git('commit', '--quiet', '--message', 'Link')
  commitId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('tag', 'v1')
  await checkout.git('push', 'origin', 'main', 'main:refs/heads/feature/ü-"x"', 'v1')
  await checkout.git('push', host.gitUrl('alice/draft.git', alice.token), 'main')
})
after(async () => {
  await host.close()
  await rm(folder, { recursive: true })
})

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
  return fetch(host.origin + path, { headers, method })
}

/** Unpacks a response and returns its folder. */
async function unpack(answer: Response, name: string): Promise<string> {
  const dir = await mkdtemp(join(folder, 'x-'))
  await writeFile(join(dir, name), Buffer.from(await answer.arrayBuffer()))
  // tar and Python read the archives of this test alike; Python reads zip on every test machine.
  const program = name.endsWith('.zip')
    ? (['python3', '-c', 'import sys,zipfile; zipfile.ZipFile(sys.argv[1]).extractall()', name] as const)
    : (['tar', '--extract', '--gzip', '--file', name] as const)
  const [command, ...args] = program
  const { exitCode, stderr } = await runProgram(command, args, { cwd: dir })
  assert.equal(exitCode, 0, stderr)
  return dir
}

async function list(dir: string): Promise<string[]> {
  const { stdout } = await runProgram('find', ['.', '-mindepth', '1', '-not', '-type', 'd', '-not', '-name', '*.gz'], {
    cwd: dir,
  })
  return stdout.trim().split('\n').toSorted()
}

const CONTENT = [
  './tides-v1/.gitattributes',
  './tides-v1/.gitmodules',
  './tides-v1/figs/a b.txt',
  './tides-v1/link',
  './tides-v1/notes.txt',
  './tides-v1/version.txt',
]

test('GET /{owner}/{repo}/archive/{tag}.tar.gz puts the files into one top folder', async () => {
  const answer = await get('/alice/tides/archive/v1.tar.gz')
  assert.deepEqual(
    ['content-type', 'content-disposition', 'cache-control', 'x-texproof-commit'].map((name) =>
      answer.headers.get(name),
    ),
    ['application/gzip', 'attachment; filename="tides-v1.tar.gz"', 'public, no-cache', commitId],
  )
  assert.deepEqual(await list(await unpack(answer, 'a.tar.gz')), CONTENT)
})

test('an archive obeys export-ignore and export-subst, runs no filter and contains symbolic links as links', async () => {
  const dir = await unpack(await get('/alice/tides/archive/v1.tar.gz'), 'a.tar.gz')
  const read = async (name: string): Promise<string> =>
    (await runProgram('cat', [`tides-v1/${name}`], { cwd: dir })).stdout
  assert.deepEqual(
    [await read('version.txt'), await read('notes.txt'), await readlink(join(dir, 'tides-v1/link'))],
    [`commit ${commitId}\n`, 'Of the sea.\n', '/etc/passwd'],
  )
})

test('GET /{owner}/{repo}/archive/{branch}.zip accepts a branch with slashes and special characters', async () => {
  const name = encodeURIComponent('feature/ü-"x"').replaceAll('%2F', '/')
  const answer = await get(`/alice/tides/archive/${name}.zip`)
  assert.deepEqual(
    [answer.status, answer.headers.get('content-disposition')],
    [200, 'attachment; filename="tides-feature-_--x-.zip"; filename*=UTF-8\'\'tides-feature-%C3%BC--x-.zip'],
  )
  const dir = await unpack(answer, 'a.zip')
  const { stdout } = await runProgram('cat', ['tides-feature-ü--x-/figs/a b.txt'], { cwd: dir })
  assert.equal(stdout, 'α\n')
})

test('an archive of a commit is cached forever, an archive of a branch is revalidated', async () => {
  const commit = await get(`/alice/tides/archive/${commitId}.zip`)
  await commit.arrayBuffer()
  const branch = await get('/alice/tides/archive/main.zip', {}, 'HEAD')
  const etag = branch.headers.get('etag') ?? ''
  const again = await get('/alice/tides/archive/main.zip', { 'if-none-match': `"other", ${etag}` })
  assert.deepEqual(
    [
      commit.headers.get('cache-control'),
      commit.headers.get('content-disposition'),
      branch.status,
      await branch.text(),
      again.status,
      await again.text(),
      etag.includes(commitId),
    ],
    [
      'private, max-age=31536000, immutable',
      `attachment; filename="tides-${commitId.slice(0, 10)}.zip"`,
      200,
      '',
      304,
      '',
      true,
    ],
  )
})

test('a private archive looks missing to others, and opens with a token', async () => {
  const paths = ['/alice/draft/archive/main.zip', '/alice/none/archive/main.zip']
  const [hidden, missing] = await Promise.all(
    paths.map(async (path) => {
      const answer = await get(path, { authorization: `Bearer ${bob.token}` })
      return [answer.status, await answer.text()]
    }),
  )
  const own = await get('/alice/draft/archive/main.zip', { authorization: `Bearer ${alice.token}` })
  await own.arrayBuffer()
  assert.deepEqual([hidden, hidden?.[0]], [missing, 404])
  assert.deepEqual([own.status, own.headers.get('cache-control')], [200, 'private, no-cache'])
})

test('an unknown ref or format of an archive is 404', async () => {
  const names = ['none.zip', 'main', 'main.rar', '.zip', '--output=x.zip', `${'0'.repeat(40)}.zip`]
  const statuses = await Promise.all(
    names.map(async (name) => (await get(`/alice/tides/archive/${encodeURIComponent(name)}`)).status),
  )
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 404])
})

test('a commit with too many files for an archive is answered with a page that says so', async () => {
  const bomb = commitRepeatedFolders(join(checkout.dir, '.git'))
  await checkout.git('push', 'origin', `${bomb}:refs/tags/bomb`)
  const answer = await get('/alice/tides/archive/bomb.zip')
  const page = await answer.text()
  const text = 'This version has too many files for an archive. Clone the repository instead.'
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), page.includes(text)],
    [404, 'text/html; charset=UTF-8', true],
  )
})

test('too many archives at once are answered with 429 until the others end', async () => {
  // Random data does not compress, so no archive fits into buffers.
  await writeFile(join(checkout.dir, 'noise.bin'), randomBytes(16e6))
  await checkout.commit({ 'a.txt': 'a\n' })
  await checkout.git('push', 'origin', 'HEAD:refs/heads/big')
  const names = ['big.tar.gz', 'big.zip', 'big.tar.gz', 'big.zip']
  const open = await Promise.all(names.map((name) => openAndWait(`/alice/tides/archive/${name}`)))
  const refused = await get('/alice/tides/archive/big.zip')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'])
  for (const stop of open) stop()
  // All slots are free again: four more requests are served at a time.
  const askAgain = async (): Promise<readonly number[]> => {
    const again = await Promise.all(names.map(() => get('/alice/tides/archive/v1.zip')))
    await Promise.all(again.map((answer) => answer.arrayBuffer()))
    return again.map(({ status }) => status)
  }
  await eventually(askAgain, { until: (statuses) => statuses.every((status) => status === 200) })
})

/** Sends a request, reads the head of the response only; call the result to disconnect. */
function openAndWait(path: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asked = request(`${host.origin}${path}`, (answer) => {
      answer.on('error', () => {}) // closed by this test
      resolve(() => asked.destroy())
    })
    asked.once('error', reject).end()
  })
}
