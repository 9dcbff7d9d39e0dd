import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { checkout, cleanEnvironment, texproofCommand } from '../programs/checkout.ts'
import { listStoppedBelow } from '../programs/list-processes.ts'
import { runTexproof } from '../programs/run-texproof.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

export interface RunningHost {
  readonly url: string
  readonly port: number
  /** Id of the process. */
  readonly pid: number
  /** A temporary directory, removed after the stop, unless one was given. */
  readonly dataDir: string
  /** Output so far. */
  readonly output: () => string
  /** Waits for the first match in the output, which continues after the start. */
  readonly said: (pattern: RegExp) => Promise<string>
  /** Creates a user and returns a token, with the real commands. */
  readonly makeToken: (login: string) => Promise<string>
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  /** Sends the signal to its whole process group, if it has not ended. */
  readonly send: (signal: NodeJS.Signals) => void
  /** Sends the signal to its whole process group and resolves with the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
  /** Stops only the server, which ends its other processes, as `KillMode=mixed` of systemd does. */
  readonly stopAlone: () => Promise<void>
}

export interface StartOptions {
  /** Program and first arguments. @default the `texproof serve` of the checkout */
  readonly command?: readonly [string, ...string[]]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A data directory that is kept after the stop. @default an empty one, removed after it */
  readonly dataDir?: string
}

const patienceMs = 120_000

/** Starts a host with the real command, on a free port and an empty data directory; resolves when it is ready. */
export async function startHost(options: StartOptions = {}): Promise<RunningHost> {
  const { command = [texproofCommand, 'serve'], args = [], env = {} } = options
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'texproof-host-'))
  const [program, ...first] = command
  const child = spawn(program, [...first, '--data', dataDir, '--listen', '127.0.0.1:0', ...args], {
    cwd: checkout,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    // A program that was just being started has been stopped in a group of its own.
    const stopped = listStoppedBelow(child.pid)
    process.kill(-child.pid, signal)
    for (const pid of stopped) sendTo(pid, signal)
  }
  const killWithTests = (): void => signalGroup('SIGKILL')
  process.once('exit', killWithTests)
  const impatience = setTimeout(killWithTests, patienceMs)
  const url = await new Promise<string>((resolve, reject) => {
    let isReady = false
    const read = (chunk: string): void => {
      output += chunk
      // A host under load has a long log, which is not searched again.
      const address = isReady ? undefined : /^Texproof \S+ {3}data .* {3}(http:\S+)$/m.exec(output)?.[1]
      if (address === undefined) return
      isReady = true
      resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.on('close', () => reject(new Error(`the host ended before it was ready:\n${output}`)))
  })
  clearTimeout(impatience)
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    dataDir,
    output: () => output,
    said: async (pattern) => {
      await eventually(() => output, { until: (text) => pattern.test(text) })
      return pattern.exec(output)?.[0] ?? ''
    },
    makeToken: (login) => makeToken(dataDir, login),
    ended: exit,
    send: signalGroup,
    stopAlone: async () => {
      process.kill(child.pid ?? 0, 'SIGTERM')
      await exit
      process.off('exit', killWithTests)
    },
    stop: async (signal = 'SIGTERM') => {
      signalGroup(signal)
      const exitCode = await exit
      process.off('exit', killWithTests)
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
      return exitCode
    },
  }
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

async function makeToken(dataDir: string, login: string): Promise<string> {
  await runTexproof(['user', 'add', login, '--data', dataDir])
  const { stdout } = await runTexproof(['token', 'create', '--user', login, '--data', dataDir])
  return stdout.trim()
}
