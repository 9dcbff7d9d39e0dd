import { spawn } from 'node:child_process'

export interface Stage {
  readonly title: string
  /** Program and arguments; runs in the root of the checkout. */
  readonly command: readonly [string, ...string[]]
}

export interface StageReport {
  readonly title: string
  readonly isGood: boolean
  readonly durationMs: number
}

/** Runs a stage with its output under a heading; resolves with its outcome, also if it failed. */
export function runStage(stage: Stage, options: { env: NodeJS.ProcessEnv }): Promise<StageReport> {
  console.log(`\n── ${stage.title}`)
  const startedAt = performance.now()
  const [program, ...args] = stage.command
  return new Promise((resolve) => {
    const finish = (isGood: boolean): void => {
      const durationMs = performance.now() - startedAt
      console.log(`${isGood ? '✓' : '✗'} ${stage.title}  ${(durationMs / 1000).toFixed(1)} s`)
      resolve({ title: stage.title, isGood, durationMs })
    }
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: options.env })
    child.on('error', (error) => {
      console.error(error.message)
      finish(false)
    })
    child.on('close', (exitCode) => finish(exitCode === 0))
  })
}
