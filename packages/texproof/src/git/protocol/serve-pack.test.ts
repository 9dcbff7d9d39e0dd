/**
 * Real clients over a minimal bridge from HTTP to `servePack`, without the host's own checks: what git itself allows.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { createGunzip } from 'node:zlib'

import { git, initialCommit, makeTestFolder, openTestStore } from '../../../test/support/git/git-repository.ts'
import { encodePktLine, encodeServiceHeader, flushPkt } from './pkt-line.ts'
import type { GitStore } from '../types.ts'

interface BridgeOptions {
  readonly maxInputBytes?: number
  readonly admit?: () => Promise<boolean>
}

/** A server for repository 1, and a clone of it to work in. */
async function openBridge(t: TestContext, options: BridgeOptions = {}) {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const server = createServer((request, response) => {
    const kind = request.method === 'GET' ? 'advertisement' : 'result'
    response.setHeader('Content-Type', `application/x-${serviceOf(request)}-${kind}`)
    void answer(store, request, options).then(async (body) => {
      for await (const chunk of body) response.write(chunk)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => server.close(resolve)))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1.git`
  const folder = makeTestFolder(t)
  await run(folder, ['clone', '--quiet', url, 'clone'])
  return { store, root, url, folder, clone: path.join(folder, 'clone'), gitDir: store.gitDir(1) }
}

async function answer(
  store: GitStore,
  request: IncomingMessage,
  { maxInputBytes = 50_000_000, admit }: BridgeOptions,
): Promise<Readable> {
  const service = serviceOf(request) === 'git-receive-pack' ? 'receive-pack' : 'upload-pack'
  const advertise = request.method === 'GET'
  const protocol = String(request.headers['git-protocol'] ?? '')
  const serve = { service, advertise, protocol, maxInputBytes, signal: new AbortController().signal } as const
  const input = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  if (advertise) {
    const served = store.servePack(1, serve)
    return Readable.from([Buffer.concat([encodeServiceHeader(service, protocol), await buffer(served.stdout)])])
  }
  return exchange(store, service === 'upload-pack' || admit === undefined ? serve : { ...serve, admit }, input)
}

function serviceOf(request: IncomingMessage): string {
  return /git-(?:upload|receive)-pack/.exec(request.url ?? '')?.[0] ?? ''
}

function exchange(store: GitStore, serve: Parameters<GitStore['servePack']>[1], input: Readable) {
  const served = store.servePack(1, serve)
  input.pipe(served.stdin)
  return served.stdout
}

/** A repository, its commit, and a pack of nothing. */
async function openPack(t: TestContext) {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const gitDir = store.gitDir(1)
  const pack = execFileSync('git', ['-C', gitDir, 'pack-objects', '--stdout', '--quiet'], { input: '' })
  return { store, gitDir, commitId: git(gitDir, ['rev-parse', 'main']), pack }
}

/** Runs a client without blocking the server in the same process; returns its exit code and standard error. */
async function run(folder: string, args: readonly string[]): Promise<{ exitCode: number; stderr: string }> {
  const environment = {
    PATH: process.env['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  }
  return new Promise((resolve) => {
    execFile('git', ['-C', folder, ...args], { env: environment, maxBuffer: 1e8 }, (error, _stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stderr })
    })
  })
}

function commitFile(clone: string, name: string, content: string | Buffer): string {
  writeFileSync(path.join(clone, name), content)
  git(clone, ['add', '--all'])
  git(clone, ['commit', '--quiet', '--message', `Add ${name}`])
  return git(clone, ['rev-parse', 'HEAD'])
}

test('servePack() serves a clone and accepts a push', async (t) => {
  const { store, clone, folder, url, gitDir } = await openBridge(t)
  const commitId = commitFile(clone, 'intro.tex', 'Intro')
  const push = await run(clone, ['push', 'origin', 'main', 'main:feature/a'])
  assert.equal(push.exitCode, 0, push.stderr)
  assert.deepEqual(await store.listBranches(1), [
    { name: 'feature/a', commitId },
    { name: 'main', commitId },
  ])
  assert.equal((await run(folder, ['clone', '--quiet', '--depth=1', '--branch=feature/a', url, 'again'])).exitCode, 0)
  assert.equal(git(gitDir, ['fsck', '--full', '--strict']), '')
})

for (const version of ['0', '1', '2']) {
  test(`servePack() speaks protocol version ${version}`, async (t) => {
    const { clone, url } = await openBridge(t)
    commitFile(clone, 'a.tex', 'a')
    const push = await run(clone, ['-c', `protocol.version=${version}`, 'push', 'origin', 'main'])
    const fetch = await run(clone, ['-c', `protocol.version=${version}`, 'ls-remote', url])
    assert.deepEqual([push.exitCode, fetch.exitCode], [0, 0], push.stderr + fetch.stderr)
  })
}

test('pushed objects can be read immediately, including by a reader that is already running', async (t) => {
  const { store, clone } = await openBridge(t)
  const messages: (string | undefined)[] = []
  for (const name of ['one.tex', 'two.tex', 'three.tex']) {
    const commitId = commitFile(clone, name, name)
    assert.equal(await store.findCommit(1, commitId), null)
    await run(clone, ['push', 'origin', 'main'])
    messages.push((await store.findCommit(1, commitId))?.message)
    await store.maintain(1)
  }
  assert.deepEqual(messages, ['Add one.tex', 'Add two.tex', 'Add three.tex'])
})

test('git itself refuses refs other than branches and tags', async (t) => {
  const { clone, gitDir } = await openBridge(t)
  commitFile(clone, 'a.tex', 'a')
  const { exitCode, stderr } = await run(clone, ['push', 'origin', 'main:refs/evil/x'])
  assert.equal(exitCode, 1, stderr)
  assert.equal(git(gitDir, ['for-each-ref', 'refs/evil']), '')
})

test('a push over the limit is refused and leaves nothing', async (t) => {
  const { clone, gitDir } = await openBridge(t, { maxInputBytes: 20_000 })
  commitFile(clone, 'random', randomBytes(60_000))
  const { exitCode, stderr } = await run(clone, ['push', 'origin', 'main'])
  assert.equal(exitCode, 1, stderr)
  assert.match(stderr, /pack exceeds maximum allowed size/)
  assert.deepEqual(
    readdirSync(path.join(gitDir, 'objects')).filter((name) => name.startsWith('tmp_')),
    [],
  )
})

test('servePack() asks once the whole push has arrived, before a ref moves, and refuses what is not admitted', async (t) => {
  const seen: unknown[] = []
  const answers = [async () => false, () => Promise.reject(new Error('no database')), async () => true]
  const bridge = await openBridge(t, {
    admit: async () => {
      seen.push((await bridge.store.findBranch(1, 'next')) === null)
      return (answers[seen.length - 1] ?? assert.fail)()
    },
  })
  const commitId = commitFile(bridge.clone, 'random', randomBytes(200_000))
  const exitCodes: number[] = []
  for (const _ of answers) exitCodes.push((await run(bridge.clone, ['push', 'origin', 'main:next'])).exitCode)
  assert.deepEqual(
    [seen, exitCodes],
    [
      [true, true, true],
      [1, 1, 0],
    ],
  )
  assert.equal((await bridge.store.findBranch(1, 'next'))?.commitId, commitId)
})

test('a push of many new refs is acknowledged when they are packed and synced', async (t) => {
  const { store, gitDir, commitId, pack } = await openPack(t)
  const names = Array.from({ length: 60 }, (_, index) => `refs/heads/topic/${String(index).padStart(2, '0')}`)
  const lines = names.map(
    (name, index) => `${'0'.repeat(40)} ${commitId} ${name}${index === 0 ? '\0 report-status' : ''}`,
  )
  const served = store.servePack(1, {
    service: 'receive-pack',
    advertise: false,
    protocol: null,
    maxInputBytes: 1e6,
    newRefs: names.length,
    signal: new AbortController().signal,
  })
  served.stdin.end(Buffer.concat([...lines.map(encodePktLine), flushPkt, pack]))
  const [report, { exitCode }] = await Promise.all([text(served.stdout), served.exit])
  const packed = readFileSync(path.join(gitDir, 'packed-refs'), 'utf8')
  assert.deepEqual(
    [exitCode, report.match(/ok refs\/heads\/topic/g)?.length, packed.match(/refs\/heads\/topic/g)?.length],
    [0, 60, 60],
  )
  assert.deepEqual(readdirSync(path.join(gitDir, 'refs/heads')), [])
})

test('servePack() asks about a push that only deletes', async (t) => {
  const { clone, store } = await openBridge(t, { admit: async () => false })
  git(store.gitDir(1), ['branch', 'old', 'main'])
  const { exitCode, stderr } = await run(clone, ['push', 'origin', ':old'])
  assert.deepEqual([exitCode, /pre-receive hook declined/.test(stderr)], [1, true])
  assert.notEqual(await store.findBranch(1, 'old'), null)
})

const malformedTrees = {
  'dot-git': '.git',
  'upper-case dot-git': '.GIT',
  'short dot-git': 'git~1',
  'two dots': '..',
  'invisible dot-git': '.g\u200cit',
}

for (const [what, name] of Object.entries(malformedTrees)) {
  test(`a push of a tree with a ${what} entry is refused`, async (t) => {
    const { clone } = await openBridge(t)
    const blob = git(clone, ['hash-object', '-w', '--stdin'], { input: 'x' })
    const raw = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')])
    const tree = git(clone, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], { input: raw })
    git(clone, ['update-ref', 'refs/heads/evil', git(clone, ['commit-tree', '-m', 'evil', tree])])
    const { exitCode, stderr } = await run(clone, ['push', 'origin', 'evil'])
    assert.equal(exitCode, 1, stderr)
    assert.match(stderr, /fsck error|unpacker error|index-pack/)
  })
}

test('an old history with zero-padded modes and an unusual time zone is accepted', async (t) => {
  const { clone } = await openBridge(t)
  const blob = git(clone, ['hash-object', '-w', '--stdin'], { input: 'x' })
  const inner = git(clone, ['mktree'], { input: `100644 blob ${blob}\ta.tex\n` })
  const raw = Buffer.concat([Buffer.from('040000 dir\0'), Buffer.from(inner, 'hex')])
  const tree = git(clone, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], { input: raw })
  const text = `tree ${tree}\nauthor A <a@x> 012 +051800\ncommitter A <a@x>1 +0000\n\nold\n`
  const commit = git(clone, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], { input: text })
  git(clone, ['update-ref', 'refs/heads/old', commit])
  const { exitCode, stderr } = await run(clone, ['push', 'origin', 'old'])
  assert.equal(exitCode, 0, stderr)
})

test('a clone without blobs is served, an expensive filter is not', async (t) => {
  const { url, folder } = await openBridge(t)
  const cheap = await run(folder, ['clone', '--quiet', '--bare', '--filter=blob:none', url, 'cheap'])
  const costly = await run(folder, ['clone', '--quiet', '--bare', '--filter=tree:5', url, 'costly'])
  assert.deepEqual([cheap.exitCode, costly.exitCode], [0, 128], cheap.stderr)
})

test('of many concurrent pushes to one branch exactly one wins', async (t) => {
  const { url, folder, store, gitDir } = await openBridge(t)
  const clones = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      await run(folder, ['clone', '--quiet', url, `c${index}`])
      commitFile(path.join(folder, `c${index}`), 'race.tex', `${index}`)
      return path.join(folder, `c${index}`)
    }),
  )
  const pushes = await Promise.all(clones.map((clone) => run(clone, ['push', 'origin', 'main'])))
  const winners = clones.filter((_, index) => pushes[index]?.exitCode === 0)
  assert.equal(winners.length, 1)
  assert.equal((await store.findBranch(1, 'main'))?.commitId, git(winners[0] ?? '', ['rev-parse', 'HEAD']))
  assert.equal(git(gitDir, ['fsck', '--full', '--no-dangling']), '')
})

test('concurrent pushes to different branches all win, even during maintenance', async (t) => {
  const { url, folder, store } = await openBridge(t)
  const pushes = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      await run(folder, ['clone', '--quiet', url, `c${index}`])
      commitFile(path.join(folder, `c${index}`), 'race.tex', `${index}`)
      const push = await run(path.join(folder, `c${index}`), ['push', 'origin', `main:branch-${index}`])
      await store.maintain(1)
      return push.exitCode
    }),
  )
  assert.deepEqual(pushes, Array<number>(8).fill(0))
  assert.equal((await store.listBranches(1)).length, 9)
})

test('servePack() ends git when its signal aborts, and git leaves no quarantine', async (t) => {
  const { store, gitDir } = await openBridge(t)
  const abort = new AbortController()
  const served = store.servePack(1, {
    service: 'receive-pack',
    advertise: false,
    protocol: null,
    maxInputBytes: 1e6,
    signal: abort.signal,
  })
  served.stdin.write(Buffer.from(`0067${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/x\0 report-status0000PACK`))
  abort.abort()
  assert.equal((await served.exit).exitCode, 128)
  assert.deepEqual(
    readdirSync(path.join(gitDir, 'objects')).filter((name) => name.startsWith('tmp_')),
    [],
  )
})

test('servePack() of an absent repository ends with an error and no output', async (t) => {
  const { store } = await openTestStore(t)
  const served = store.servePack(9, {
    service: 'upload-pack',
    advertise: true,
    protocol: null,
    maxInputBytes: 1,
    signal: new AbortController().signal,
  })
  assert.equal(await text(served.stdout), '')
  assert.equal((await served.exit).exitCode, 128)
})
