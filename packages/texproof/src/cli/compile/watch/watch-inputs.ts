/**
 * Reports changes of a document's files.
 *
 * Watches folders instead of files: editors replace a file by renaming another over it. The watchers stay open during a
 * compile, so that changes during it are not lost.
 */
import { watch, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const settleMs = 150

/** Files and folders to watch; absolute paths. */
export interface Watched {
  readonly files: readonly string[]
  /** Folders in which every change counts: a missing file may appear there. */
  readonly folders: readonly string[]
  /** Folders in which changes are noted only: a later list may have the files. @default none */
  readonly noted?: readonly string[]
  /** Files written by this command, whose changes are ignored. */
  readonly outputs: readonly string[]
}

export interface InputWatcher {
  /** Forgets earlier changes. Until the next list after a compile, only changes of `files` are reported. */
  startCompile(): void
  /** Replaces the watched files during a compile. */
  watch(watched: Watched): Promise<void>
  /** Replaces them after a compile; true if one of them has changed since its start. */
  watchAfter(watched: Watched): Promise<boolean>
  close(): void
}

/** `onChange` is called after one of the files has changed, followed by 150 ms without changes. */
export function openInputWatcher(onChange: () => void): InputWatcher {
  const watchers = new Map<string, FSWatcher>()
  const changes = new Map<string, { readonly folder: string; readonly name: string | null }>()
  let current: Watched = { files: [], folders: [], outputs: [] }
  let isCompiling = false
  let timer: NodeJS.Timeout | undefined

  function notice(folder: string, name: string | null): void {
    if (isCompiling) changes.set(join(folder, name ?? ''), { folder, name })
    if (!counts(isCompiling ? { ...current, folders: [] } : current, folder, name)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, settleMs)
  }

  async function open(folder: string): Promise<void> {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder || watchers.has(folder)) return
    const watcher = watch(folder, (_event, name) => notice(folder, name))
    // Deleting a folder ends its watcher; the next round updates the list.
    watcher.on('error', () => watcher.close())
    watchers.set(folder, watcher)
  }

  async function replace(watched: Watched): Promise<void> {
    current = watched
    const { files, noted = [] } = watched
    const folders = new Set([...files.map((file) => dirname(file)), ...watched.folders, ...noted])
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    for (const folder of folders) await open(folder)
  }

  return {
    startCompile: () => {
      clearTimeout(timer)
      changes.clear()
      isCompiling = true
    },
    watch: replace,
    watchAfter: async (watched) => {
      await replace(watched)
      isCompiling = false
      return [...changes.values()].some(({ folder, name }) => counts(watched, folder, name))
    },
    close: () => {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

/** Temporary files and auxiliary files of TeX are ignored. */
const noise = /\.(?:tmp|sw[opx]|aux|log|out|toc|fls|fdb_latexmk|blg|synctex\.gz)$|~$|^\.|^#|^4913$/

function counts({ files, folders, outputs }: Watched, folder: string, name: string | null): boolean {
  if (name === null) return true
  const isSame = (path: string): boolean => basename(path) === name && dirname(path) === folder
  if (files.some(isSame)) return true
  return folders.includes(folder) && !noise.test(name) && !outputs.some(isSame)
}
