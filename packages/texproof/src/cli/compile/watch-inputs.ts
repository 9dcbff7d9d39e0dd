import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

const settleMs = 150

/**
 * Resolves when one of the files has changed and then been quiet for 150 ms, or when `signal` fires.
 * Folders are watched, not files: editors replace a file by renaming another over it.
 */
export function watchInputs(paths: readonly string[], signal: AbortSignal): Promise<void> {
  const namesByFolder = Map.groupBy(paths, (path) => dirname(path))
  return new Promise((resolve) => {
    const watchers: FSWatcher[] = []
    let timer: NodeJS.Timeout | undefined
    const finish = (): void => {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish)
    if (signal.aborted) return finish()
    for (const [folder, files] of namesByFolder) {
      const names = new Set(files.map((file) => basename(file)))
      const onChange = (_event: string, name: string | null): void => {
        if (name !== null && !names.has(name)) return
        clearTimeout(timer)
        timer = setTimeout(finish, settleMs)
      }
      watchers.push(watch(folder, onChange))
    }
  })
}
