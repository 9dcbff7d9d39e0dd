import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { checkout, cleanEnvironment, texproofCommand } from '../programs/checkout.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

/** A `texproof worker` that runs. */
export interface RunningWorker {
  /** Directory of cached files. */
  readonly cacheDir: string
  /** Log so far. */
  readonly output: () => string
  /** Waits for the first match in the log. */
  readonly said: (pattern: RegExp) => Promise<void>
  /** Sends a signal to the process alone. */
  readonly send: (signal: NodeJS.Signals) => void
  /** Sends the signal to the process and resolves with the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts a worker with the real command. */
export function startWorker(options: {
  readonly server: string
  readonly key: string
  readonly args?: readonly string[]
}): RunningWorker {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-worker-'))
  const [keyFile, cacheDir] = [join(folder, 'key'), join(folder, 'cache')]
  writeFileSync(keyFile, `${options.key}\n`)
  const args = ['worker', '--server', options.server, '--key-file', keyFile, '--cache', cacheDir]
  const child = spawn(texproofCommand, [...args, '--slots', '1', ...(options.args ?? [])], {
    cwd: checkout,
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const killWithTests = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithTests)
  return {
    cacheDir,
    output: () => output,
    said: async (pattern) => void (await eventually(() => output, { until: (text) => pattern.test(text) })),
    send: (signal) => void child.kill(signal),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const exitCode = await exit
      process.off('exit', killWithTests)
      rmSync(folder, { recursive: true, force: true })
      return exitCode
    },
  }
}
