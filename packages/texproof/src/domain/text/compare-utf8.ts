/**
 * Compares two strings by their UTF-8 bytes: the order of git refs and of tree entries.
 *
 * JavaScript compares UTF-16 code units, which differs in one case: a surrogate (part of a character above U+FFFF)
 * sorts below U+E000..U+FFFF, but above them in UTF-8.
 */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const leftUnit = left.charCodeAt(index)
    const rightUnit = right.charCodeAt(index)
    if (leftUnit !== rightUnit) return rank(leftUnit) - rank(rightUnit)
  }
  return left.length - right.length
}

function rank(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
  return isSurrogate ? unit + 0x10000 : unit
}
