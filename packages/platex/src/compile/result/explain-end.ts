import type { RunEnd } from '../../sandbox/types.ts'

/** Name of the run in the message. */
export interface EndedRun {
  readonly program: string
  readonly passNumber: number
  /** Time limit of the whole compile. */
  readonly timeoutMs: number
}

const LIMIT_TEXTS = {
  memory: 'it exceeded the memory limit',
  disk: 'it exceeded the disk limit',
  entries: 'it created too many files',
  output: 'it printed too much output',
  'file-size': 'it wrote a file that exceeds the size limit',
  cpu: 'it exceeded the processor time limit',
} as const

/** The error for a killed run; null if the run exited or the caller cancelled it. */
export function explainEnd(end: RunEnd, { program, passNumber, timeoutMs }: EndedRun): string | null {
  const where = `(pass ${passNumber}, ${program})`
  switch (end.kind) {
    case 'exited':
    case 'aborted':
      return null
    case 'timed-out':
      return `Compilation timed out after ${timeoutMs} ms ${where}`
    case 'limit-exceeded':
      return `Compilation was stopped: ${LIMIT_TEXTS[end.limit]} ${where}`
    case 'killed':
      return `${program} ${explainSignal(end.signal)} ${where}`
    case 'not-found':
      return `${program} could not be started ${where}`
  }
}

function explainSignal(signal: string): string {
  // Sent by the kernel or the operator: kills by the sandbox are reported as limits.
  if (signal === 'SIGKILL') return 'was killed by the system (SIGKILL), most likely because memory ran out'
  const isCrash = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGSYS', 'SIGTRAP'].includes(signal)
  return isCrash ? `crashed (${signal})` : `was killed by ${signal}`
}
