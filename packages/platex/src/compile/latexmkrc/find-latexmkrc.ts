import { posix } from 'node:path'
import { jobPathsOf } from '../job-paths.ts'
import { MAX_CHARACTERS } from './tokenize-perl.ts'

export type ProjectFiles = ReadonlyMap<string, Uint8Array>

/** A latexmkrc, and what it sets. */
export interface Latexmkrc<Settings> {
  readonly path: string
  readonly folder: string
  readonly settings: Settings
}

const NAMES = ['.latexmkrc', 'latexmkrc']

/**
 * The first latexmkrc in which `parse` finds settings: beside the root file, otherwise in the root folder. Null if there is none:
 * others have settings that a compile does not read.
 */
export function findLatexmkrc<Settings>(
  files: ProjectFiles,
  rootFile: string,
  parse: (source: string) => Settings | null,
): Latexmkrc<Settings> | null {
  for (const folder of new Set([jobPathsOf(rootFile).folder, '']))
    for (const name of NAMES) {
      const path = posix.join(folder, name)
      const source = files.get(path)
      const settings = source === undefined ? null : parse(textOf(source))
      if (settings !== null) return { path, folder, settings }
    }
  return null
}

/** The part of a file that is parsed. A character has at most four bytes. */
function textOf(source: Uint8Array): string {
  const start = source.subarray(0, 4 * MAX_CHARACTERS)
  return Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('utf8')
}
