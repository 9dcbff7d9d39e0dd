/**
 * The report at the end of a push: whether the pack was accepted, then one line per ref, `ok` or `ng` with a reason.
 *
 * An HTTP error would show as `RPC failed; HTTP 422` and hide the reason. Therefore every refusal, by git or by this
 * host, is a line of one report: the client prints ` ! [remote rejected] x -> x (reason)` and exits with 1. Source:
 * gitprotocol-pack(5), "Report Status".
 */
import type { RefRefusal } from './check-push.ts'
import { encodePktLine, flushPkt, maxPktPayloadBytes, readPktLine } from './pkt-line.ts'
import { encodeSideBand } from './side-band.ts'
import type { PushCommands } from './read-push-commands.ts'

/** Parses the lines of git's report, without newlines; empty if git ended before its report. */
export function parsePushReport(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let offset = 0; ;) {
    const packet = readPktLine(bytes, offset)
    if (packet.kind !== 'data') return lines
    const { payload } = packet
    lines.push(payload.at(-1) === newline ? payload.subarray(0, -1) : payload)
    offset = packet.end
  }
}

/** Whether a line of a report is of a ref that git moved. */
export function isAccepted(line: Uint8Array): boolean {
  return Buffer.from(line).toString('latin1').startsWith('ok ')
}

/**
 * The first line of a report. `problem` is the reason why the pack was refused, in one line; null = it was accepted.
 */
export function reportUnpack(problem: string | null): Uint8Array {
  return Buffer.from(`unpack ${problem ?? 'ok'}`)
}

/** The lines of a report for refused refs. */
export function* reportRefusals(refusals: readonly RefRefusal[]): Generator<Uint8Array> {
  for (const { refBytes, reason } of refusals) {
    const line = Buffer.concat([ngStart, refBytes, Buffer.from(` ${reason}`)])
    yield line.subarray(0, maxLineBytes)
  }
}

/** Replaces git's general reasons if the hook declined the push or the pack was refused. */
export function explainRefused(report: readonly Uint8Array[], reason: string): readonly Uint8Array[] {
  return report.map((line) => {
    const text = Buffer.from(line).toString('latin1')
    if (text.startsWith('unpack ') && text !== 'unpack ok') return reportUnpack(reason)
    const general = generalReasons.find((words) => text.startsWith('ng ') && text.endsWith(words))
    if (general === undefined) return line
    return Buffer.concat([line.subarray(0, line.length - general.length), Buffer.from(` ${reason}`)])
  })
}

/**
 * Encodes the lines of a report for the client, in parts of a few hundred lines, without the flush that ends the
 * answer. Empty for a client that requested no report.
 */
export function* encodePushReport(
  { capabilities, sideBand }: Pick<PushCommands, 'capabilities' | 'sideBand'>,
  lines: Iterable<Uint8Array>,
): Generator<Uint8Array> {
  if (!capabilities.has('report-status') && !capabilities.has('report-status-v2')) return
  const wrap = (part: Uint8Array): Uint8Array => (sideBand === null ? part : encodeSideBand(1, part, sideBand))
  let part: Uint8Array[] = []
  for (const line of lines) {
    part.push(encodePktLine(Buffer.concat([line, lineEnd])))
    if (part.length < linesPerPart) continue
    yield wrap(Buffer.concat(part))
    part = []
  }
  yield wrap(Buffer.concat([...part, flushPkt]))
}

const newline = 10
const maxLineBytes = maxPktPayloadBytes - 1
const lineEnd = Uint8Array.of(newline)
const ngStart = Buffer.from('ng ')
const generalReasons = [' pre-receive hook declined', ' unpacker error']
/** Encoding 80,000 lines at once would delay other requests. */
const linesPerPart = 500
