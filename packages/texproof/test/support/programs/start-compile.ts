import { spawn } from 'node:child_process'

import { cleanEnvironment, texproofCommand } from './checkout.ts'

/** A `texproof compile` that runs until it is stopped. */
export interface RunningCompile {
  /** Output so far, on a terminal or not. */
  readonly output: () => string
  /** Resolves when `pattern` occurs in the output since the last call that resolved. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Types keys; requires a terminal. */
  readonly type: (keys: string) => void
  readonly signal: (signal: NodeJS.Signals) => void
  readonly exitCode: Promise<number | null>
}

interface StartOptions {
  readonly cwd: string
  /** Runs it on a pseudo-terminal. @default false */
  readonly onTerminal?: boolean
}

const patienceMs = 120_000

/** Starts the real command, which is killed at the end of the tests. */
export function startCompile(args: readonly string[], { cwd, onTerminal = false }: StartOptions): RunningCompile {
  const words = [texproofCommand, 'compile', ...args]
  const [program = '', ...rest] = onTerminal ? ['script', '-qefc', words.join(' '), '/dev/null'] : words
  const child = spawn(program, rest, { cwd, env: cleanEnvironment(), stdio: 'pipe', detached: true })
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, signal)
  }
  const killWithTests = (): void => kill('SIGKILL')
  process.once('exit', killWithTests)
  const impatience = setTimeout(killWithTests, patienceMs)
  const exitCode = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      clearTimeout(impatience)
      process.off('exit', killWithTests)
      resolve(code)
    })
  })
  let output = ''
  let heardTo = 0
  let listener = (): void => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      listener()
    })
  }
  const said = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      listener = () => {
        const match = pattern.exec(output.slice(heardTo))
        if (match === null) return
        heardTo += match.index + match[0].length
        listener = () => {}
        resolve(match)
      }
      listener()
      void exitCode.then(() => reject(new Error(`it ended without saying ${pattern}:\n${output}`)))
    })
  return { output: () => output, said, type: (keys) => child.stdin.write(keys), signal: kill, exitCode }
}
