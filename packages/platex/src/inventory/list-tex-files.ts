import { readFile, readdir } from 'node:fs/promises'

import type { Sandbox } from '../sandbox/types.ts'

/** System fonts, which LuaTeX and XeTeX use, too. */
const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts']

/** Names, without folders, of the files that TeX can load. */
export interface TexFiles {
  readonly packages: ReadonlySet<string>
  readonly classes: ReadonlySet<string>
  readonly fonts: ReadonlySet<string>
}

/** Reads the file lists (`ls-R`) of the TeX trees, and the font folders. */
export async function listTexFiles(sandbox: Pick<Sandbox, 'ask'>): Promise<TexFiles> {
  const lists = (await sandbox.ask('kpsewhich', ['-all', 'ls-R']))?.split('\n').filter((path) => path.startsWith('/'))
  const found = { packages: new Set<string>(), classes: new Set<string>(), fonts: new Set<string>() }
  // A tree without ls-R lists nothing.
  for (const path of lists ?? []) collect(found, (await readFile(path, 'utf8').catch(() => '')).split('\n'))
  for (const folder of FONT_FOLDERS) {
    const names = await readdir(folder, { recursive: true }).catch(() => []) // Absent: no fonts.
    collect(
      found,
      names.map((name) => name.slice(name.lastIndexOf('/') + 1)),
    )
  }
  return found
}

function collect(found: { [Kind in keyof TexFiles]: Set<string> }, names: readonly string[]): void {
  for (const name of names) {
    const dot = name.lastIndexOf('.')
    const extension = name.slice(dot + 1)
    if (extension === 'sty') found.packages.add(name.slice(0, dot))
    else if (extension === 'cls') found.classes.add(name.slice(0, dot))
    else if (/^(?:otf|ttf|ttc)$/i.test(extension)) found.fonts.add(name)
  }
}
