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

/** Ceilings of a whole compile: its programs, and its folder beyond the files it was given. */
export const COMPILE_LIMITS = {
  /** Of all processes together, files they wrote to memory included. */
  memoryBytes: 1536 * MIB,
  /** What a compile may write to disk, scratch included; the files it was given come on top. */
  diskBytes: 256 * MIB,
  /** Files and folders that a compile may make; those it was given come on top. */
  entries: 4000,
  /** Only where folders are watched: a walk through them must end. */
  folderDepth: 64,
  /** Standard output and standard error together. */
  outputBytes: 64 * MIB,
  /** Kept of standard output and of standard error, each. */
  keptOutputBytes: 4 * MIB,
} as const

/** What a compile is given: no limit on results depends on how large a project is. */
export interface WorkspaceInputs {
  readonly bytes: number
  /** Files and folders. */
  readonly entries: number
}

/** How far the folder of a compile may grow. */
export interface FolderBounds {
  readonly maxBytes: number
  /** Files and folders. */
  readonly maxEntries: number
}

/** The inputs and room for results: whatever the settings of a host accept as a project can be compiled. */
export function boundsOf(inputs: WorkspaceInputs): FolderBounds {
  return {
    maxBytes: inputs.bytes + COMPILE_LIMITS.diskBytes,
    maxEntries: inputs.entries + COMPILE_LIMITS.entries,
  }
}

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
