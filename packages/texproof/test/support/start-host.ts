import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

import { checkout, cleanEnvironment, texproofCommand } from './checkout.ts'
import { runTexproof } from './run-texproof.ts'

export interface RunningHost {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly child: ChildProcess
  /** All that it has said so far. */
  readonly output: () => string
  /** Makes a user and gives a token of theirs, by the real commands. */
  readonly makeToken: (login: string) => Promise<string>
  /** Sends the signal to its whole process group and resolves with the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export interface StartOptions {
  readonly dataDir: string
  /** Program and first arguments. @default the `texproof serve` of the checkout */
  readonly command?: readonly [string, ...string[]]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a host by the real command on a free port and resolves when it says that it is ready. */
export async function startHost(options: StartOptions): Promise<RunningHost> {
  const { dataDir, command = [texproofCommand, 'serve'], args = [], env = {} } = options
  const [program, ...first] = command
  const child = spawn(program, [...first, '--data', dataDir, '--listen', '127.0.0.1:0', ...args], {
    cwd: checkout,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: string): void => {
      output += chunk
      const address = /^Texproof \S+ {3}data .* {3}(http:\S+)$/m.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.on('close', () => reject(new Error(`the host ended before it was ready:\n${output}`)))
  })
  return {
    url,
    port: Number(new URL(url).port),
    dataDir,
    child,
    output: () => output,
    makeToken: (login) => makeToken(dataDir, login),
    stop: (signal = 'SIGTERM') => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
      return exit
    },
  }
}

async function makeToken(dataDir: string, login: string): Promise<string> {
  await runTexproof(['user', 'add', login, '--data', dataDir])
  const { stdout } = await runTexproof(['token', 'create', '--user', login, '--data', dataDir])
  return stdout.trim()
}
