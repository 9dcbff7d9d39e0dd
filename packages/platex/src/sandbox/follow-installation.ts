/**
 * A sandbox that follows changes of the TeX installation.
 *
 * The content of a sandbox is determined when it is opened: programs, trees, formats, fonts. When packages are
 * installed while a service runs, another sandbox is opened beside it. A compile keeps the sandbox with which it began,
 * because that one knows its workspace.
 */
import { statSync } from 'node:fs'

import type { RefreshableSandbox, Sandbox } from './types.ts'

/** A sandbox and the fingerprint of its installation. */
export interface OpenedSandbox {
  readonly sandbox: Sandbox
  /** Files and folders whose times change with the installation. */
  readonly watched: readonly string[]
}

/** Opens a sandbox, and another one on `refresh` if the installation has changed. */
export async function followInstallation(open: () => Promise<OpenedSandbox>): Promise<RefreshableSandbox> {
  const openMarked = async (): Promise<OpenedSandbox & { readonly mark: string }> => {
    const opened = await open()
    return { ...opened, mark: markOf(opened.watched) }
  }
  const first = await openMarked()
  let latest = first
  let opening: Promise<void> | null = null
  const openAgain = async (): Promise<void> => {
    try {
      const { sandbox } = latest
      latest = await openMarked()
      // Waiting programs use the previous installation.
      await sandbox.stopWaiting()
    } catch {
      // During an installation the sandbox continues unchanged, and the next refresh retries.
    } finally {
      opening = null
    }
  }
  return {
    ...first.sandbox,
    latest: () => latest.sandbox,
    keepWaiting: (command) => latest.sandbox.keepWaiting(command),
    waitingStatus: () => latest.sandbox.waitingStatus(),
    stopWaiting: () => latest.sandbox.stopWaiting(),
    keepFonts: (fonts) => latest.sandbox.keepFonts(fonts),
    whenFontsKept: () => latest.sandbox.whenFontsKept(),
    refresh: async () => {
      if (opening !== null || markOf(latest.watched) !== latest.mark) await (opening ??= openAgain())
      return latest.sandbox
    },
  }
}

/**
 * Synchronous on purpose: every compile asks, and the kernel knows the answers. As promises, these few hundred calls take
 * ten times as long. A file system that does not answer stops the server either way: promises would occupy all threads.
 */
function markOf(paths: readonly string[]): string {
  return paths.map(timeOf).join(',')
}

function timeOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? '' : `${found.mtimeMs} ${found.size}`
  } catch {
    return '' // Not permitted, or not below a folder.
  }
}
