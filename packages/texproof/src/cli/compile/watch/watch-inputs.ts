/**
 * Reports changes of a document's files.
 *
 * Watches folders instead of files: editors replace a file by renaming another over it. The watchers stay open during a
 * compile, so that changes during it are not lost. A watcher of a folder that is moved or deleted does not follow the path,
 * so the folders that contain the watched ones are watched, too.
 */
import { accessSync, constants, statSync, watch, type FSWatcher } from 'node:fs'
import { dirname, join } from 'node:path'

const settleMs = 150

/** Files and folders to watch; absolute paths. */
export interface Watched {
  /** The folder that contains the document. */
  readonly top: string
  readonly files: readonly string[]
  /** Folders in which every change counts: a missing file may appear there. */
  readonly folders: readonly string[]
  /** Folders in which changes are noted only: a later list may have the files. @default none */
  readonly noted?: readonly string[]
  /**
   * All files below `top`: another one that TeX can read counts beside the watched files, and a folder that is not noted.
   *
   * @default others do not count
   */
  readonly known?: ReadonlySet<string>
  /** Files written by this command, whose changes are ignored. */
  readonly outputs: readonly string[]
}

export interface InputWatcher {
  /** Forgets earlier changes. Until the next list after a compile, only changes of `files` are reported. */
  startCompile(): void
  /** Replaces the watched files during a compile. */
  watch(watched: Watched): void
  /** Replaces them after a compile; true if one of them has changed since its start. */
  watchAfter(watched: Watched): boolean
  close(): void
}

/** `onChange` is called after one of the files has changed, followed by 150 ms without changes. */
export function openInputWatcher(onChange: () => void): InputWatcher {
  const watchers = new Map<string, FSWatcher>()
  const changes = new Map<string, { readonly folder: string; readonly name: string | null }>()
  let current: Watched = { top: '/', files: [], folders: [], outputs: [] }
  /** All folders to watch, each after those that contain it; some may not exist. */
  let wanted: readonly string[] = []
  let isCompiling = false
  let timer: NodeJS.Timeout | undefined

  function notice(folder: string, name: string | null): void {
    if (name !== null) reopen(join(folder, name))
    if (isCompiling) changes.set(join(folder, name ?? ''), { folder, name })
    const { known: _known, ...atOnce } = current
    if (!counts(isCompiling ? { ...atOnce, folders: [] } : current, folder, name)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, settleMs)
  }

  function open(folder: string): void {
    if (watchers.has(folder) || !isFolder(folder)) return
    try {
      const watcher = watch(folder, (_event, name) => notice(folder, name))
      watcher.on('error', () => close(folder))
      watchers.set(folder, watcher)
    } catch (error) {
      if (isFolder(folder)) throw error // Otherwise it was deleted in the meantime.
    }
  }

  function close(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  /** A path may be another folder than before. */
  function reopen(path: string): void {
    const below = wanted.filter((folder) => folder === path || isInside(path, folder))
    below.forEach(close)
    below.forEach(open)
  }

  function replace(watched: Watched): void {
    current = watched
    wanted = listFolders(watched)
    for (const folder of watchers.keys()) if (!wanted.includes(folder)) close(folder)
    wanted.forEach(open)
  }

  return {
    startCompile: () => {
      clearTimeout(timer)
      changes.clear()
      isCompiling = true
    },
    watch: replace,
    watchAfter: (watched) => {
      replace(watched)
      isCompiling = false
      return [...changes.values()].some(({ folder, name }) => counts(watched, folder, name))
    },
    close: () => {
      clearTimeout(timer)
      for (const folder of watchers.keys()) close(folder)
    },
  }
}

/** The folders of the files, and those that contain them. */
function listFolders({ top, files, folders, noted = [] }: Watched): string[] {
  const found = new Set([...files.map((file) => dirname(file)), ...folders, ...noted])
  // The set grows meanwhile, up to the folder that contains `top`.
  for (const folder of found) if (folder === top || isInside(top, folder)) found.add(dirname(folder))
  return [...found].toSorted()
}

/** Only a folder that can be read can be watched. */
function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isDirectory()
  } catch {
    return false // Absent, or not readable.
  }
}

function isInside(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** Temporary files and auxiliary files of TeX are ignored. */
const noise = /\.(?:tmp|sw[opx]|aux|log|out|toc|fls|fdb_latexmk|blg|synctex\.gz)$|~$|^\.|^#|^4913$/
/** TeX takes such a file if there is one, often without a message if there is none. */
const optional = /^[^.#].*\.(?:tex|ltx|sty|cls|clo|cfg|def|fd|bib|bst|[bcl]bx|ist|pdf|png|jpe?g|eps|mps|svg|tikz|pgf)$/i

/** Folders that are not part of a document. */
const unread = /^\.|^node_modules$/

function counts(
  { top, files, folders, noted = [], known, outputs }: Watched,
  folder: string,
  name: string | null,
): boolean {
  if (name === null) return true
  const path = join(folder, name)
  if (files.some((file) => file === path || isInside(path, file))) return true
  if (outputs.includes(path)) return false
  if (folders.includes(folder)) return !noise.test(name)
  if (known === undefined || !isInside(top, path)) return false
  if (optional.test(name)) return !known.has(path)
  return !unread.test(name) && !noted.includes(path) && isFolder(path)
}
