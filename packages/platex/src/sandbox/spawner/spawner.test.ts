import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../test/support/eventually.ts'
import { killGroup } from '../limits/process-tree.ts'
import { consumeOutput } from './program-connection.ts'
import { RelayedProgram } from './relayed-program.ts'
import { removeAbandonedSockets } from './remove-abandoned-sockets.ts'
import { spawnProgram, startSpawner, type ProgramDescriptor } from './spawner.ts'

const PIPES = ['pipe', 'pipe', 'pipe'] as const

const folder = mkdtempSync(join(tmpdir(), 'platex-spawner-test-'))
const faults: string[] = []
let spawner: { close(): Promise<void> } | null = null

before(async () => {
  spawner = startSpawner((error) => faults.push(error.message))
  await eventually(parentOfNext, { until: (parent) => parent !== process.pid })
})
after(async () => {
  await spawner?.close()
  rmSync(folder, { recursive: true })
})

function shell(script: string, descriptors: readonly ProgramDescriptor[] = PIPES): ChildProcess {
  return spawnProgram(
    { program: '/bin/sh', args: ['-c', script], cwd: '/', env: { PATH: '/usr/bin:/bin' } },
    descriptors,
  )
}

/** Starts a script on the spawner. While it has too few connections, for example on a busy machine, programs start directly. */
function relayedShell(script: string): Promise<ChildProcess> {
  return eventually(() => {
    const child = shell(script)
    if ((child as unknown) instanceof RelayedProgram) return child
    if (child.pid !== undefined) killGroup(child.pid)
    for (const stream of child.stdio) stream?.destroy()
    return null
  })
}

/** Output and end of a program. */
async function endOf(child: ChildProcess): Promise<{ readonly stdout: string; readonly end: readonly unknown[] }> {
  const closed = once(child, 'close')
  const stdout = child.stdout === null ? '' : await text(child.stdout)
  return { stdout, end: await closed }
}

async function parentOfNext(): Promise<number> {
  const { stdout } = await endOf(shell('echo $PPID'))
  return Number(stdout)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // It has ended.
  }
}

test('a program gets its arguments, environment and working directory, and its end is known', async () => {
  const args = ['-c', 'echo "$NAME $PWD $1"; echo why >&2; exit 3', 'sh', 'a b$c']
  const child = spawnProgram({ program: 'sh', args, cwd: '/tmp', env: { NAME: 'value', PATH: '/bin' } }, PIPES)
  const stderr = child.stderr === null ? '' : text(child.stderr)
  assert.deepEqual([await endOf(child), await stderr], [{ stdout: 'value /tmp a b$c\n', end: [3, null] }, 'why\n'])
})

test('a program reads its standard input to the end', async () => {
  const input = Buffer.alloc(20 * 1024 * 1024, 'tides ')
  const child = shell('cat')
  child.stdin?.end(input)
  const output = child.stdout === null ? Buffer.alloc(0) : await buffer(child.stdout)
  const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
  assert.equal(digest(output), digest(input))
})

test('pieces of large outputs are passed on unchanged beside other programs', async () => {
  const consumed = Array.from({ length: 3 }, async (_, n) => {
    const child = await relayedShell(`yes "line ${n}" | head -c 5000000`)
    const hash = createHash('sha256')
    const { stdout } = child
    assert.ok(stdout !== null)
    const closed = once(child, 'close')
    const taken: Promise<void>[] = []
    const isConsumed = consumeOutput(stdout, (piece, release) => {
      // Later, as if a slow client had to receive it first.
      const later = delay(n).then(() => {
        hash.update(piece)
        release()
        stdout.resume()
      })
      taken.push(later)
    })
    assert.ok(isConsumed)
    await once(stdout, 'end')
    await Promise.all(taken)
    await closed
    return hash.digest('hex')
  })
  const others = Array.from({ length: 20 }, async (_, n) => (await endOf(shell(`echo ${n}`))).stdout)
  const expected = [0, 1, 2].map((n) => `line ${n}\n`.repeat(714_286).slice(0, 5_000_000))
  assert.deepEqual(
    await Promise.all(consumed),
    expected.map((text) => createHash('sha256').update(text).digest('hex')),
  )
  assert.deepEqual(
    await Promise.all(others),
    others.map((_, n) => `${n}\n`),
  )
})

test('a program without standard input reads nothing', async () => {
  assert.deepEqual(await endOf(shell('cat; echo done', ['ignore', 'pipe', 'ignore'])), {
    stdout: 'done\n',
    end: [0, null],
  })
})

test('a program gets a file as a descriptor, and waits on another until it is closed', async () => {
  const file = join(folder, 'filter')
  writeFileSync(file, 'content\n')
  const child = shell('cat <&3; read line <&4; echo "ended $?"', [...PIPES, { file }, 'pipe'])
  const first = once(child.stdout ?? child, 'data')
  assert.equal(String((await first)[0]), 'content\n')
  child.stdio[4]?.destroy()
  assert.equal((await endOf(child)).stdout, 'ended 1\n')
})

test('a program and its starter talk over a further descriptor in both directions', async () => {
  const child = shell('echo question >&3; read answer <&3; echo "$answer"', [...PIPES, 'pipe'])
  const socket = child.stdio[3]
  assert.ok(socket !== null && socket !== undefined && 'write' in socket)
  socket.once('data', (chunk: Buffer) => socket.end(`answer to ${chunk.toString()}`))
  assert.equal((await endOf(child)).stdout, 'answer to question\n')
})

test('a program that does not exist is an error, and closes', async () => {
  const child = spawnProgram({ program: '/missing', args: [], cwd: '/', env: {} }, PIPES)
  const closed = once(child, 'close').catch((error: NodeJS.ErrnoException) => error.code)
  const order: string[] = []
  child.on('error', () => order.push('error')).on('close', () => order.push('close'))
  assert.equal(await closed, 'ENOENT')
  await eventually(() => order.length, { until: (count) => count === 2 })
  assert.deepEqual(order, ['error', 'close'])
})

test('a program that is killed with its group reports the signal', async () => {
  const child = shell('sleep 60 & wait')
  const closed = endOf(child)
  await once(child, 'spawn')
  killGroup(child.pid ?? 0)
  assert.deepEqual((await closed).end, [null, 'SIGKILL'])
})

test('output that nobody reads does not delay the end', async () => {
  const child = shell('head -c 50000 /dev/zero')
  assert.deepEqual(await once(child, 'close'), [0, null])
})

test('a program starts at its nice value', async () => {
  const args = ['-c', 'read line; cut -d" " -f19 /proc/self/stat']
  const child = spawnProgram({ program: 'sh', args, cwd: '/', env: { PATH: '/bin' }, niceness: 7 }, PIPES)
  child.once('spawn', () => child.stdin?.end('\n'))
  assert.equal((await endOf(child)).stdout, `${getPriority() + 7}\n`)
})

test('more programs at once than there are connections all run', async () => {
  const ends = await Promise.all(Array.from({ length: 60 }, (_, n) => endOf(shell(`echo ${n}`))))
  assert.deepEqual(
    ends.map(({ stdout }) => stdout),
    Array.from({ length: 60 }, (_, n) => `${n}\n`),
  )
})

test('programs start after many other processes have checked whether the process runs', async () => {
  const commandLine = readFileSync(`/proc/${await parentOfNext()}/cmdline`, 'utf8').split('\0')
  const [socketFolder = ''] = commandLine.filter((part) => part.endsWith('/socket')).map((part) => dirname(part))
  for (let count = 0; count < 120; count += 1)
    await removeAbandonedSockets(dirname(socketFolder), basename(socketFolder))
  const ends: string[] = []
  for (let count = 0; count < 30; count += 1) ends.push((await endOf(shell(`echo ${count}`))).stdout)
  assert.deepEqual(
    ends,
    ends.map((_, n) => `${n}\n`),
  )
})

test('the process ends with its server, and with it the programs that wait for input', async () => {
  const script = join(folder, 'server.ts')
  const module = JSON.stringify(new URL('spawner.ts', import.meta.url).href)
  writeFileSync(
    script,
    `import { spawnProgram, startSpawner } from ${module}
     startSpawner(() => {})
     for (;;) {
       const sh = { program: '/bin/sh', args: ['-c', 'echo $PPID $$; read line'], cwd: '/', env: {} }
       const [pids] = await new Promise((resolve) => {
         spawnProgram(sh, ['pipe', 'pipe', 'pipe']).stdout.once('data', (chunk) => resolve(String(chunk).split('\\n')))
       })
       if (!pids.startsWith(process.pid + ' ')) { console.log(pids); break }
     }`,
  )
  const server = spawn(process.execPath, [...process.execArgv, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const pids = line.toString().trim().split(' ').map(Number)
  assert.deepEqual(pids.map(isRunning), [true, true])
  server.kill('SIGKILL')
  await eventually(() => pids.map(isRunning), { until: (running) => !running.includes(true) })
})

test('the start removes the folders of killed processes and keeps the folders of running ones', async () => {
  const root = join(folder, 'sockets')
  const script = `import { mkdirSync } from 'node:fs'
    import { createServer } from 'node:net'
    for (const name of process.argv.slice(1)) { mkdirSync(name, { recursive: true }); createServer().listen(name + '/socket') }
    console.log('listens')`
  const names = ['platex-spawner-1', 'platex-spawner-2', 'other-1'].map((name) => join(root, name))
  const listen = async (folders: readonly string[]): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...folders], { stdio: 'pipe' })
    await once(child.stdout, 'data')
    return child
  }
  const [running, ...killed] = names
  const survivor = await listen([running ?? ''])
  const victim = await listen(killed)
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  mkdirSync(join(root, 'platex-spawner-starting'))
  await removeAbandonedSockets(root, 'platex-spawner-')
  survivor.kill('SIGKILL')
  assert.deepEqual(readdirSync(root).toSorted(), ['other-1', 'platex-spawner-1', 'platex-spawner-starting'])
})

test('if the process dies, running programs fail and are killed, and later ones start without it', async () => {
  const spawnerPid = await parentOfNext()
  assert.notEqual(spawnerPid, process.pid)
  const child = shell('sleep 60')
  await once(child, 'spawn')
  const failed = once(child, 'close').catch((error: Error) => error.message)
  process.kill(spawnerPid, 'SIGKILL')
  assert.equal(await failed, 'the process that starts programs has ended')
  await eventually(() => isRunning(child.pid ?? 0), { until: (running) => !running })
  assert.deepEqual([await parentOfNext(), faults], [process.pid, ['the process that starts programs has ended']])
})
