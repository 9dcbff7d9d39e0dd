import { readEnvironment } from '../base/environment.ts'
import type { SandboxMode } from '../base/types.ts'
import { followInstallation } from './follow-installation.ts'
import { openBubblewrap } from './bwrap/open-bubblewrap.ts'
import { openUnconfined } from './open-unconfined.ts'
import { prepareHost } from './cache/prepare-host.ts'
import type { Host } from './cache/prepare-host.ts'
import { startWatcher } from './limits/run-watcher.ts'
import { SandboxUnavailableError } from './sandbox-unavailable-error.ts'
import { findTexInstallation } from './tex-installation.ts'
import type { RefreshableSandbox, Sandbox } from './types.ts'

export interface OpenSandboxOptions {
  /**
   * Folder for workspaces and for files prepared once for all compiles.
   *
   * @default `platex-<uid>` below the system's folder for temporary files
   */
  readonly cacheDir?: string
  /** Folders to search for programs, joined by `:`. @default environment variable PATH */
  readonly searchPath?: string
  /** Maximum number of programs that wait for the next compiles. @default 0 */
  readonly maxWaiting?: number
}

/**
 * Opens the sandbox, which starts every program that processes a document.
 *
 * `required` confines them with bubblewrap or fails, `auto` confines where that works and otherwise explains why in
 * `weakness`, `none` never confines. Also removes workspaces left by killed processes.
 *
 * @throws SandboxUnavailableError in mode `required`, with a code, the reason and the remedy.
 */
export function openSandbox(mode: SandboxMode, options: OpenSandboxOptions = {}): Promise<RefreshableSandbox> {
  const searchPath = options.searchPath ?? readEnvironment('PATH') ?? ''
  // The thread starts while the installation is examined; a failure is reported to the run that needs it.
  if (mode !== 'none') startWatcher().catch(() => {})
  return followInstallation(
    () => findTexInstallation(searchPath),
    async (installation) => {
      const host = await prepareHost(installation, {
        cacheDir: options.cacheDir ?? null,
        searchPath,
        tectonicBundle: readEnvironment('COMPILE_TECTONIC_BUNDLE'),
      })
      return openOn(host, mode, options.maxWaiting ?? 0)
    },
  )
}

async function openOn(host: Host, mode: SandboxMode, maxWaiting: number): Promise<Sandbox> {
  if (mode === 'none') {
    const reason = 'The sandbox is disabled: documents can read, write and run anything that this user can.'
    return openUnconfined(host, { code: 'SWITCHED_OFF', reason, remedy: "Use sandbox: 'required'." })
  }
  try {
    return await openBubblewrap(host, maxWaiting)
  } catch (error) {
    if (mode === 'required' || !(error instanceof SandboxUnavailableError)) throw error
    const { code, reason, remedy } = error
    return openUnconfined(host, { code, reason, remedy })
  }
}
