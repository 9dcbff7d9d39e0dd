/**
 * The ceilings of one run. TeX is honest about none of them: a document may loop, flood the log, fill a table or fork.
 * The kernel enforces what it can per process (rlimits); what belongs to a whole compile is watched from outside.
 */

const MIB = 1024 * 1024

/** Kernel limits of each process, set inside the sandbox just before the program starts. */
export const PROCESS_LIMITS = {
  /** LuaTeX with a large CJK font needs about 0.6 GiB. */
  addressSpaceBytes: 2048 * MIB,
  /** A log or PDF flood ends with SIGXFSZ, which is quicker than the deadline. */
  fileBytes: 64 * MIB,
  openFiles: 256,
  stackBytes: 16 * MIB,
  /** Processes of one run, where the kernel counts them per user namespace. */
  processes: 64,
  /** Processes of the whole user, on older kernels. */
  processesOfUser: 1024,
} as const

/** Ceilings of everything one run started, watched from outside. */
export const COMPILE_LIMITS = {
  memoryBytes: 1536 * MIB,
  diskBytes: 256 * MIB,
  entries: 4000,
  folderDepth: 64,
  /** Standard output and standard error together. */
  outputBytes: 64 * MIB,
  /** Kept of standard output and of standard error, each. */
  keptOutputBytes: 4 * MIB,
} as const

/** Pause between two looks of the watcher: a run shorter than this is never looked at. */
export const WATCH_INTERVAL_MS = 100

/** Seconds of processor time one process may use beyond the wall-clock budget, before the kernel ends it. */
const CPU_GRACE_S = 2

/**
 * Arguments of `prlimit` for one program that has `timeoutMs` of wall-clock time left.
 *
 * `maxProcesses` null leaves the number of processes alone: outside a user namespace it counts all of the user's.
 */
export function limitArguments(timeoutMs: number, maxProcesses: number | null): string[] {
  const cpuSeconds = Math.ceil(timeoutMs / 1000) + CPU_GRACE_S
  return [
    `--as=${PROCESS_LIMITS.addressSpaceBytes}`,
    // The soft limit raises SIGXCPU, which tells a limit from any other kill; the hard one is the backstop.
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
    `--fsize=${PROCESS_LIMITS.fileBytes}`,
    ...(maxProcesses === null ? [] : [`--nproc=${maxProcesses}`]),
    `--nofile=${PROCESS_LIMITS.openFiles}`,
    `--stack=${PROCESS_LIMITS.stackBytes}`,
    '--core=0',
    '--memlock=0',
    '--msgqueue=0',
  ]
}
