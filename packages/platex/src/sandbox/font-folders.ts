import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders of the host's fonts and of the configuration of fontconfig. */
const HOST_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '/etc/fonts']
/** `/usr/share/fonts/truetype/dejavu` is two levels down. */
const DEPTH = 2

/** All folders whose time changes when a font of the host is added or removed, sorted. */
export async function listFontFolders(tops: readonly string[] = HOST_FOLDERS): Promise<readonly string[]> {
  const found = [...tops]
  let level = tops
  for (let depth = 0; depth < DEPTH; depth += 1) {
    level = (await Promise.all(level.map(listSubfolders))).flat()
    found.push(...level)
  }
  return found.sort()
}

/** Changes whenever a file is added to one of the folders or removed from it. */
export async function fingerprintFolders(folders: readonly string[]): Promise<string> {
  const marks = await Promise.all(
    folders.map((folder) =>
      stat(folder).then(
        ({ mtimeMs }) => `${folder} ${mtimeMs}\n`,
        () => '',
      ),
    ),
  )
  return createHash('sha256').update(marks.join('')).digest('hex').slice(0, 16)
}

async function listSubfolders(folder: string): Promise<readonly string[]> {
  // Missing or unreadable: it has no fonts.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))
}
