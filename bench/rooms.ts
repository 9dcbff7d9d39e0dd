/**
 * Fifty people write in twenty shared texts over real WebSocket connections while others push. Measures memory and
 * open descriptors of the server over time, and the duration of pushes with their builds against pushes to an idle
 * server. At the end, everyone in a text must see the same text.
 *
 * `npm run bench -- rooms 10` runs for ten minutes, the default. The clients share the processors with the server.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { openSession } from '../packages/texproof/src/accounts/session/session-cookie.ts'
import { openStore } from '../packages/texproof/src/store/store.ts'
import { addTestUser } from '../packages/texproof/test/support/hosts/add-test-user.ts'
import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { connectLive } from '../packages/texproof/test/support/web/live-client.ts'
import type { LiveClient } from '../packages/texproof/test/support/web/live-client.ts'
import { openWebClient } from '../packages/texproof/test/support/web/web-client.ts'
import type { WebClient } from '../packages/texproof/test/support/web/web-client.ts'

const PEOPLE = 50
const ROOMS = 20
const MAX_MINUTES = 60
const EDIT_EVERY_MS = 1_000
const SAMPLE_EVERY_MS = 2_000
const PUSH_EVERY_MS = 10_000
const IDLE_PUSHES = 5
/** Texts do not grow beyond this, so that a longer run is not one with longer texts. */
const MAX_TEXT_CHARS = 4_000

const GOALS = { slowerPush: 2, memoryGrowth: 1.2, descriptorGrowth: 10, differentTexts: 0, closedConnections: 0 }

interface Sample {
  readonly memoryMiB: number
  readonly descriptors: number
}

/** Measures, prints, and stores the results in bench/results. */
export async function run([minutes = '10']: readonly string[]): Promise<void> {
  const durationMs = Math.min(MAX_MINUTES, Number(minutes)) * 60_000
  if (!(durationMs > 0)) throw new Error(`"${minutes}" is not a number of minutes.`)
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-rooms-'))
  const host = await startHost({ dataDir: join(workDir, 'data') })
  try {
    const token = await host.makeToken('alice')
    await makeRepository(host, { token, name: 'texts', workDir })
    const pushed = await makeRepository(host, { token, name: 'pushed', workDir })
    const people = await addPeople(host)
    const idlePushes: number[] = []
    for (let number = 0; number < IDLE_PUSHES; number += 1) {
      // Engines read ahead meanwhile, as they do between the other pushes.
      await delay(PUSH_EVERY_MS)
      idlePushes.push(await push(pushed, `idle ${number}`))
    }
    const clients = await Promise.all(
      people.map((person, at) => connectLive(host.url, person, `/alice/texts/edit/main/${nameOfRoom(at)}.tex`)),
    )
    const busy = await writeFor(durationMs, { host, clients, pushed })
    const closedConnections = clients.filter(({ socket }) => socket.readyState !== socket.OPEN).length
    const differentTexts = await countDifferentTexts(clients)
    await Promise.all(clients.map((client) => client.close()))
    await report({ minutes: durationMs / 60_000, idlePushes, ...busy, closedConnections, differentTexts })
  } finally {
    await host.stop()
    await rm(workDir, { recursive: true })
  }
}

function nameOfRoom(at: number): string {
  return `room-${at % ROOMS}`
}

/** Creates a repository and a working copy, and pushes a document and the texts. */
async function makeRepository(
  host: RunningHost,
  { token, name, workDir }: { readonly token: string; readonly name: string; readonly workDir: string },
): Promise<string> {
  const answer = await fetch(`${host.url}/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (answer.status !== 201) throw new Error(`create ${name}: ${answer.status}`)
  const folder = join(workDir, name)
  await mkdir(folder)
  await writeFile(join(folder, 'main.tex'), documentWith('first'))
  for (let room = 0; room < ROOMS; room += 1) await writeFile(join(folder, `${nameOfRoom(room)}.tex`), 'A text.\n')
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  await git(folder, 'remote', 'add', 'origin', `http://git:${token}@127.0.0.1:${host.port}/alice/${name}.git`)
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--message', 'Write')
  await git(folder, 'push', '--quiet', 'origin', 'main')
  return folder
}

function documentWith(word: string): string {
  return `\\documentclass{article}\n\\begin{document}\n\\section{A}\\label{a}\nThe ${word} text, see~\\ref{a}.\n\\end{document}\n`
}

/** Signed-in users who may write to the repository of the texts. */
async function addPeople(host: RunningHost): Promise<readonly WebClient[]> {
  const store = await openStore({ dataDir: host.dataDir })
  try {
    const repository = await store.repositories.findByName('alice', 'texts')
    if (repository === null) throw new Error('The repository of the texts is missing.')
    const people: WebClient[] = []
    for (let number = 0; number < PEOPLE; number += 1) {
      const added = await addTestUser(store, { login: `person-${number}` })
      if (added.kind !== 'added') throw new Error(added.reason)
      await store.repositories.setCollaborator(repository.id, added.user.id, 'push')
      const client = { address: '127.0.0.1', agent: 'bench' }
      const { secret } = await openSession(store, added.user, { client, isRemembered: true })
      const person = openWebClient(host.url)
      person.cookies.set('texproof-session', secret)
      people.push(person)
    }
    return people
  } finally {
    await store.close()
  }
}

/** Everyone writes, someone pushes, and the server is sampled. */
async function writeFor(
  durationMs: number,
  {
    host,
    clients,
    pushed,
  }: { readonly host: RunningHost; readonly clients: readonly LiveClient[]; readonly pushed: string },
) {
  const endsAt = performance.now() + durationMs
  const isOver = (): boolean => performance.now() >= endsAt
  const samples: Sample[] = []
  const pushes: number[] = []
  let edits = 0
  const write = async (client: LiveClient, at: number): Promise<void> => {
    await delay((at / clients.length) * EDIT_EVERY_MS)
    while (!isOver() && client.socket.readyState === client.socket.OPEN) {
      edit(client)
      edits += 1
      await delay(EDIT_EVERY_MS)
    }
  }
  const pushSteadily = async (): Promise<void> => {
    for (let number = 0; !isOver(); number += 1) {
      pushes.push(await push(pushed, `busy ${number}`))
      await delay(Math.min(PUSH_EVERY_MS, Math.max(0, endsAt - performance.now())))
    }
  }
  const sample = async (): Promise<void> => {
    while (!isOver()) {
      samples.push(await readSample(host))
      await delay(SAMPLE_EVERY_MS)
    }
  }
  await Promise.all([...clients.map(write), pushSteadily(), sample()])
  return { samples, busyPushes: pushes, edits }
}

/** Writes a word somewhere, or deletes some of a long text. */
function edit({ text }: LiveClient): void {
  const at = Math.floor(Math.random() * (text.length + 1))
  if (text.length < MAX_TEXT_CHARS) text.insert(at, 'tide ')
  else text.delete(Math.min(at, text.length - 50), 50)
}

/** Duration of a push, which waits for its build. */
async function push(folder: string, word: string): Promise<number> {
  await writeFile(join(folder, 'main.tex'), documentWith(word))
  await git(folder, 'commit', '--quiet', '--all', '--message', 'Change')
  const startedAt = performance.now()
  await git(folder, 'push', '--quiet', 'origin', 'main')
  return performance.now() - startedAt
}

async function readSample({ pid }: RunningHost): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const memoryMiB = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024
  return { memoryMiB, descriptors: (await readdir(`/proc/${pid}/fd`)).length }
}

/** Texts that differ between the people in a room once all changes are stored. */
async function countDifferentTexts(clients: readonly LiveClient[]): Promise<number> {
  await Promise.all(clients.map((client) => client.whenStored()))
  const differing = (): number =>
    clients.filter(({ text }, at) => text.toString() !== clients[at % ROOMS]?.text.toString()).length
  for (let attempt = 0; attempt < 50 && differing() > 0; attempt += 1) await delay(100)
  return differing()
}

interface Found {
  readonly minutes: number
  readonly idlePushes: readonly number[]
  readonly busyPushes: readonly number[]
  readonly samples: readonly Sample[]
  readonly edits: number
  readonly closedConnections: number
  readonly differentTexts: number
}

/** The first quarter is compared with the last: the server allocates most of its memory when the rooms open. */
async function report(found: Found): Promise<void> {
  const { minutes, samples, edits, idlePushes, busyPushes, closedConnections, differentTexts } = found
  const quarter = Math.max(1, Math.floor(samples.length / 4))
  const of = (part: readonly Sample[], read: (sample: Sample) => number): number => median(part.map(read))
  const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)]
  const results = {
    processor: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    minutes,
    people: PEOPLE,
    rooms: ROOMS,
    edits,
    memoryAtStartMiB: of(first, ({ memoryMiB }) => memoryMiB),
    memoryAtEndMiB: of(last, ({ memoryMiB }) => memoryMiB),
    descriptorsAtStart: of(first, ({ descriptors }) => descriptors),
    descriptorsAtEnd: of(last, ({ descriptors }) => descriptors),
    idlePushMs: median(idlePushes),
    busyPushMs: median(busyPushes),
    longestBusyPushMs: Math.max(...busyPushes),
    closedConnections,
    differentTexts,
  }
  for (const [name, value] of Object.entries(results))
    console.log(`${name.padEnd(20)} ${typeof value === 'number' ? value.toFixed(1) : value}`)
  const { memoryAtStartMiB, memoryAtEndMiB, descriptorsAtStart, descriptorsAtEnd, idlePushMs, busyPushMs } = results
  console.log(goalLine('rooms-push-against-idle', busyPushMs / idlePushMs, GOALS.slowerPush))
  console.log(goalLine('rooms-memory-growth', memoryAtEndMiB / memoryAtStartMiB, GOALS.memoryGrowth))
  console.log(goalLine('rooms-descriptor-growth', descriptorsAtEnd - descriptorsAtStart, GOALS.descriptorGrowth))
  console.log(goalLine('rooms-different-texts', differentTexts, GOALS.differentTexts))
  console.log(goalLine('rooms-closed-connections', closedConnections, GOALS.closedConnections))
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  await writeFile(new URL('results/rooms.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
}

function goalLine(name: string, measured: number, wanted: number): string {
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${wanted} ${measured <= wanted ? 'met' : 'short'}`
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const person = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org']
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
  const child = spawn('git', [...person, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}:\n${stderr}`)
}
