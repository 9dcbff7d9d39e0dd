/**
 * The files of one commit as an archive, streamed from `git archive`.
 *
 * Attributes in the tree apply: `export-ignore` omits files, `export-subst` inserts the commit. A filter runs a
 * program, so none is ever configured, and naming one has no effect. Symbolic links are stored as links and submodules
 * as empty folders: nothing outside of the tree is read.
 */
import { createGzip } from 'node:zlib'

import { isOutOfMemory } from '../process/run-git.ts'
import { MAX_READING_BYTES } from '../process/spawn-git.ts'
import { streamGit } from '../process/stream-git.ts'
import type { GitStream } from '../process/stream-git.ts'
import { readAhead } from './read-ahead.ts'

export const archiveFormats = ['zip', 'tar.gz'] as const

export type ArchiveFormat = (typeof archiveFormats)[number]

/** The commit, the format and the folder name. */
export interface ArchiveOptions {
  readonly commitId: string
  readonly format: ArchiveFormat
  /** Name of the top-level folder, without slashes. */
  readonly folder: string
}

/**
 * Starts git; null if the commit has too many files: git lists all before it writes the first, and its memory is limited.
 * A caller that does not read the body must cancel it.
 *
 * @throws Error when git fails at the start for another reason.
 */
export async function openArchive(
  gitDir: string,
  options: ArchiveOptions & { readonly searchPath: string },
): Promise<GitStream | null> {
  const { commitId, format, folder, searchPath } = options
  const kind = format === 'zip' ? 'zip' : 'tar'
  const through = format === 'zip' ? undefined : createGzip()
  const command = ['archive', `--format=${kind}`, `--prefix=${folder}/`, commitId] as const
  const { body, ended } = streamGit(command, { gitDir, searchPath, maxMemoryBytes: MAX_READING_BYTES, through })
  try {
    return { body: (await readAhead(body)).body, ended }
  } catch (error) {
    if (error instanceof Error && isOutOfMemory(error.message)) return null
    throw error
  }
}
