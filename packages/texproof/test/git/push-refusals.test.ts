/** Pushes refused in whole or in part: git's own report says so, ref by ref. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, request, type ClientRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, mock, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import type { Repository } from '../../src/domain/types.ts'
import { encodePktLine, flushPkt } from '../../src/git/protocol/pkt-line.ts'
import { createSmartHttpListener } from '../../src/smart-http/listener.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { listChildren } from '../support/programs/list-processes.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const MAX_PUSH_BYTES = 2_000_000
const zero = '0'.repeat(40)

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>
let bob: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost({ ...withoutBuilds, maxPushBytes: MAX_PUSH_BYTES })
  alice = await host.addUser('alice')
  bob = await host.addUser('bob')
})

afterEach(() => mock.restoreAll())
after(() => host.close())

async function openCheckout(name: string): Promise<{ repository: Repository; checkout: Checkout }> {
  const repository = await host.addRepository(alice.user, name)
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, alice.token), { 'a.txt': 'a' })
  return { repository, checkout }
}

/** Branches and tags of a repository, as full names. */
async function refsOf({ id }: Repository): Promise<readonly string[]> {
  const { git } = host.deps
  const branches = (await git.listBranches(id)).map(({ name }) => `refs/heads/${name}`)
  return [...branches, ...(await git.listTags(id)).map(({ name }) => `refs/tags/${name}`)]
}

/** The lines of git's table of refs, `[remote rejected] a -> b (reason)`, without their padding. */
function rejectedLines(stderr: string): string[] {
  return [...stderr.matchAll(/^ ! (.+)$/gm)].map(([, line = '']) => line.replaceAll(/ +/g, ' '))
}

test('the default branch cannot be deleted, with what to do instead of the settings of git', async () => {
  const { checkout } = await openCheckout('kept')
  await checkout.git('push', 'origin', 'main')
  const { stderr } = await checkout.git('push', 'origin', ':main')
  const lines = stderr
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.trimEnd())
  const reason = 'it is the default branch; first choose another default branch in the repository settings'
  assert.deepEqual(
    [lines, rejectedLines(stderr)],
    [['remote: error: refusing to delete the current branch: refs/heads/main'], [`[remote rejected] main (${reason})`]],
  )
})

/** A push of everything in a checkout to a new branch, as sent by git. */
async function encodePush(checkout: Checkout, branch = 'main', capabilities = 'report-status'): Promise<Buffer> {
  const head = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('bundle', 'create', 'all.bundle', 'HEAD')
  const bundle = await readFile(join(checkout.dir, 'all.bundle'))
  const command = encodePktLine(`${zero} ${head} refs/heads/${branch}\0${capabilities}`)
  return Buffer.concat([command, flushPkt, bundle.subarray(bundle.indexOf('PACK'))])
}

function openPush(repository: Repository, token: string, origin = host.origin): ClientRequest {
  return request(`${origin}/alice/${repository.name}.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
    },
  })
}

/** Opens a listener of its own on the host, which ends with the test. Returns its origin. */
async function openListener(
  context: TestContext,
  ...options: Parameters<typeof createSmartHttpListener>
): Promise<string> {
  const server = createServer(createSmartHttpListener(...options)).listen(0, '127.0.0.1')
  context.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

async function answerOf(push: ClientRequest): Promise<string> {
  const [response] = (await once(push, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
  return `${response.statusCode} ${await text(response)}`
}

interface LostRight {
  readonly name: string
  /** Creates a token that may push, and a function that revokes the permission. */
  readonly prepare: (repository: Repository) => Promise<{ token: string; lose: () => Promise<unknown> }>
  readonly reason: RegExp
}

const lostRights: readonly LostRight[] = [
  {
    name: 'a revoked token',
    prepare: async () => {
      const token = await host.addToken(alice.user, ['repo:write'])
      const [newest] = await host.deps.store.tokens.listOfUser(alice.user.id)
      return { token, lose: () => host.deps.store.tokens.remove(newest?.id ?? 0, { userId: alice.user.id }) }
    },
    reason: /invalid or has expired/,
  },
  {
    name: 'a token that expires',
    prepare: async () => {
      const expiresAt = Date.now() + 3_600_000
      const token = await host.addToken(alice.user, ['repo:write'], expiresAt)
      return { token, lose: async () => void mock.method(Date, 'now', () => expiresAt) }
    },
    reason: /invalid or has expired/,
  },
  {
    name: 'a collaborator who may only read any more',
    prepare: async ({ id }) => {
      const { repositories } = host.deps.store
      await repositories.setCollaborator(id, bob.user.id, 'push')
      return { token: bob.token, lose: () => repositories.setCollaborator(id, bob.user.id, 'pull') }
    },
    reason: /do not have write access to/,
  },
  {
    name: 'a disabled user',
    prepare: async () => {
      const { user, token } = await host.addUser('carol')
      const { repositories, users } = host.deps.store
      const repository = await repositories.findByName('alice', 'lost-3')
      await repositories.setCollaborator(repository?.id ?? 0, user.id, 'push')
      return { token, lose: () => users.setDisabled(user.id, true) }
    },
    reason: /invalid or has expired/,
  },
  {
    name: 'an archived repository',
    prepare: async ({ id }) => ({
      token: alice.token,
      lose: () => host.deps.store.repositories.change(id, { isArchived: true }),
    }),
    reason: /is archived/,
  },
  {
    name: 'a disabled repository',
    prepare: async ({ id }) => ({
      token: alice.token,
      lose: () => host.deps.store.repositories.change(id, { isDisabled: true, disabledReason: 'too large' }),
    }),
    reason: /was disabled by an administrator/,
  },
  {
    name: 'a token whose scope is lowered',
    prepare: async () => {
      const token = await host.addToken(alice.user, ['repo:write'])
      const [newest] = await host.deps.store.tokens.listOfUser(alice.user.id)
      return { token, lose: async () => removeScopes(newest?.id ?? 0) }
    },
    reason: /requires the repo:write scope/,
  },
]

/** No operation exists for this: changes the database like an administrator with a shell. */
function removeScopes(tokenId: number): void {
  const database = new DatabaseSync(join(host.deps.config.dataDir, 'texproof.db'), { timeout: 60_000 })
  database.prepare("update token set scopes = '' where id = ?").run(tokenId)
  database.close()
}

for (const [at, { name, prepare, reason }] of lostRights.entries()) {
  test(`${name} moves no ref, whatever bytes follow the pack`, async () => {
    const { repository, checkout } = await openCheckout(`lost-${at}`)
    const bytes = await encodePush(checkout)
    const { token, lose } = await prepare(repository)
    const push = openPush(repository, token)
    const answer = answerOf(push)
    push.write(bytes.subarray(0, -8))
    await eventually(() => listChildren('receive-pack'), { until: (running) => running.length === 1 })
    await lose()
    push.write(bytes.subarray(-8))
    await delay(150)
    push.end('x')
    // On a busy machine git reads the last byte with the pack, and refuses that.
    const refused = `000eunpack ok\\n.{4}ng refs/heads/main [^\\n]*${reason.source}|0024unpack index-pack abnormal exit\\n`
    assert.match(await answer, new RegExp(`^200 (?:${refused})`))
    assert.deepEqual(await refsOf(repository), [])
  })
}

test('a push with a token revoked during the push says so', async (context) => {
  const { repository, checkout } = await openCheckout('told')
  const token = await host.addToken(alice.user, ['repo:write'])
  const [newest] = await host.deps.store.tokens.listOfUser(alice.user.id)
  // Both requests are authorized; the token is revoked while git reads the pack.
  const admitted = { ...host.deps, git: { ...host.deps.git, servePack: revoking } }
  function revoking(...[id, options]: Parameters<typeof host.deps.git.servePack>) {
    const { admit } = options
    if (admit === undefined) return host.deps.git.servePack(id, options)
    const revokeAndAsk = async (): Promise<boolean> => {
      await host.deps.store.tokens.remove(newest?.id ?? 0, { userId: alice.user.id })
      return admit()
    }
    return host.deps.git.servePack(id, { ...options, admit: revokeAndAsk })
  }
  const { host: address } = new URL(await openListener(context, admitted))
  const url = `http://git:${token}@${address}/alice/told.git`
  const { exitCode, stderr } = await checkout.git('push', url, 'main', 'main:next')
  assert.deepEqual(
    [exitCode, rejectedLines(stderr), /remote: Create a new one under Settings, Access tokens\./.test(stderr)],
    [
      1,
      ['main', 'next'].map(
        (name) => `[remote rejected] main -> ${name} (This access token is invalid or has expired.)`,
      ),
      true,
    ],
  )
  assert.deepEqual(await refsOf(repository), [])
})

test('a token that is revoked while its push waits for another server moves no ref', async () => {
  const { repository, checkout } = await openCheckout('locked')
  const token = await host.addToken(alice.user, ['repo:write'])
  const { repositoryLocks, tokens } = host.deps.store
  const [newest] = await tokens.listOfUser(alice.user.id)
  const acquire = repositoryLocks.acquire.bind(repositoryLocks)
  mock.method(repositoryLocks, 'acquire', async (entry: Parameters<typeof acquire>[0]) => {
    await tokens.remove(newest?.id ?? 0, { userId: alice.user.id })
    return acquire(entry)
  })
  const { stderr } = await checkout.git('push', host.gitUrl('alice/locked.git', token), 'main')
  assert.deepEqual(
    [rejectedLines(stderr), await refsOf(repository)],
    [['[remote rejected] main -> main (This access token is invalid or has expired.)'], []],
  )
})

test('a mirror push stores branches and tags, and refuses each other ref', async () => {
  const { repository, checkout } = await openCheckout('mirror')
  const refs = [
    'refs/heads/next',
    'refs/tags/v1',
    'refs/pull/1/head',
    'refs/remotes/upstream/main',
    'refs/notes/commits',
  ]
  for (const ref of refs) await checkout.git('update-ref', ref, 'HEAD')
  const { exitCode, stderr } = await checkout.git('push', '--mirror', 'origin')
  const reason = '(only branches (refs/heads/) and tags (refs/tags/) can be pushed)'
  assert.deepEqual(
    [exitCode, rejectedLines(stderr).toSorted(), await refsOf(repository)],
    [
      1,
      refs
        .slice(2)
        .map((ref) => ref.replace('refs/remotes/', ''))
        .map((ref) => `[remote rejected] ${ref} -> ${ref} ${reason}`)
        .toSorted(),
      ['refs/heads/main', 'refs/heads/next', 'refs/tags/v1'],
    ],
  )
})

test('an atomic push updates nothing when one ref is refused', async () => {
  const { repository, checkout } = await openCheckout('atomic')
  const { exitCode, stderr } = await checkout.git('push', '--atomic', 'origin', 'main', 'main:refs/pull/1/head')
  assert.deepEqual(
    [exitCode, rejectedLines(stderr), await refsOf(repository)],
    [
      1,
      [
        '[remote rejected] main -> main (atomic push failed: another ref was rejected)',
        '[remote rejected] main -> refs/pull/1/head (only branches (refs/heads/) and tags (refs/tags/) can be pushed)',
      ],
      [],
    ],
  )
})

test('a push that deletes a branch and updates a refused ref deletes the branch', async () => {
  const { repository, checkout } = await openCheckout('deletes')
  await checkout.git('push', 'origin', 'main', 'main:old')
  await checkout.commit({ 'large.bin': randomBytes(300_000).toString('base64') })
  const { exitCode, stderr } = await checkout.git('push', 'origin', ':old', 'main:refs/pull/1/head')
  assert.deepEqual([exitCode, rejectedLines(stderr).length, await refsOf(repository)], [1, 1, ['refs/heads/main']])
})

test('a ref name that is not UTF-8 is refused alone and printed byte by byte', async () => {
  const { repository, checkout } = await openCheckout('latin')
  const commitId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await writeFile(join(checkout.dir, '.git/packed-refs'), Buffer.from(`${commitId} refs/heads/caf\xe9\n`, 'latin1'))
  const stderr = await new Promise<string>((resolve) => {
    const args = ['-C', checkout.dir, '-c', 'core.quotePath=false', 'push', 'origin', 'refs/heads/*:refs/heads/*']
    execFile('git', args, { encoding: 'latin1' }, (_error, _stdout, output) => resolve(output))
  })
  assert.deepEqual(rejectedLines(stderr), ['[remote rejected] caf\xe9 -> caf\xe9 (the name is not UTF-8)'])
  assert.deepEqual(await refsOf(repository), ['refs/heads/main'])
})

test('a push of more than 20,000 refs is refused ref by ref', async (context) => {
  const { repository } = await openCheckout('crowd')
  // Without a git client, which needs half a minute to read the response.
  const names = Array.from({ length: 20_001 }, (_, at) => `refs/heads/b${at}`)
  const [first = '', ...others] = names.map((name) => `${zero} ${'a'.repeat(40)} ${name}`)
  const config = { ...host.deps.config, maxPushBytes: 50e6 }
  const push = openPush(repository, alice.token, await openListener(context, { ...host.deps, config }))
  const answer = answerOf(push)
  push.end(Buffer.concat([...[`${first}\0report-status`, ...others].map(encodePktLine), flushPkt]))
  const lines = (await answer).split('\n').map((line) => line.replace(/^[0-9a-f]{4}/, ''))
  const reason = 'one push can change at most 20,000 branches and tags'
  assert.deepEqual(lines.slice(1), [...names.map((name) => `ng ${name} ${reason}`), ''])
})

test('an endless list of refs is refused in the first line of the report', async (context) => {
  const { repository } = await openCheckout('endless')
  const line = encodePktLine(`${zero} ${'a'.repeat(40)} refs/heads/${'x'.repeat(60_000)}\0report-status`)
  const more = encodePktLine(`${zero} ${'a'.repeat(40)} refs/heads/${'x'.repeat(60_000)}`)
  const config = { ...host.deps.config, maxPushBytes: 50e6 }
  const push = openPush(repository, alice.token, await openListener(context, { ...host.deps, config }))
  const answer = answerOf(push)
  push.end(Buffer.concat([line, ...Array.from({ length: 200 }, () => more), flushPkt]))
  assert.match(await answer, /^200 .{4}unpack one push can change at most 20,000 branches and tags\n/)
})

test('a branch or tag whose name conflicts with another is refused, naming the other', async () => {
  const { checkout } = await openCheckout('conflicting')
  await checkout.git('push', 'origin', 'main', 'main:feature', 'main:topic/a', 'main:refs/tags/v1/a')
  const pushed = await checkout.git('push', 'origin', 'main:feature/b', 'main:topic', 'main:refs/tags/v1', 'main:new')
  assert.deepEqual(
    [pushed.exitCode, rejectedLines(pushed.stderr).toSorted()],
    [
      1,
      [
        '[remote rejected] main -> feature/b (conflicts with the branch feature: a branch and a folder of branches cannot have the same name)',
        '[remote rejected] main -> topic (conflicts with the branch topic/a: a branch and a folder of branches cannot have the same name)',
        '[remote rejected] main -> v1 (conflicts with the tag v1/a: a tag and a folder of tags cannot have the same name)',
      ],
    ],
  )
})

test('a push over the limit is refused with the limit', async () => {
  const { repository, checkout } = await openCheckout('large')
  await checkout.commit({ 'large.bin': randomBytes(2 * MAX_PUSH_BYTES).toString('base64') })
  const { exitCode, stderr } = await checkout.git('push', 'origin', 'main')
  assert.deepEqual(
    [exitCode, rejectedLines(stderr), await refsOf(repository)],
    [1, ['[remote rejected] main -> main (The request is larger than this server accepts (2000000 bytes).)'], []],
  )
})

test('a push over the limit gets its report on a connection that closes, even if it reads nothing before the end', async () => {
  const { checkout } = await openCheckout('closing')
  await checkout.commit({ 'large.bin': randomBytes(8 * MAX_PUSH_BYTES).toString('base64') })
  const body = await encodePush(checkout)
  const head = [
    'POST /alice/closing.git/git-receive-pack HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/x-git-receive-pack-request',
    `Authorization: Basic ${btoa(`x:${alice.token}`)}`,
    `Content-Length: ${body.length}`,
  ]
  const socket = connect(Number(new URL(host.origin).port), '127.0.0.1').pause()
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await new Promise<void>((resolve, reject) => {
    socket.write(body, (error) => (error ? reject(error) : resolve()))
  })
  const reason = 'The request is larger than this server accepts (2000000 bytes).'
  const report = [`unpack ${reason}\n`, `ng refs/heads/main ${reason}\n`].map((line) => encodePktLine(line))
  const answer = await text(socket)
  assert.deepEqual(
    [answer.startsWith('HTTP/1.1 200 OK'), answer.includes(Buffer.concat(report).toString())],
    [true, true],
  )
})

test('a push waiting in the queue is kept open, and then accepted', async (context) => {
  const { repository, checkout } = await openCheckout('waiting')
  const origin = await openListener(context, host.deps, { pushesPerUser: 1, keepAliveMs: 20 })
  const bytes = await encodePush(checkout)
  const first = openPush(repository, alice.token, origin)
  first.write(bytes.subarray(0, -8))
  await eventually(() => listChildren('receive-pack'), { until: (running) => running.length === 1 })
  const second = openPush(repository, alice.token, origin)
  second.end(await encodePush(checkout, 'next', 'report-status side-band-64k'))
  const [response] = (await once(second, 'response')) as [NodeJS.ReadableStream]
  const [silence] = (await once(response, 'data')) as [Buffer]
  const rest = text(response)
  assert.deepEqual([silence.toString().slice(0, 5), await refsOf(repository)], ['0005\u0001', []])
  const ended = answerOf(first)
  first.end(bytes.subarray(-8))
  assert.match(await ended, /ok refs\/heads\/main/)
  assert.match(await rest, /unpack ok\n.{4}ok refs\/heads\/next\n/)
  assert.deepEqual(await refsOf(repository), ['refs/heads/main', 'refs/heads/next'])
})

test('a push whose documents take long to find is kept open, and names the list of builds', async (context) => {
  const { repository, checkout } = await openCheckout('unread')
  const { git } = host.deps
  const isRead = Promise.withResolvers<void>()
  const readFileList = git.readFileList.bind(git)
  mock.method(git, 'readFileList', async (repositoryId: number, commitId: string) => {
    await isRead.promise
    return readFileList(repositoryId, commitId)
  })
  const origin = await openListener(context, host.deps, { keepAliveMs: 20, patienceMs: 200 })
  const push = openPush(repository, alice.token, origin)
  const answer = answerOf(push)
  push.end(await encodePush(checkout, 'main', 'report-status side-band-64k'))
  const packets = (await answer).replaceAll(host.origin, 'BASE').split(/[0-9a-f]{4}(?=[\u0001\u0002]|$)/)
  isRead.resolve()
  const reported = packets.findIndex((packet) => packet.includes('ok refs/heads/main'))
  assert.deepEqual(
    [reported > 0, [...new Set(packets.slice(reported + 1))]],
    [
      true,
      [
        '\u0001',
        '\u0002The documents are still being read. Builds will be listed at\n',
        '\u0002  BASE/alice/unread/builds\n',
        '',
      ],
    ],
  )
})

test('git over HTTP trusts neither of two Authorization headers, because a proxy may have checked the other', async () => {
  await openCheckout('twice')
  const header = `Bearer ${alice.token}`
  const { port } = new URL(host.origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(
    'GET /alice/twice.git/info/refs?service=git-upload-pack HTTP/1.1\r\nHost: x\r\nConnection: close\r\n' +
      `Authorization: ${header}\r\nAuthorization: Bearer other\r\n\r\n`,
  )
  assert.match(await text(socket), /^HTTP\/1\.1 401 /)
})
