/**
 * Resource limits of one push, besides the bytes that it sends.
 *
 * A pack of one kilobyte can contain objects that unpack to gigabytes: zeros, and deltas that repeat their base. The
 * kernel limits time, memory and disk space of each git process, git limits the size of one object in memory, and a
 * hook, which runs before any ref moves, limits the total size of all objects. Ordinary histories stay far below: even
 * Linux has a ratio of 70.
 */
import { PUSH_MEMORY } from './push-memory.ts'

/** CPU time of one process of a push. */
const MAX_CPU_S = 120
/** One object that git must keep in memory. Blobs above `core.bigFileThreshold` that are not deltas are streamed. */
const MAX_OBJECT_BYTES = 512 * 1024 * 1024
/** Duration of a whole push: a gigabyte over a slow connection, and git's work. */
export const MAX_RECEIVE_MS = 3_600_000
/** Every push may unpack to this size … */
const UNPACKED_FLOOR_BYTES = 512 * 1024 * 1024
/** … and a larger one to this multiple of its size. */
const MAX_UNPACKED_RATIO = 200

/** The start of a command line that limits a program; `maxInputBytes` bounds the files that it writes. */
export function limitedCommand({
  maxInputBytes,
  maxMemoryBytes = PUSH_MEMORY.largeBytes,
}: {
  readonly maxInputBytes: number
  readonly maxMemoryBytes?: number | undefined
}): readonly [string, ...string[]] {
  // A thin pack is completed with the bases of its deltas, so it may grow; its index is a second file.
  const maxFileBytes = 2 * maxInputBytes + UNPACKED_FLOOR_BYTES
  return [
    'prlimit',
    `--cpu=${MAX_CPU_S}:${MAX_CPU_S + 2}`,
    `--data=${maxMemoryBytes}`,
    `--fsize=${maxFileBytes}`,
    '--core=0',
    '--',
  ]
}

/** Environment variables of the hook. */
export const receiveEnvironment: Readonly<Record<string, string>> = {
  TEXPROOF_UNPACKED_FLOOR: String(UNPACKED_FLOOR_BYTES),
  TEXPROOF_UNPACKED_RATIO: String(MAX_UNPACKED_RATIO),
}

/**
 * Why git refused a pack, in one line with the limit; null if no limit of this host was the reason. `output` is git's
 * standard error, `tooLarge` what to say of a pack larger than `maxInputBytes`.
 */
export function explainRefusedPack(
  output: string,
  { tooLarge, maxMemoryBytes }: { readonly tooLarge: string; readonly maxMemoryBytes: number },
): string | null {
  const unpacked = /the push unpacks to .*/.exec(output)
  if (unpacked !== null) return unpacked[0]
  if (/pack exceeds maximum allowed size/.test(output)) return tooLarge
  if (/attempting to allocate \d+ over limit/.test(output))
    return `an object of the push is larger than the limit of ${inMegabytes(MAX_OBJECT_BYTES)}`
  if (/out of memory|malloc failed|cannot allocate memory/i.test(output)) return explainMemory(maxMemoryBytes)
  if (/died of signal (24|9)\b/.test(output))
    return `unpacking the push takes more than the limit of ${MAX_CPU_S} s of CPU time`
  if (/no space left on device|disk quota exceeded/i.test(output))
    return 'the disk of the server is full; nothing was changed: contact the administrator and push again later'
  if (/read-only file system/i.test(output))
    return 'the disk of the server is read-only; nothing was changed: contact the administrator and push again later'
  if (/died of signal 25\b|file too large/i.test(output)) return 'the push takes too much space on disk'
  return null
}

function explainMemory(maxMemoryBytes: number): string {
  if (maxMemoryBytes < PUSH_MEMORY.largeBytes)
    return `unpacking the push needs more than ${inMegabytes(maxMemoryBytes)} of memory, and the server is busy with other pushes: push again later`
  return `unpacking the push needs more than the limit of ${inMegabytes(maxMemoryBytes)} of memory`
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MB`
}
