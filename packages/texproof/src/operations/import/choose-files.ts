/** Chooses the files of an archive that are imported, and explains why others are not. */
import { posix } from 'node:path'

import { shorten, showInvisible } from '@texproof/platex/tar'

import { checkFilePath, foldName, maxPathBytes } from '../../domain/git/check-file-path.ts'
import { ArchiveRefused, type ArchiveEntry } from './archive-limits.ts'
import { normalizeText } from '../../domain/text/normalize-text.ts'

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
/** git refuses invalid ones, and an archive contains no commits of submodules. */
const SUBMODULES = /^(?:\.gitmodules|gitmod~\d)$/
const ATTRIBUTES = /^(?:\.gitattributes|gitatt~\d)$/
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
    const earlier = chosen.get(path)
    if (reason !== null) skipped.push({ path: shorten(path === '' ? entry.name : path), reason })
    else if (earlier === undefined) chosen.set(path, entry)
    else throw refuseTwice(path, [earlier, entry])
  }
  checkFolders(chosen)
  const topFolder = findTopFolder([...chosen.keys()])
  const files = new Map(
    [...chosen].map(([path, entry]) => [topFolder === null ? path : path.slice(topFolder.length + 1), entry]),
  )
  return { files, skipped, topFolder }
}

/** @throws ArchiveRefused for a name that points outside the archive or cannot be shown. */
function cleanName(name: string): string {
  const shown = shorten(name)
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed())
    throw new ArchiveRefused(
      `The name "${shown}" has a control character. Rename the file and create the archive again.`,
    )
  if (name.startsWith('/') || /^[a-z]:\//i.test(name))
    throw new ArchiveRefused(`The name "${shown}" is absolute. Create the archive again with relative names.`)
  const parts = name.split('/').filter((part) => part !== '.' && part !== '')
  if (parts.includes('..'))
    throw new ArchiveRefused(`The name "${shown}" points outside the archive. Create the archive again without "..".`)
  const path = parts.join('/')
  // A longer path is skipped, and the time to normalize it may grow with the square of its length.
  return path.length > maxPathBytes ? path : path.normalize('NFC')
}

function findSkipReason({ kind }: ArchiveEntry, path: string, paths: ReadonlySet<string>): string | null {
  if (SYSTEM_FILES.test(path)) return 'file of the operating system'
  if (GIT_FOLDER.test(path)) return 'git data of another repository'
  if (path.includes('\u{FFFD}')) return 'the name is not UTF-8: rename the file'
  if (kind === 'link') return 'link: add the file itself'
  if (kind === 'hard-link') return 'hard link: add the file itself'
  if (kind === 'device') return 'not a regular file'
  if (path === '') return 'the name is empty'
  const invalid = checkFilePath(path)
  if (invalid !== null) return showInvisible(invalid)
  const names = path.split('/').map(foldName)
  if (names.some((name) => SUBMODULES.test(name))) return 'submodules are not imported: add their files'
  if (names.slice(0, -1).some((name) => ATTRIBUTES.test(name))) return 'git reads a file of this name, not a folder'
  const source = path.replace(BUILD_FILES, '.tex')
  return source !== path && paths.has(source) ? 'written by LaTeX at every compile' : null
}

function refuseTwice(path: string, [first, second]: readonly [ArchiveEntry, ArchiveEntry]): ArchiveRefused {
  const isSameText = normalizeText(first.name) === normalizeText(second.name) && first.name !== second.name
  const forms = isSameText ? ', in two Unicode forms' : ''
  return new ArchiveRefused(`The archive has "${shorten(path)}" twice${forms}. Remove one of them.`)
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
