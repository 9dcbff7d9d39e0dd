/**
 * The bounding box in the comments of an EPS picture. Ghostscript reads it itself (`-dEPSCrop`), but only if the first line says
 * EPSF, and never at the end of the file, where many programs write it. It also prefers `%%HiResBoundingBox`, which TeX and
 * epstopdf ignore: the picture would have another size than on the machine of its author.
 */

/** In points. The size is positive. */
export interface BoundingBox {
  readonly left: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

/** Comments are in the first lines, and in the last ones. */
const MAX_SCANNED_BYTES = 64 * 1024
/** Longer sides are a mistake: 35 m. */
const MAX_SIDE = 100_000
/** The limit for comments in PostScript. */
const MAX_LINE = 255
const COMMENT = new RegExp(
  String.raw`^%%BoundingBox:${String.raw`\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+))(?=\s|$)`.repeat(4)}`,
)
const AT_END = /^%%BoundingBox:\s*\(atend\)/
/** A file with a preview for Windows begins with these bytes, then the position and the length of the PostScript. */
const PREVIEW_MAGIC = 0xc5d0d3c6
const PREVIEW_HEADER_BYTES = 30

/** Reads the bounding box; null if the picture has none. */
export function readBoundingBox(picture: Uint8Array): BoundingBox | null {
  const bytes = findPostScript(Buffer.from(picture.buffer, picture.byteOffset, picture.length))
  // The first line may begin with commands for a printer.
  for (const line of linesOf(bytes.subarray(0, MAX_SCANNED_BYTES)).slice(1)) {
    if (AT_END.test(line)) return readLastBox(linesOf(bytes.subarray(-MAX_SCANNED_BYTES)))
    if (COMMENT.test(line)) return parseBox(line)
    if (line.startsWith('%%EndComments') || (/\S/.test(line) && !line.startsWith('%'))) return null
  }
  return null
}

function findPostScript(bytes: Buffer): Buffer {
  if (bytes.length < PREVIEW_HEADER_BYTES || bytes.readUInt32BE(0) !== PREVIEW_MAGIC) return bytes
  const at = bytes.readUInt32LE(4)
  return bytes.subarray(at, at + bytes.readUInt32LE(8))
}

function linesOf(bytes: Buffer): readonly string[] {
  const lines = bytes.toString('latin1').split(/\r\n?|\n/)
  return lines.map((line) => line.slice(0, MAX_LINE))
}

/** Pictures in the picture have their own box before it. */
function readLastBox(lines: readonly string[]): BoundingBox | null {
  const line = lines.findLast((one) => COMMENT.test(one))
  return line === undefined ? null : parseBox(line)
}

function parseBox(line: string): BoundingBox | null {
  const [left = 0, bottom = 0, right = 0, top = 0] = (COMMENT.exec(line) ?? []).slice(1).map(Number)
  // Without the noise of binary fractions.
  const [width, height] = [right - left, top - bottom].map((side) => Number(side.toFixed(4)))
  const isSize = (side: number): boolean => side > 0 && side <= MAX_SIDE
  return isSize(width ?? 0) && isSize(height ?? 0) ? { left, bottom, width: width ?? 0, height: height ?? 0 } : null
}
