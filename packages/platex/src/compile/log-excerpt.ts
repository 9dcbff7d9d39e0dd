/**
 * The beginning and the end of a log.
 *
 * A document in a loop writes 60 MB of log; parsing all of it takes seconds and hundreds of megabytes. The first errors
 * are at the beginning, the outcome and the statistics at the end.
 */
import type { FileEnds } from '../sandbox/read-result.ts'

const MIB = 1024 * 1024
const LINE_FEED = 10

/**
 * Maximum size of a log that is parsed completely. Ordinary logs have up to 1 MiB, logs of a large book with tracing
 * a few.
 */
export const PARSED_LOG = { headBytes: 3 * MIB, tailBytes: MIB } as const

/** Maximum size of a log, or output stream, that is kept for display. */
const KEPT_HEAD_BYTES = 768 * 1024
const KEPT_TAIL_BYTES = 256 * 1024
export const KEPT_BYTES = KEPT_HEAD_BYTES + KEPT_TAIL_BYTES

/** Complete lines from both ends of a log. */
export function joinEnds({ head, tail }: FileEnds): Uint8Array {
  if (tail.length === 0) return head
  const headEnd = head.lastIndexOf(LINE_FEED) + 1
  const tailStart = tail.indexOf(LINE_FEED) + 1
  return Buffer.concat([head.subarray(0, headEnd), Buffer.from('\n'), tail.subarray(tailStart)])
}

/** A log without its last line if that is not complete: the buffer of an engine that was killed ends anywhere. */
export function dropUnfinishedLine(log: Uint8Array): Uint8Array {
  return log.subarray(0, log.lastIndexOf(LINE_FEED) + 1)
}

/** Number of bytes of a log that are not parsed. */
export function countSkippedBytes({ head, tail, sizeBytes }: FileEnds): number {
  return sizeBytes - head.length - tail.length
}

/** At most `KEPT_BYTES` of a log, with a note where the middle is missing. Copies, so that the rest can be freed. */
export function keepEnds({ head, tail, sizeBytes }: FileEnds): Uint8Array<ArrayBuffer> {
  if (sizeBytes <= KEPT_BYTES && tail.length === 0) return new Uint8Array(head)
  const note = Buffer.from(`\n[… ${sizeBytes - KEPT_BYTES} bytes left out …]\n`)
  const keptTail = (tail.length === 0 ? head : tail).subarray(note.length - KEPT_TAIL_BYTES)
  return new Uint8Array(Buffer.concat([head.subarray(0, KEPT_HEAD_BYTES), note, keptTail]))
}

/** Like `keepEnds`, for output that is in memory. */
export function keepOutput(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= KEPT_BYTES) return bytes
  return keepEnds({ head: bytes, tail: new Uint8Array(), sizeBytes: bytes.length })
}
