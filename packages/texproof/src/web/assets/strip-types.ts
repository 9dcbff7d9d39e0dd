import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * A script without its types. The result is kept in the compile cache, whose folder is of this version of Node.js: the
 * parser that strips types takes memory as long as the process runs, and most of the time of the first page.
 *
 * @param folder null = nothing is kept.
 */
export function stripTypes(source: string, folder: string | null = getCompileCacheDir() ?? null): string {
  if (folder === null) return stripTypeScriptTypes(source)
  const file = join(folder, 'scripts', `${createHash('sha256').update(source).digest('hex')}.js`)
  const kept = readKept(file)
  if (kept !== null) return kept
  const text = stripTypeScriptTypes(source)
  keep(file, text)
  return text
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null // Not kept yet: the types are stripped.
  }
}

function keep(file: string, text: string): void {
  // Threads share the process id, and containers have the same ones.
  const unfinished = `${file}.${randomUUID()}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(unfinished, text)
    renameSync(unfinished, file)
  } catch {
    // The folder cannot be written: every process strips the types, as without a compile cache.
  }
}
