/** Pushes that are small on the wire but unpack to large objects. Each is refused in git's own status report. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { readPktLine } from '../../src/git/protocol/pkt-line.ts'
import { createPushMemory } from '../../src/git/protocol/push-memory.ts'
import { createSmartHttpListener } from '../../src/smart-http/listener.ts'
import { repositoryPath } from '../../src/git/admin/repository-path.ts'
import { encodeHostilePush, objectId, packBlob, packRepeats, packZeros } from '../support/git/hostile-pack.ts'
import type { PackedObject } from '../support/git/hostile-pack.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'

const MEBIBYTE = 1024 * 1024
const BASE = Buffer.alloc(64 * 1024)
const BASE_ID = { id: objectId('blob', BASE), size: BASE.length }

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost({ maxPushBytes: 4 * MEBIBYTE })
  alice = await host.addUser('alice')
})

after(() => host.close())

/** Pushes to a new repository; returns the lines of git's report and the resulting branches. */
async function push(name: string, objects: readonly PackedObject[], origin = host.origin) {
  const repository = await host.addRepository(alice.user, name)
  const body = encodeHostilePush(objects)
  const answer = await fetch(`${origin}/alice/${name}.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      authorization: `Basic ${Buffer.from(`alice:${alice.token}`).toString('base64')}`,
      // Making the next pack can take longer than the server keeps a connection, and the server is in this process.
      connection: 'close',
    },
    body,
  })
  const report = readReport(new Uint8Array(await answer.arrayBuffer()))
  const branches = (await host.deps.git.listBranches(repository.id)).map((branch) => branch.name)
  return { repository, outcome: { status: answer.status, report, branches }, byteCount: body.length }
}

function readReport(answer: Uint8Array): readonly string[] {
  const report = readPackets(answer).filter((payload) => payload[0] === 1)
  return readPackets(Buffer.concat(report.map((payload) => payload.subarray(1)))).map((line) =>
    Buffer.from(line).toString().trimEnd(),
  )
}

function readPackets(bytes: Uint8Array): readonly Uint8Array[] {
  const payloads: Uint8Array[] = []
  for (let offset = 0; ;) {
    const packet = readPktLine(bytes, offset)
    if (packet.kind !== 'data') return payloads
    payloads.push(packet.payload)
    offset = packet.end
  }
}

function gitDirOf(repositoryId: number): string {
  return repositoryPath(join(host.deps.config.dataDir, 'repositories'), repositoryId)
}

function refusedWith(reason: string) {
  return { status: 200, report: [`unpack ${reason}`, `ng refs/heads/main ${reason}`], branches: [] }
}

test('a push of one delta that unpacks to 3 GB is refused with the limit of an object', async () => {
  const { outcome } = await push('delta', [packBlob(BASE), packRepeats(BASE_ID, 3e9, 'x')])
  assert.deepEqual(outcome, refusedWith('an object of the push is larger than the limit of 512 MB'))
})

test('a push of one kilobyte whose deltas unpack to 560 MB is refused with the limit, and leaves nothing', async () => {
  const deltas = Array.from({ length: 8 }, (_, n) => packRepeats(BASE_ID, 70 * MEBIBYTE, `x${n}`))
  const { outcome, byteCount, repository } = await push('deltas', [packBlob(BASE), ...deltas])
  const reason = 'the push unpacks to 560 MB, more than the limit of 512 MB'
  const objects = await readdir(join(gitDirOf(repository.id), 'objects'))
  assert.deepEqual(
    [byteCount < 1_400, outcome, objects.toSorted()],
    [true, { status: 200, report: ['unpack ok', `ng refs/heads/main ${reason}`], branches: [] }, ['info', 'pack']],
  )
})

test('a push of zeros that unpack to 600 MB is refused with the limit', async () => {
  const { outcome } = await push('zeros', [await packZeros(600 * MEBIBYTE)])
  const reason = 'the push unpacks to 600 MB, more than the limit of 524 MB'
  assert.deepEqual(outcome, { status: 200, report: ['unpack ok', `ng refs/heads/main ${reason}`], branches: [] })
})

test('a push beside others that may need much memory is refused if it does, and accepted later', async (t) => {
  const pushMemory = createPushMemory(1)
  const server = createServer(createSmartHttpListener(host.deps, { pushMemory })).listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const objects = [packBlob(BASE), packRepeats(BASE_ID, 300 * MEBIBYTE, 'x')]
  const other = pushMemory.take('mallory')
  const busy = await push('busy', objects, origin)
  const small = await push('small', [packBlob(BASE)], origin)
  other.release()
  const quiet = await push('quiet', objects, origin)
  const reason =
    'unpacking the push needs more than 256 MB of memory, and the server is busy with other pushes: push again later'
  const accepted = { status: 200, report: ['unpack ok', 'ok refs/heads/main'], branches: ['main'] }
  assert.deepEqual([busy.outcome, small.outcome, quiet.outcome], [refusedWith(reason), accepted, accepted])
})

test('a push of 20,000 small objects stays one pack', async () => {
  const blobs = Array.from({ length: 20_000 }, (_, n) => packBlob(Buffer.from(`${n}`)))
  const { outcome, repository } = await push('many', blobs)
  const files = await readdir(join(gitDirOf(repository.id), 'objects'), { recursive: true })
  assert.deepEqual(
    [outcome, files.filter((name) => name.endsWith('.pack')).length, files.filter((name) => /^..\//.test(name)).length],
    [{ status: 200, report: ['unpack ok', 'ok refs/heads/main'], branches: ['main'] }, 1, 0],
  )
})
