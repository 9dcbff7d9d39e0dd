import { cleanEnvironment, texproofCommand } from './checkout.ts'
import { runProgram } from './run-program.ts'
import type { ProgramOutcome } from './run-program.ts'

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** User id to run as; requires root. */
  readonly uid?: number
  /** @default 120 */
  readonly timeoutS?: number
}

/** Runs the real `texproof` command. */
export function runTexproof(args: readonly string[], options: RunOptions = {}): Promise<ProgramOutcome> {
  const { env, uid, timeoutS = 120, ...rest } = options
  const identity = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const command = ['--kill-after=5', String(timeoutS), ...identity, texproofCommand, ...args]
  return runProgram('timeout', command, { ...rest, env: cleanEnvironment(env) })
}
