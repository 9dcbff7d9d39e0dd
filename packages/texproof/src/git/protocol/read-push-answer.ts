/**
 * Parses the output of `git receive-pack` during a push.
 *
 * With side bands, the report is wrapped in band 1, and the answer ends with a flush, after which clients stop reading.
 * The report is held back: more lines are added to it, and band 2 packets with the push output follow before the answer
 * ends. The client prints them as `remote:` lines.
 */
import { readPktLine } from './pkt-line.ts'
import type { SideBand } from './side-band.ts'

/** The end of git's output. */
export interface PushAnswer {
  /** Bytes of the report. */
  readonly report: Uint8Array
  /** The last of the progress and messages that were forwarded. */
  readonly messages: string
}

const MAX_MESSAGE_CHARACTERS = 8 * 1024

/** Forwards progress, messages and keep-alives as they arrive; returns the report at the end. */
export async function* readPushAnswer(
  answer: AsyncIterable<Uint8Array>,
  sideBand: SideBand,
): AsyncGenerator<Uint8Array, PushAnswer> {
  let messages = ''
  const report: Uint8Array[] = []
  let pending: Uint8Array = new Uint8Array()
  for await (const chunk of answer) {
    if (sideBand === null) {
      report.push(chunk)
      continue
    }
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    let offset = 0
    for (;;) {
      const packet = readPktLine(bytes, offset)
      if (packet.kind === 'incomplete') break
      if (packet.kind === 'malformed') throw new Error('git answered a push with no packet')
      if (packet.kind === 'data') {
        const isReport = packet.payload[0] === 1 && packet.payload.length > 1
        if (isReport) report.push(packet.payload.subarray(1))
        else {
          messages = (messages + Buffer.from(packet.payload.subarray(1)).toString()).slice(-MAX_MESSAGE_CHARACTERS)
          yield bytes.subarray(offset, packet.end)
        }
      }
      offset = packet.end
    }
    pending = bytes.subarray(offset)
  }
  return { report: Buffer.concat(report), messages }
}
