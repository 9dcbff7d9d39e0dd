import type { TreeFile } from '../types.ts'

/**
 * Parses the output of `git ls-tree -r -z --long`, `mode type id size TAB path NUL`, in the order of paths; null if
 * there are more than `maxFiles`. A submodule has no size.
 */
export function parseFileList(list: Uint8Array, { maxFiles }: { readonly maxFiles: number }): TreeFile[] | null {
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength)
  const files: TreeFile[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start)
    if (end === -1 || files.length === maxFiles) return null
    const tab = bytes.indexOf(0x09, start)
    const [mode = '', type = '', objectId = '', size = ''] = bytes.toString('latin1', start, tab).split(/ +/)
    const kind =
      type === 'commit' ? 'submodule' : mode === '120000' ? 'symlink' : mode === '100755' ? 'executable' : 'file'
    files.push({ path: bytes.toString('utf8', tab + 1, end), objectId, size: Number(size) || 0, kind })
    start = end + 1
  }
  return files
}
