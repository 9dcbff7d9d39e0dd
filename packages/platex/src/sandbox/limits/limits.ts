/**
 * The limits of one run. TeX enforces none of them: a document may loop, flood the log, fill a table or fork. The
 * kernel enforces what it can per process (rlimits); limits of a whole compile are watched from outside.
 */

import { availableMemoryBytes } from './available-memory.ts'

const MIB = 1024 * 1024

/** Memory of a compile on a machine with this much: two at once leave a quarter of it. */
export function compileMemoryBytes(machineBytes: number): number {
  return Math.min(1536 * MIB, Math.floor((machineBytes * 3) / 8))
}

/** Kernel limits of each process, set inside the sandbox just before the program starts. */
export const PROCESS_LIMITS = {
  /** LuaTeX with a large CJK font needs about 0.6 GiB. */
  addressSpaceBytes: 2048 * MIB,
  /** An endless log or PDF ends with SIGXFSZ, earlier than the deadline. */
  fileBytes: 64 * MIB,
  openFiles: 256,
  stackBytes: 16 * MIB,
  /** Processes of one run, where the kernel counts them per user namespace. */
  processes: 64,
  /** Processes of the whole user, on older kernels. */
  processesOfUser: 1024,
} as const

/** Limits of a whole compile: its programs, and its folder beyond the input files. */
export const COMPILE_LIMITS = {
  /** Memory of all processes together, including files in memory. */
  memoryBytes: compileMemoryBytes(availableMemoryBytes()),
  /** Disk space that a compile may use, scratch included, in addition to its input files. */
  diskBytes: 256 * MIB,
  /** Files and folders that a compile may create, in addition to its input. */
  entries: 4000,
  /** Maximum depth of watched folders: bounds the walk through them. */
  folderDepth: 64,
  /** Standard output and standard error together. */
  outputBytes: 64 * MIB,
  /** Kept of standard output and of standard error, each. */
  keptOutputBytes: 4 * MIB,
} as const

/** Input of a compile: limits on results do not depend on the size of a project. */
export interface WorkspaceInputs {
  readonly bytes: number
  /** Files and folders. */
  readonly entries: number
}

/** Maximum size of the folder of a compile. */
export interface FolderBounds {
  readonly maxBytes: number
  /** Files and folders. */
  readonly maxEntries: number
}

/** Room for the inputs and the results: every project accepted by the settings of a host can be compiled. */
export function boundsOf(inputs: WorkspaceInputs): FolderBounds {
  return {
    maxBytes: inputs.bytes + COMPILE_LIMITS.diskBytes,
    maxEntries: inputs.entries + COMPILE_LIMITS.entries,
  }
}

/** Seconds of processor time that a process may use beyond its wall-clock budget before the kernel ends it. */
const CPU_GRACE_S = 2

/**
 * Arguments of `prlimit` for one program with `timeoutMs` of wall-clock time left.
 *
 * `maxProcesses` null sets no limit on processes: outside a user namespace it would count all of the user's.
 */
export function limitArguments(timeoutMs: number, maxProcesses: number | null): string[] {
  const cpuSeconds = Math.ceil(timeoutMs / 1000) + CPU_GRACE_S
  return [
    `--as=${PROCESS_LIMITS.addressSpaceBytes}`,
    // The soft limit raises SIGXCPU, which identifies the limit; the hard one is the fallback.
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
