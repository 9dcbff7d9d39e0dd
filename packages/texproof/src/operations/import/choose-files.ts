/** Chooses the files of an archive that are imported, and explains why others are not. */
import { posix } from 'node:path'

import { shorten } from '@texproof/platex/tar'

import { checkFilePath } from '../../domain/git/check-file-path.ts'
import { ArchiveRefused, type ArchiveEntry } from './archive-limits.ts'

/** An entry that is not imported. */
export interface SkippedEntry {
  readonly path: string
  readonly reason: string
}

/** The chosen files, not unpacked yet. */
export interface ChosenFiles {
  /** Path in the repository → entry. */
  readonly files: ReadonlyMap<string, ArchiveEntry>
  readonly skipped: readonly SkippedEntry[]
  /** The folder around all files, which the repository does not have; null = there is none. */
  readonly topFolder: string | null
}

const SYSTEM_FILES = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/i
const GIT_FOLDER = /(?:^|\/)\.git(?:\/|$)/i
/** Files that a compile writes. A `.bbl` is not one of them: many sources come without their `.bib`. */
const BUILD_FILES =
  /\.(?:aux|bcf|blg|brf|dvi|fdb_latexmk|fls|idx|ilg|lof|log|lol|lot|nav|out|run\.xml|snm|synctex|synctex\.gz|synctex\(busy\)|toc|vrb|xdv)$/i

/**
 * Chooses the files of an archive.
 *
 * @throws ArchiveRefused for names that no honest archive has, and for names that occur twice.
 */
export function chooseFiles(entries: readonly ArchiveEntry[]): ChosenFiles {
  const named = entries.filter(({ kind }) => kind !== 'folder').map((entry) => ({ entry, path: cleanName(entry.name) }))
  const paths = new Set(named.map(({ path }) => path))
  const chosen = new Map<string, ArchiveEntry>()
  const skipped: SkippedEntry[] = []
  for (const { entry, path } of named) {
    const reason = findSkipReason(entry, path, paths)
    if (reason !== null) skipped.push({ path: shorten(path), reason })
    else if (chosen.has(path)) throw new ArchiveRefused(`The archive has "${shorten(path)}" twice. Remove one of them.`)
    else chosen.set(path, entry)
  }
  checkFolders(chosen)
  const topFolder = findTopFolder([...chosen.keys()])
  const files = new Map(
    [...chosen].map(([path, entry]) => [topFolder === null ? path : path.slice(topFolder.length + 1), entry]),
  )
  return { files, skipped, topFolder }
}

/** @throws ArchiveRefused for a name that leads out of the archive or cannot be shown. */
function cleanName(name: string): string {
  const shown = shorten(name)
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed())
    throw new ArchiveRefused(
      `The name "${shown}" has a control character. Rename the file and create the archive again.`,
    )
  if (name.startsWith('/') || /^[a-z]:/i.test(name))
    throw new ArchiveRefused(`The name "${shown}" is absolute. Create the archive again with relative names.`)
  const parts = name.split('/').filter((part) => part !== '.' && part !== '')
  if (parts.includes('..'))
    throw new ArchiveRefused(`The name "${shown}" leads out of the archive. Create the archive again without "..".`)
  return parts.join('/').normalize('NFC')
}

function findSkipReason({ kind }: ArchiveEntry, path: string, paths: ReadonlySet<string>): string | null {
  if (SYSTEM_FILES.test(path)) return 'file of the operating system'
  if (GIT_FOLDER.test(path)) return 'git data of another repository'
  if (kind === 'link') return 'link: add the file itself'
  if (kind === 'device') return 'not a regular file'
  const invalid = checkFilePath(path)
  if (invalid !== null) return invalid
  if (path.includes('\u{FFFD}')) return 'the name is not UTF-8: rename the file'
  const source = path.replace(BUILD_FILES, '.tex')
  return source !== path && paths.has(source) ? 'written by LaTeX at every compile' : null
}

/** @throws ArchiveRefused if a file has the name of a folder. */
function checkFolders(files: ReadonlyMap<string, unknown>): void {
  for (const path of files.keys()) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      if (files.has(folder))
        throw new ArchiveRefused(`"${shorten(folder)}" is both a file and a folder of the archive. Rename one of them.`)
    }
  }
}

function findTopFolder(paths: readonly string[]): string | null {
  const [first] = paths
  const folder = first?.split('/', 1)[0] ?? ''
  const isCommon = folder !== '' && paths.every((path) => path.startsWith(`${folder}/`))
  return isCommon ? folder : null
}
