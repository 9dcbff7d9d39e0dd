import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Documentation that a compile never reads. */
const UNUSED = /\.(?:html?|zip)$/
const MAX_FILE_BYTES = 20_000_000
const MAX_FILES = 800

/** The folder of a document as a project. Files that the packager compressed are unpacked. */
export async function readProject(
  rootFile: string,
): Promise<{ readonly rootFile: string; readonly files: ReadonlyMap<string, Uint8Array> }> {
  const folder = dirname(rootFile)
  const files = new Map<string, Uint8Array>()
  for (const path of await listFiles(folder)) {
    if (files.size >= MAX_FILES) break
    if (UNUSED.test(path) || (await stat(path)).size > MAX_FILE_BYTES) continue
    const bytes = await readFile(path)
    const isPacked = path.endsWith('.gz') && !path.endsWith('.synctex.gz')
    const name = relative(folder, isPacked ? path.slice(0, -3) : path)
    files.set(name, isPacked ? gunzipSync(bytes) : bytes)
  }
  // Most folders contain the finished PDF, which must not be mistaken for a result.
  files.delete(`${basename(rootFile, '.tex')}.pdf`)
  return { rootFile: basename(rootFile), files }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return listFiles(path)
      const isFile = entry.isFile() || (await stat(path).catch(() => null))?.isFile() === true
      return isFile ? [path] : []
    }),
  )
  // Files of a folder before files of its subfolders: the limit omits the deepest first.
  return found.flat().toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
}
