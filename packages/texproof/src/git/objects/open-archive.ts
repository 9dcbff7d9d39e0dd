/**
 * The files of one commit as an archive, streamed from `git archive`.
 *
 * Attributes that the tree itself brings are obeyed as far as they are its author's to say: `export-ignore` leaves
 * files out, `export-subst` fills in the commit. A filter runs a program, so none is ever configured, and naming one
 * does nothing. Links are packed as links and submodules as empty folders: nothing outside of the tree is read.
 */
import { createGzip } from 'node:zlib'

import { streamGit } from '../process/stream-git.ts'
import type { GitStream } from '../process/stream-git.ts'

export const archiveFormats = ['zip', 'tar.gz'] as const

export type ArchiveFormat = (typeof archiveFormats)[number]

/** What to pack. */
export interface ArchiveOptions {
  readonly commitId: string
  readonly format: ArchiveFormat
  /** Name of the one folder at the top, without a slash. */
  readonly folder: string
}

/** Starts git. A caller that does not read the body must cancel it. */
export function openArchive(gitDir: string, options: ArchiveOptions & { readonly searchPath: string }): GitStream {
  const { commitId, format, folder, searchPath } = options
  const kind = format === 'zip' ? 'zip' : 'tar'
  const through = format === 'zip' ? undefined : createGzip()
  return streamGit(['archive', `--format=${kind}`, `--prefix=${folder}/`, commitId], { gitDir, searchPath, through })
}
