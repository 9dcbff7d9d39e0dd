import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpTarget } from './hostile-case.ts'

/** A running service, and resources of the host that a compile must not reach. */
export interface Target extends HttpTarget {
  readonly pid: number
  /** Texts that must not appear in a response. */
  readonly secrets: readonly string[]
  /** Values of the placeholders in a case. */
  readonly placeholders: Readonly<Record<string, string>>
  /** Describes changes to the host. */
  readonly findHostChanges: () => Promise<readonly string[]>
  /** Kills the service with SIGKILL. */
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
}

const CANARY = 'kzqv8canary3wxhd7nbtm'
const SECRET_VARIABLE = 'HOSTILE_SUITE_SECRET'
const SECRET = 'wqzk5secret9dvxh2mbnt'
const API_KEY = 'bxzq7apikey4kvwd6nhtm'
const OPEN_FILE = 'nobody may change this\n'

/** Starts the service on a loopback port, with a canary file, a writable file, a writable folder and a listener. */
export async function startTarget(sandbox: 'required' | 'none'): Promise<Target> {
  const hostDir = await mkdtemp(join(tmpdir(), 'platex-hostile-'))
  const paths = { canary: join(hostDir, 'canary.txt'), open: join(hostDir, 'open.txt'), drop: join(hostDir, 'drop') }
  await chmod(hostDir, 0o755)
  await writeFile(paths.canary, `${CANARY}\n`)
  await writeFile(paths.open, OPEN_FILE)
  await chmod(paths.open, 0o666)
  await mkdir(paths.drop)
  await chmod(paths.drop, 0o777)
  const calls: string[] = []
  const listener = createServer((socket) => {
    calls.push(socket.remoteAddress ?? 'unknown')
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const listenerPort = address !== null && typeof address === 'object' ? address.port : 0
  const service = spawnService(sandbox)
  const port = await readPort(service)
  const ended = once(service, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    service.kill(signal)
    await ended
    listener.close()
    await rm(hostDir, { recursive: true, force: true })
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    apiKey: API_KEY,
    pid: service.pid ?? 0,
    secrets: [CANARY, SECRET, API_KEY, 'root:x:0:0', 'daemon:x:1:1'],
    placeholders: {
      CANARY: paths.canary,
      OPEN: paths.open,
      DROP: paths.drop,
      SECRET: SECRET_VARIABLE,
      PORT: String(listenerPort),
    },
    findHostChanges: async () => {
      const dropped = await readdir(paths.drop)
      const openFile = await readFile(paths.open, 'utf8').catch(() => null)
      const callers = calls.splice(0)
      // So that effects of one case are not attributed to the next.
      for (const name of dropped) await rm(join(paths.drop, name), { recursive: true, force: true })
      await writeFile(paths.open, OPEN_FILE)
      return [
        ...dropped.map((name) => `wrote ${name} into a folder of the host`),
        ...(openFile === OPEN_FILE ? [] : ['changed a file of the host']),
        ...(callers.length === 0 ? [] : ['called a port of the host']),
      ]
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

function spawnService(sandbox: 'required' | 'none'): ChildProcess {
  const script = fileURLToPath(new URL('./serve.ts', import.meta.url))
  return spawn(process.execPath, [...process.execArgv.filter((flag) => !flag.startsWith('--test')), script, sandbox], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, COMPILE_API_KEY: API_KEY, [SECRET_VARIABLE]: SECRET },
  })
}

async function readPort(service: ChildProcess): Promise<number> {
  if (service.stdout === null) throw new Error('the service has no output')
  const [line] = await once(service.stdout, 'data')
  return Number(String(line).trim())
}
