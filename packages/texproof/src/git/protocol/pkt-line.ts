/**
 * The framing of git's protocol: four hex digits of length (including the digits), then the payload.
 *
 * Lengths 0, 1 and 2 have no payload and are special packets: flush (end of a section), delimiter and response end.
 * Reading is a pure function of the available bytes, so it works for complete and for growing buffers. Source:
 * gitprotocol-common(5).
 */

/** Maximum payload of one pkt-line in bytes. */
export const maxPktPayloadBytes = 65_516

/** The packet that ends a section. */
export const flushPkt: Uint8Array = Buffer.from('0000')

/** The packet at an offset of a stream; `end` is the offset after it. */
export type PktRead =
  | { readonly kind: 'data'; readonly payload: Uint8Array; readonly end: number }
  | { readonly kind: 'flush' | 'delimiter' | 'response-end'; readonly end: number }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }

/** Reads the pkt-line at an offset without copying its payload. */
export function readPktLine(bytes: Uint8Array, offset = 0): PktRead {
  if (bytes.length - offset < 4) return { kind: 'incomplete' }
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset + offset, 4).toString('latin1')
  if (!/^[0-9a-f]{4}$/i.test(digits)) return { kind: 'malformed' }
  const length = Number.parseInt(digits, 16)
  const mark = marks[length]
  if (mark !== undefined) return { kind: mark, end: offset + 4 }
  if (length < 4 || length - 4 > maxPktPayloadBytes) return { kind: 'malformed' }
  const end = offset + length
  if (end > bytes.length) return { kind: 'incomplete' }
  return { kind: 'data', payload: bytes.subarray(offset + 4, end), end }
}

/**
 * Encodes one payload; text is sent as UTF-8.
 *
 * @throws RangeError when the payload is too long for one pkt-line.
 */
export function encodePktLine(payload: Uint8Array | string): Uint8Array {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (body.length > maxPktPayloadBytes) throw new RangeError('payload does not fit one pkt-line')
  const length = (body.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(length), body])
}

/**
 * The packets that precede git's answer to `info/refs?service=…`.
 *
 * Empty for a fetch with protocol version 2, whose answer begins with the capabilities. Version 2 has no push, so git
 * answers a push with version 0 or 1. Source: gitprotocol-http(5), gitprotocol-v2(5).
 */
export function encodeServiceHeader(service: 'upload-pack' | 'receive-pack', protocol: string | null): Uint8Array {
  if (service === 'upload-pack' && protocol === 'version=2') return new Uint8Array()
  return Buffer.concat([encodePktLine(`# service=git-${service}\n`), flushPkt])
}

const marks: readonly ('flush' | 'delimiter' | 'response-end')[] = ['flush', 'delimiter', 'response-end']
