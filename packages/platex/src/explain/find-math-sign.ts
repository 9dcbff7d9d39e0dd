/**
 * The first "_" or "^" outside math in the argument that ends a line. TeX reads an argument as a whole, and reports the
 * sign at its "}". The index is counted from the beginning of the text; null if there is none.
 */
export function findMathSign(text: string): { readonly sign: string; readonly index: number } | null {
  const end = text.trimEnd()
  if (!end.endsWith('}')) return null
  let depth = 0
  let start = end.length - 1
  do {
    if (end[start] === '}' && end[start - 1] !== '\\') depth += 1
    else if (end[start] === '{' && end[start - 1] !== '\\') depth -= 1
    start -= 1
  } while (start >= 0 && depth > 0)
  const argument = end.slice(start + 1)
  // Formulas and escaped characters keep their length, so that the index remains right.
  const plain = argument.replaceAll(/\\.|\$[^$]*\$/g, (hidden) => ' '.repeat(hidden.length))
  const index = plain.search(/[_^]/)
  return index === -1 ? null : { sign: plain[index] ?? '', index: start + 1 + index }
}
