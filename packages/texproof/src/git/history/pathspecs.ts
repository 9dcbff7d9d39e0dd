/**
 * Pathspecs of a file or folder, for queries with its path as it was decoded from a tree.
 *
 * Arguments are UTF-8, so invalid bytes of a name, decoded as U+FFFD, cannot be passed to git. Each then matches any byte
 * that is not printable ASCII, as in the addresses of pages, where such names are equal.
 */
export function pathspecsOf(path: string): readonly string[] {
  const literal = `:(literal)${path}`
  if (!path.includes('\uFFFD')) return [literal]
  const pattern = path.replaceAll(/[*?[\]\\]/g, String.raw`\$&`).replaceAll('\uFFFD', '[! -~]')
  // A pattern does not match the contents of a folder.
  return [literal, `:(glob)${pattern}`, `:(glob)${pattern}/**`]
}
