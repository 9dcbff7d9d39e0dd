/**
 * Tells when a file of a document changes.
 *
 * Folders are watched, not files: editors replace a file by renaming another over it. The watchers stay open while a
 * compile runs, so that a change in the middle of it is not lost.
 */
import { watch, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

const settleMs = 150

/** What to watch; absolute paths. */
export interface Watched {
  readonly files: readonly string[]
  /** Folders in which any change counts: there a missing file may appear. */
  readonly folders: readonly string[]
  /** Files that this command writes: a change of theirs is its own. */
  readonly outputs: readonly string[]
}

export interface InputWatcher {
  /** Watches these from now on, in place of those before. */
  watch(watched: Watched): Promise<void>
  close(): void
}

/** `onChange` is called when one of the files has changed and then been quiet for 150 ms. */
export function openInputWatcher(onChange: () => void): InputWatcher {
  const watchers = new Map<string, FSWatcher>()
  let current: Watched = { files: [], folders: [], outputs: [] }
  let timer: NodeJS.Timeout | undefined

  function notice(folder: string, name: string | null): void {
    if (!counts(current, folder, name)) return
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
    // A folder that goes away takes its watcher with it; the next round decides what is watched then.
    watcher.on('error', () => watcher.close())
    watchers.set(folder, watcher)
  }

  return {
    watch: async (watched) => {
      current = watched
      const folders = new Set([...watched.files.map((file) => dirname(file)), ...watched.folders])
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue
        watcher.close()
        watchers.delete(folder)
      }
      for (const folder of folders) await open(folder)
    },
    close: () => {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

/** Drafts of ours and of editors, and what TeX leaves beside a source, say nothing about the document. */
const noise = /\.(?:tmp|sw[opx]|aux|log|out|toc|fls|fdb_latexmk|blg|synctex\.gz)$|~$|^\.|^#|^4913$/

function counts({ files, folders, outputs }: Watched, folder: string, name: string | null): boolean {
  if (name === null) return true
  const isSame = (path: string): boolean => basename(path) === name && dirname(path) === folder
  if (files.some(isSame)) return true
  return folders.includes(folder) && !noise.test(name) && !outputs.some(isSame)
}
