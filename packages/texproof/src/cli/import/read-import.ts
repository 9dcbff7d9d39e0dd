import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { importLimits, type ArchiveEntry } from '../../operations/import/archive-limits.ts'
import type { ImportedFolder, ImportSource } from '../../operations/import/read-archive.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'

/**
 * Reads what a command imports. Links are not followed, so that no file outside a folder is imported. The contents of
 * `.git` are not listed.
 *
 * @throws CliError 2 if it cannot be read, 6 for an archive that is too large.
 */
export async function readImport(path: string): Promise<ImportSource> {
  try {
    const found = await stat(path)
    const fileName = basename(await realpath(path))
    if (found.isDirectory()) return { fileName, entries: await readFolder(path) }
    if (found.size <= importLimits.unpackedBytes) return { fileName, bytes: await readFile(path) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const reason = code === 'ENOENT' ? 'not found' : code === 'EACCES' ? 'is not readable' : 'cannot be read'
    throw new CliError(`${path} ${reason}`, { exitCode: exitCodes.usage })
  }
  throw new CliError(`${path} is larger than ${formatBytes(importLimits.unpackedBytes)}`, {
    exitCode: exitCodes.tooLarge,
    remedy: 'Remove files that the document does not need.',
  })
}

/** Reads files up to the limits of an import; the import then refuses the folder. */
async function readFolder(root: string): Promise<ImportedFolder['entries']> {
  const entries: ImportedFolder['entries'][number][] = []
  let leftBytes: number = importLimits.unpackedBytes
  for await (const { name, kind } of walk(root, '')) {
    if (entries.length > importLimits.entries) break
    const size = kind === 'file' ? (await stat(join(root, name))).size : 0
    const isRead = kind === 'file' && size <= Math.min(leftBytes, importLimits.fileBytes)
    leftBytes -= size
    entries.push({ name, kind, size, bytes: isRead ? await readFile(join(root, name)) : null })
  }
  return entries
}

async function* walk(root: string, folder: string): AsyncGenerator<Pick<ArchiveEntry, 'name' | 'kind'>> {
  const found = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = join(folder, entry.name)
    // The import skips a name that is not UTF-8, which Node.js cannot open.
    if (name.includes('\u{FFFD}')) yield { name, kind: 'device' }
    else if (entry.isSymbolicLink()) yield { name, kind: 'link' }
    else if (entry.isFile()) yield { name, kind: 'file' }
    else if (!entry.isDirectory()) yield { name, kind: 'device' }
    else if (entry.name === '.git') yield { name, kind: 'device' }
    else yield* walk(root, name)
  }
}
