/**
 * Side bands: one pkt-line stream that carries three. Band 1 is git's own answer, band 2 is text that the client prints
 * with `remote: ` before each line, band 3 is an error that ends the exchange. Source: gitprotocol-pack(5),
 * gitprotocol-capabilities(5).
 */
import { directionCharacters } from '../../domain/text/direction-characters.ts'
import { encodePktLine } from './pkt-line.ts'

/** Side band support of a client: packets up to 65520 bytes, up to 1000 bytes, or none. */
export type SideBand = 'side-band-64k' | 'side-band' | null

/** An empty packet on band 1, which git itself sends to keep an idle connection open. */
export const KEEP_ALIVE = encodePktLine(Uint8Array.of(1))

/** Encodes bytes for one band, in as many pkt-lines as necessary. */
export function encodeSideBand(
  band: 1 | 2 | 3,
  bytes: Uint8Array,
  sideBand: 'side-band-64k' | 'side-band',
): Uint8Array {
  const step = maxPacketBytes[sideBand] - 5
  const packets: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += step) {
    packets.push(encodePktLine(Buffer.concat([Uint8Array.of(band), bytes.subarray(start, start + step)])))
  }
  return Buffer.concat(packets)
}

/**
 * One line of text for the user, shown as `remote: {line}`; empty for a client without side bands.
 *
 * See `plainTerminalText` for what is removed.
 */
export function encodeRemoteLine(line: string, sideBand: SideBand): Uint8Array {
  if (sideBand === null) return new Uint8Array()
  return encodeSideBand(2, Buffer.from(`${plainTerminalText(line)}\n`), sideBand)
}

/**
 * Removes characters that control the terminal of the user, or change the order in which text is shown: names of files and
 * messages of other users can contain both.
 */
export function plainTerminalText(text: string): string {
  return text.replaceAll(controlCharacters, '').replaceAll(directionCharacters, '')
}

const maxPacketBytes = { 'side-band-64k': 65_520, 'side-band': 1_000 } as const

const controlCharacters = /\p{Cc}/gu
