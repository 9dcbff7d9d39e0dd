/** Git processes of a page end when the last client that waits for them disconnects. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { request, type ClientRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { git } from '../support/git/git-repository.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { listChildren } from '../support/programs/list-processes.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

let host: PaperHost
let base = ''
let head = ''

/** A change that takes git ten seconds to compare: long files of few different lines. */
before(async () => {
  host = await openPaperHost()
  const { user } = await host.addUser('alice')
  const { id } = await host.addRepository(user, 'slow')
  const gitDir = host.deps.git.gitDir(id)
  const blobs = [1, 2].map((seed) => git(gitDir, ['hash-object', '-w', '--stdin'], { input: shuffledLines(seed) }))
  const trees = blobs.map((blob) => git(gitDir, ['mktree'], { input: fileList(blob) }))
  base = git(gitDir, ['commit-tree', '-m', 'One', trees[0] ?? ''])
  head = git(gitDir, ['commit-tree', '-m', 'Two', '-p', base, trees[1] ?? ''])
  git(gitDir, ['update-ref', 'refs/heads/main', head])
})

after(() => host.close())

test('a history walk ends when its client disconnects', async () => {
  const reader = read(`/alice/slow/commit/${head}`)
  await eventually(listWalks, { until: (walks) => walks.length === 1 })
  const walks = await listWalks()
  reader.destroy()
  await eventually(listWalks, { until: (walks) => walks.length === 0 })
  assert.equal(walks.length, 1)
})

test('a shared history walk ends when the last client disconnects', async () => {
  const readers = [0, 1, 2].map(() => read(`/alice/slow/commit/${head}`))
  await Promise.all(readers.map((reader) => once(reader, 'finish')))
  await eventually(listWalks, { until: (walks) => walks.length === 1 })
  const [first] = await listWalks()
  for (const reader of readers.slice(1)) reader.destroy()
  await eventually(countGone, { until: (count) => count === 3 })
  const left = await listWalks()
  readers[0]?.destroy()
  await eventually(listWalks, { until: (walks) => walks.length === 0 })
  assert.deepEqual(left, [first])
})

test('two hundred disconnected clients leave no process and no open file', async () => {
  const files = await countOpenFiles()
  for (let n = 0; n < 20; n += 1) {
    const readers = Array.from({ length: 10 }, (_, at) => read(`/alice/slow/compare/${base}...${head}?file=${n}-${at}`))
    await delay(n * 7)
    for (const reader of readers) reader.destroy()
  }
  await eventually(async () => (await listWalks()).length === 0 && (await countOpenFiles()) <= files)
  assert.deepEqual([await listWalks(), (await fetch(`${host.origin}/alice/slow`)).status], [[], 200])
})

test('a connected client gets its response although others disconnect', async () => {
  const stays = fetch(`${host.origin}/alice/slow/blame/main/03`)
  await delay(30)
  const leaves = read('/alice/slow/blame/main/03')
  await delay(30)
  leaves.destroy()
  assert.equal((await stays).status, 200)
})

function read(path: string): ClientRequest {
  return request(host.origin + path)
    .on('error', () => {}) // closed by this test
    .end()
}

/** Requests logged as closed by their client. */
function countGone(): number {
  return host.logged().split('"status":499').length - 1
}

/** Running git commands of this process that compare. */
const listWalks = (): Promise<readonly string[]> => listChildren('diff-tree')

/** Pipes and sockets of this process. */
async function countOpenFiles(): Promise<number> {
  const files = await readdir('/proc/self/fd')
  const targets = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')))
  return targets.filter((target) => /^(?:pipe|socket):/.test(target)).length
}

function shuffledLines(seed: number): string {
  let state = seed
  const next = (): number => (state = (state * 48_271) % 2_147_483_647)
  return Array.from({ length: 60_000 }, () => `${next() % 300}\n`).join('')
}

function fileList(blob: string): string {
  return Array.from({ length: 60 }, (_, n) => `100644 blob ${blob}\t${String(n).padStart(2, '0')}\n`).join('')
}
