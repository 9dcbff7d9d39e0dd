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

interface StageOptions {
  readonly env: NodeJS.ProcessEnv
  /** Receives the output; without it, the output is printed as it comes. */
  readonly print?: (text: string) => void
}

/** Runs a stage with its output under a heading; resolves with its outcome, even if it failed. */
export function runStage(stage: Stage, { env, print }: StageOptions): Promise<StageReport> {
  const write = print ?? ((text: string): void => void process.stdout.write(text))
  write(`\n── ${stage.title}\n`)
  const startedAt = performance.now()
  const [program, ...args] = stage.command
  return new Promise((resolve) => {
    const finish = (isGood: boolean): void => {
      const durationMs = performance.now() - startedAt
      write(`${isGood ? '✓' : '✗'} ${stage.title}  ${(durationMs / 1000).toFixed(1)} s\n`)
      resolve({ title: stage.title, isGood, durationMs })
    }
    const child = spawn(program, args, { stdio: ['ignore', ...(print ? pipes : inherited)], env })
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', write)
    child.on('error', (error) => {
      write(`${error.message}\n`)
      finish(false)
    })
    child.on('close', (exitCode) => finish(exitCode === 0))
  })
}

const pipes = ['pipe', 'pipe'] as const
const inherited = ['inherit', 'inherit'] as const

/** Runs stages two at once, as most use one processor, and prints each whole. A failing stage does not stop the others. */
export async function runStages(stages: readonly Stage[], { env }: StageOptions): Promise<readonly StageReport[]> {
  const waiting = stages.entries()
  const reports: StageReport[] = []
  const runWaiting = async (): Promise<void> => {
    for (const [at, stage] of waiting) {
      let output = ''
      reports[at] = await runStage(stage, { env, print: (text) => void (output += text) })
      process.stdout.write(output)
    }
  }
  await Promise.all([runWaiting(), runWaiting()])
  return reports
}
