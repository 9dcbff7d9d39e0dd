import type { TreeEntry } from '../types.ts'

/**
 * Parses the bytes of a tree object in git's order, at most `maxEntries`; null if they are invalid.
 *
 * `idBytes` is 20 for SHA-1 and 32 for SHA-256. Invalid UTF-8 in names is replaced with U+FFFD, including for lookups.
 */
export function parseTree(
  bytes: Uint8Array,
  idBytes: number,
  maxEntries = Number.POSITIVE_INFINITY,
): readonly TreeEntry[] | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries: TreeEntry[] = []
  for (let start = 0; start < buffer.length && entries.length < maxEntries;) {
    const space = buffer.indexOf(0x20, start)
    const nul = buffer.indexOf(0x00, start)
    const end = nul + 1 + idBytes
    if (space === -1 || nul < space || end > buffer.length) return null
    const kind = kindOfMode(buffer.toString('latin1', start, space))
    if (kind === null) return null
    entries.push({
      name: buffer.toString('utf8', space + 1, nul),
      kind,
      objectId: buffer.toString('hex', nul + 1, end),
    })
    start = end
  }
  return entries
}

/** Finds one entry without reading the others: a tree has up to 200,000. */
export function findTreeEntry(bytes: Uint8Array, idBytes: number, name: string): TreeEntry | null {
  // A name with invalid UTF-8 is found by its decoded form.
  if (name.includes('\uFFFD')) return parseTree(bytes, idBytes)?.find((entry) => entry.name === name) ?? null
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const wanted = Buffer.from(name)
  for (let start = 0; start < buffer.length;) {
    const space = buffer.indexOf(0x20, start)
    const nul = buffer.indexOf(0x00, start)
    if (space === -1 || nul < space) return null
    const end = nul + 1 + idBytes
    const isSameLength = nul - space - 1 === wanted.length
    if (isSameLength && buffer.compare(wanted, 0, wanted.length, space + 1, nul) === 0)
      return parseTree(buffer.subarray(start, end), idBytes)?.[0] ?? null
    start = end
  }
  return null
}

/** Old histories contain `040000` and `100664`, so the bits are compared, not the text. */
function kindOfMode(mode: string): TreeEntry['kind'] | null {
  if (!/^[0-7]{5,6}$/.test(mode)) return null
  const bits = Number.parseInt(mode, 8)
  if ((bits & 0o170000) !== 0o100000) return kinds[bits & 0o170000] ?? null
  return (bits & 0o100) === 0 ? 'file' : 'executable'
}

const kinds: Readonly<Record<number, TreeEntry['kind']>> = {
  0o040000: 'folder',
  0o120000: 'symlink',
  0o160000: 'submodule',
}
