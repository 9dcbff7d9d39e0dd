/**
 * Formats, unpacked once.
 *
 * TeX Live stores `pdflatex.fmt` compressed, and every pass unpacks its 20 to 40 MB: a third of the time of a short
 * document. An unpacked copy is the same format, so compiles differ only in duration.
 */

import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { prepareFolderOnce } from './cache-folder.ts'

/** Format → engine that loads it: the folder where TeX Live keeps it. */
const FORMATS = { pdflatex: 'pdftex', xelatex: 'xetex', lualatex: 'luahbtex', latex: 'pdftex' } as const

/** Formats of a TeX installation may be directly in a tree, or in its generated part. */
const GENERATED_PARTS = ['', 'texmf-var']

interface FoundFormat {
  readonly name: string
  readonly path: string
  /** Changes whenever the format is rebuilt. */
  readonly mark: string
}

/** Unpacks the formats below the trees once; null if there are none. */
export async function prepareFormats(cacheDir: string, trees: readonly string[]): Promise<string | null> {
  const formats = await findFormats(trees)
  if (formats.length === 0) return null
  const fingerprint = createHash('sha256')
    .update(formats.map(({ mark }) => mark).join('\n'))
    .digest('hex')
    .slice(0, 16)
  const folder = join(cacheDir, `formats-${fingerprint}`)
  try {
    await prepareFolderOnce(folder, (draft) => unpackAll(formats, draft))
    return folder
  } catch {
    return null // Engines then load the compressed formats, which is only slower.
  }
}

async function findFormats(trees: readonly string[]): Promise<readonly FoundFormat[]> {
  const found: FoundFormat[] = []
  for (const [name, engine] of Object.entries(FORMATS)) {
    const places = trees.flatMap((tree) =>
      GENERATED_PARTS.map((part) => join(tree, part, 'web2c', engine, `${name}.fmt`)),
    )
    for (const path of places) {
      const file = await stat(path).catch(() => null) // Not in this tree.
      if (file === null) continue
      found.push({ name, path, mark: `${path} ${file.size} ${file.mtimeMs}` })
      break
    }
  }
  return found
}

async function unpackAll(formats: readonly FoundFormat[], folder: string): Promise<void> {
  for (const { name, path } of formats) {
    const bytes = await readFile(path)
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    if (isPacked) await writeFile(join(folder, `${name}.fmt`), await promisify(gunzip)(bytes), { mode: 0o444 })
  }
}
