import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

/** A running `npm run dev`. */
export interface RunningDev {
  /** Resolves when its output matches. @throws Error with the output if it has ended, or after five minutes. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Its output so far. */
  readonly output: () => string
  /** Kills it with all its processes, including running builds. */
  stop(): Promise<void>
}

const patienceMs = 300_000

/** Starts it in a checkout, on a free port. */
export function startDev(folder: string): RunningDev {
  const child = spawn('scripts/pinned-node', ['scripts/dev.ts', '--listen', '127.0.0.1:0'], {
    cwd: folder,
    // The PDFs of the demo are left to workers, and there are none.
    env: { ...process.env, TEXPROOF_BUILD_LOCAL: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    async says(pattern) {
      const isOver = Promise.race([closed, wait(patienceMs, undefined, { ref: false })]).then(() => true)
      for (;;) {
        const match = pattern.exec(output)
        if (match !== null) return match
        if (await Promise.race([isOver, wait(50, false)])) throw new Error(`${pattern} was not printed:\n${output}`)
      }
    },
    output: () => output,
    stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      return closed
    },
  }
}
