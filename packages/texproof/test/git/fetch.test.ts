/** Real clients that list, clone and fetch, in every version of the git protocol. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer, request, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { encodePktLine } from '../../src/git/protocol/pkt-line.ts'
import { createSmartHttpListener } from '../../src/smart-http/listener.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { listChildren } from '../support/programs/list-processes.ts'
import { runProgram, runTestGit } from '../support/programs/run-program.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

let host: PaperHost
let gitDir: string
let url: string
let author: Checkout

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const alice = await host.addUser('alice')
  const repository = await host.addRepository(alice.user, 'tides')
  gitDir = host.deps.git.gitDir(repository.id)
  url = host.gitUrl('alice/tides.git', alice.token)
  author = await host.makeCheckout(url, { 'notes.txt': 'The tide rises.\n' })
  await author.git('push', 'origin', 'main', 'main:topic/a')
  await author.git('tag', '--annotate', '--message', 'First', 'v1')
  await author.git('push', 'origin', 'v1')
})

after(() => host.close())

for (const version of ['0', '1', '2']) {
  const client = (...args: readonly string[]) =>
    runProgram('git', ['-c', `protocol.version=${version}`, ...args], {
      env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' },
    })

  test(`git ls-remote lists the refs of the repository in protocol version ${version}`, async () => {
    const { stdout } = await client('ls-remote', '--symref', url)
    assert.equal(stdout.trimEnd(), await runTestGit('/', ['ls-remote', '--symref', gitDir]))
  })

  test(`git ls-remote lists the refs that match a pattern in protocol version ${version}`, async () => {
    const { stdout } = await client('ls-remote', url, 'refs/heads/topic/*', 'v1')
    assert.equal(stdout.trimEnd(), await runTestGit('/', ['ls-remote', gitDir, 'refs/heads/topic/*', 'v1']))
  })

  test(`git clone and git fetch get what was pushed in protocol version ${version}`, async () => {
    const dir = `${author.dir}-v${version}`
    const cloned = await client('clone', '--quiet', url, dir)
    const commitId = await author.commit({ 'notes.txt': `Version ${version}.\n` })
    await author.git('push', 'origin', 'main')
    const fetched = await client('-C', dir, 'fetch', '--quiet')
    const again = await client('-C', dir, 'fetch', '--quiet')
    const head = await runTestGit(dir, ['rev-parse', 'origin/main'])
    assert.deepEqual([cloned.exitCode, fetched.exitCode, again.exitCode, head], [0, 0, 0, commitId])
  })

  test(`a clone without files fetches those of its working tree in protocol version ${version}`, async () => {
    const dir = `${author.dir}-partial-v${version}`
    const cloned = await client('clone', '--quiet', '--filter=blob:none', url, dir)
    assert.deepEqual([cloned.exitCode, await readdir(dir)], [0, ['.git', 'notes.txt']], cloned.stderr)
  })

  test(`git fetch gets a commit that no branch names in protocol version ${version}`, async () => {
    const dir = `${author.dir}-commit-v${version}`
    const commitId = await author.commit({ 'notes.txt': `Replaced in version ${version}.\n` })
    await author.git('push', 'origin', 'main:replaced')
    await author.git('push', '--force', 'origin', 'main~1:replaced')
    await runTestGit('/', ['init', '--quiet', dir])
    const fetched = await client('-C', dir, 'fetch', '--quiet', '--depth=1', url, commitId)
    assert.deepEqual([fetched.exitCode, await runTestGit(dir, ['rev-parse', 'FETCH_HEAD'])], [0, commitId])
  })
}

test('a new repository can be cloned while it is empty', async () => {
  const { user, token } = await host.addUser('bob')
  await host.addRepository(user, 'empty')
  const dir = `${author.dir}-empty`
  const { exitCode, stderr } = await runProgram('git', ['clone', host.gitUrl('bob/empty.git', token), dir])
  assert.deepEqual([exitCode, /You appear to have cloned an empty repository/.test(stderr)], [0, true])
  assert.equal(await runTestGit(dir, ['symbolic-ref', 'HEAD']), 'refs/heads/main')
})

test('a fetch that waits for its turn for longer than the idle timeout is served', async (context) => {
  const idleTimeoutMs = 500
  const server = createServer(
    createSmartHttpListener(host.deps, { fetchesPerUser: 1, keepAliveMs: 20, idleTimeoutMs }),
  ).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { username, password, pathname } = new URL(url)
  const open = (): ClientRequest =>
    request(`http://127.0.0.1:${port}${pathname}/git-upload-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${username}:${password}`)}`,
        'content-type': 'application/x-git-upload-pack-request',
        'git-protocol': 'version=2',
      },
    })
  const first = open().on('error', () => {})
  first.write(Buffer.concat([encodePktLine('command=fetch'), Buffer.from('fff0')]))
  await eventually(() => listChildren('upload-pack'), { until: (running) => running.length === 1 })
  const second = open()
  second.end(Buffer.concat([encodePktLine('command=ls-refs'), Buffer.from('00010000')]))
  const answered = once(second, 'response')
  answered.catch(() => {}) // awaited below
  for (const end = performance.now() + 3 * idleTimeoutMs; performance.now() < end; await delay(20)) first.write('x')
  first.destroy()
  const [response] = (await answered) as [NodeJS.ReadableStream]
  assert.match(await text(response), / refs\/heads\/main\n/)
})

for (const version of ['0', '2'])
  test(`a fetch from a repository that is missing on disk in protocol version ${version} is an error of the server`, async () => {
    const { user, token } = await host.addUser(`carol${version}`)
    const repository = await host.addRepository(user, 'lost')
    rmSync(host.deps.git.gitDir(repository.id), { recursive: true })
    const lost = host.gitUrl(`carol${version}/lost.git`, token)
    const { exitCode, stderr } = await runProgram('git', ['-c', `protocol.version=${version}`, 'ls-remote', lost])
    assert.deepEqual([exitCode, /returned error: 500/.test(stderr)], [128, true])
  })
