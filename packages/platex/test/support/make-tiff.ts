/** A TIFF image of one gray level, uncompressed. */
export function makeTiff(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height, 128)
  // Tag, type (3 = 16 bits, 4 = 32 bits) and value, in order of the tags.
  const entries: readonly (readonly [number, 3 | 4, number])[] = [
    [256, 3, width],
    [257, 3, height],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 3, height],
    [279, 4, pixels.length],
  ]
  const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  head.writeUInt32LE(8 + pixels.length, 4)
  const directory = Buffer.alloc(2 + entries.length * 12 + 4)
  directory.writeUInt16LE(entries.length, 0)
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 2 + index * 12
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(1, at + 4)
    directory.writeUInt32LE(value, at + 8)
  }
  return Buffer.concat([head, pixels, directory])
}
