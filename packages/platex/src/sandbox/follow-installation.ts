/**
 * A sandbox that outlives an installation of TeX.
 *
 * What a sandbox shows is found when it is opened: programs, trees, formats, fonts. Packages are installed while a
 * service runs, and then it is opened anew. Compiles that run meanwhile lose nothing: what is prepared for a sandbox lies
 * in folders named after what they hold, and workspaces belong to the process.
 */
import { stat } from 'node:fs/promises'

import type { RefreshableSandbox, Sandbox } from './types.ts'

/** A sandbox and what tells that it no longer shows what is installed. */
export interface OpenedSandbox {
  readonly sandbox: Sandbox
  /** Files and folders whose times change with the installation. */
  readonly watched: readonly string[]
}

/** Opens a sandbox, and opens it again on `refresh` when the installation has changed. */
export async function followInstallation(open: () => Promise<OpenedSandbox>): Promise<RefreshableSandbox> {
  const openMarked = async (): Promise<OpenedSandbox & { readonly mark: string }> => {
    const opened = await open()
    return { ...opened, mark: await markOf(opened.watched) }
  }
  let current = await openMarked()
  let reopening: Promise<void> | null = null
  const reopen = async (): Promise<void> => {
    try {
      current = await openMarked()
      Object.assign(followed, current.sandbox)
    } catch {
      // A half-installed machine: the sandbox goes on with what it has, and the next refresh tries again.
    } finally {
      reopening = null
    }
  }
  const followed: RefreshableSandbox = {
    ...current.sandbox,
    refresh: async () => {
      if (reopening === null && (await markOf(current.watched)) === current.mark) return
      reopening ??= reopen()
      await reopening
    },
  }
  return followed
}

async function markOf(paths: readonly string[]): Promise<string> {
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
        () => '',
      ),
    ),
  )
  return times.join(',')
}
