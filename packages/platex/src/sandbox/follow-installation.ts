/**
 * A sandbox that follows changes of the TeX installation.
 *
 * The content of a sandbox is determined when it is opened: programs, trees, formats, fonts. When packages are
 * installed while a service runs, another sandbox is opened beside it. A compile keeps the sandbox with which it began,
 * because that one knows its workspace.
 */
import { statSync } from 'node:fs'

import type { TexInstallation } from './tex-installation.ts'
import type { RefreshableSandbox, Sandbox } from './types.ts'

/** A sandbox, and the state of the installation that it was opened for. */
interface MarkedSandbox {
  readonly sandbox: Sandbox
  readonly watched: TexInstallation['watched']
  readonly mark: string
}

/** Opens a sandbox for the installation, and another one on `refresh` if the installation has changed. */
export async function followInstallation<Found extends Pick<TexInstallation, 'watched'>>(
  find: () => Promise<Found>,
  open: (installation: Found) => Promise<Sandbox>,
): Promise<RefreshableSandbox> {
  const openMarked = async (): Promise<MarkedSandbox> => {
    const installation = await find()
    const { watched } = installation
    // Before opening, which takes seconds: the next refresh detects packages that are installed during it.
    const mark = markOf(watched)
    return { sandbox: await open(installation), watched, mark }
  }
  const first = await openMarked()
  let latest = first
  let opening: Promise<void> | null = null
  /** Sandboxes of previous installations. */
  const previous: Sandbox[] = []
  const openAgain = async (): Promise<void> => {
    try {
      const { sandbox } = latest
      latest = await openMarked()
      previous.push(sandbox)
      // An engine that is starting waits for the font caches, which take minutes; compiles do not.
      void sandbox.stopWaiting().catch(() => {}) // `close` reports it.
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
    stopWaiting: async () => {
      await Promise.all([...previous, latest.sandbox].map((sandbox) => sandbox.stopWaiting()))
    },
    close: async () => {
      await Promise.all([...previous, latest.sandbox].map((sandbox) => sandbox.close()))
    },
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
