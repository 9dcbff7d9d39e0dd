/**
 * The last pages of an XDV file, as a file of its own. A driver that reads from a pipe cannot choose pages: it takes the
 * first ones and gives them the numbers of the wanted ones.
 *
 * Format: XDV is DVI with more commands. Each page begins with the position of the one before it, and the end of the file
 * has the position of the last page, their number, and the definitions of all fonts.
 */

const BEGIN_PAGE = 139
const POSTAMBLE = 248
const END_OF_POSTAMBLE = 249
const PADDING = 223
/** Bytes from the command to the position of the page before: ten counters. */
const TO_EARLIER_PAGE = 41
/** The command of the postamble and its numbers; font definitions follow. */
const POSTAMBLE_BYTES = 29
/** The last command: the position of the postamble, and the version of the format. */
const TAIL_BYTES = 6

/** Null if the file is not as the format says: a document can write one of its own. */
export function dropEarlierPages(xdv: Uint8Array, firstPage: number): Uint8Array | null {
  const file = Buffer.from(xdv.buffer, xdv.byteOffset, xdv.byteLength)
  const tail = findTail(file)
  if (tail === null) return null
  const postamble = file.readUInt32BE(tail + 1)
  if (postamble + POSTAMBLE_BYTES > tail || file[postamble] !== POSTAMBLE) return null
  const pages = listPages(file, postamble)
  const [first] = pages
  const wanted = pages[firstPage - 1]
  if (first === undefined || wanted === undefined) return null
  const fonts = file.subarray(postamble + POSTAMBLE_BYTES, tail)
  return Buffer.concat([file.subarray(0, first), fonts, file.subarray(wanted)])
}

function findTail(file: Buffer): number | null {
  let end = file.length
  while (end > 0 && file[end - 1] === PADDING) end -= 1
  const tail = end - TAIL_BYTES
  return tail >= 0 && file[tail] === END_OF_POSTAMBLE ? tail : null
}

/** Where each page begins, in order; empty if the positions are wrong. */
function listPages(file: Buffer, postamble: number): readonly number[] {
  const pages: number[] = []
  let before = postamble
  for (let at = file.readInt32BE(postamble + 1); at !== -1; at = file.readInt32BE(at + TO_EARLIER_PAGE)) {
    if (at < 0 || at >= before || at + TO_EARLIER_PAGE + 4 > postamble || file[at] !== BEGIN_PAGE) return []
    pages.push(at)
    before = at
  }
  return pages.toReversed()
}
