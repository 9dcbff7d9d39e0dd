/**
 * Reads the header of an image without decoding it. The format follows from the first bytes, never from a file name or
 * media type sent by the client. The size is checked first, because a small file can decode to gigabytes.
 *
 * Source: PNG specification §5 and §11.2.2; ISO/IEC 10918-1 annex B; RFC 9649 §2.
 */

/** Accepted formats. */
export type PictureFormat = 'png' | 'jpeg' | 'webp'

/** The header of an image. */
export interface PictureHeader {
  readonly format: PictureFormat
  /** Width in pixels. */
  readonly width: number
  readonly height: number
  readonly isAnimated: boolean
  /** Whether the file is complete: the JPEG decoder fills missing parts with gray. */
  readonly isWhole: boolean
}

/** Reads the header; null if the file is not an image of a known format. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (view.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(view)
    if (view.readUInt16BE(0) === JPEG_START) return readJpeg(view)
    if (view.toString('latin1', 0, 4) === 'RIFF' && view.toString('latin1', 8, 12) === 'WEBP') return readWebp(view)
    return null
  } catch (error) {
    // A read beyond the end: the file is shorter than its header says.
    if (error instanceof RangeError) return null
    throw error
  }
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG_START = 0xffd8
const JPEG_END = Buffer.from([0xff, 0xd9])
/** Markers of frames that a decoder supports. C4, C8 and CC are not frames, although they are in the same range. */
const JPEG_FRAMES: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
])

/** Reads chunks up to the first with pixels. The chunk of an animation precedes it. */
function readPng(view: Buffer): PictureHeader | null {
  if (view.toString('latin1', 12, 16) !== 'IHDR') return null
  const size = { width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
  let isAnimated = false
  let type = 'IHDR'
  for (let at = 8; type !== 'IDAT'; at += 12 + view.readUInt32BE(at)) {
    type = view.toString('latin1', at + 4, at + 8)
    isAnimated ||= type === 'acTL'
  }
  return { format: 'png', ...size, isAnimated, isWhole: true }
}

/** Reads segments up to the frame with the size, then on to the pixels. */
function readJpeg(view: Buffer): PictureHeader | null {
  let size: { readonly width: number; readonly height: number } | null = null
  let at = 2
  for (;;) {
    if (view[at] !== 0xff) return null
    const marker = view.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (JPEG_FRAMES.has(marker)) {
      // Two frames in one file may declare different sizes.
      if (size !== null) return null
      size = { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
    }
    const next = at + 2 + view.readUInt16BE(at + 2)
    if (marker === 0xda) {
      return size === null
        ? null
        : { format: 'jpeg', ...size, isAnimated: false, isWhole: view.indexOf(JPEG_END, next) !== -1 }
    }
    at = next
  }
}

function readWebp(view: Buffer): PictureHeader | null {
  const isWhole = view.length >= 8 + view.readUInt32LE(4)
  const of = (width: number, height: number, isAnimated: boolean): PictureHeader => {
    return { format: 'webp', width, height, isAnimated, isWhole }
  }
  switch (view.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return of(view.readUInt16LE(26) & 0x3fff, view.readUInt16LE(28) & 0x3fff, false)
    case 'VP8L': {
      const bits = view.readUInt32LE(21)
      return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, false)
    }
    case 'VP8X':
      return of(view.readUIntLE(24, 3) + 1, view.readUIntLE(27, 3) + 1, (view.readUInt8(20) & 0x02) !== 0)
    default:
      return null
  }
}
