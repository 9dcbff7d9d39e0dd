import { PlatexError } from '../base/errors.ts'
import { keepDefaultEngineWaiting } from './passes/waiting-engine.ts'
import { openSandbox, type OpenSandboxOptions } from '../sandbox/open-sandbox.ts'
import { SandboxUnavailableError } from '../sandbox/sandbox-unavailable-error.ts'
import type { RefreshableSandbox, WaitingStatus } from '../sandbox/types.ts'
import type { SandboxMode } from '../base/types.ts'

export interface SharedSandboxOptions {
  readonly cacheDir?: string | undefined
  /** Maximum number of programs that wait for the next compiles. @default 0 */
  readonly maxWaiting?: number | undefined
}

const opened = new Map<string, Promise<RefreshableSandbox>>()
const ready = new Map<string, RefreshableSandbox>()

/**
 * The sandbox of this process for a mode, opened at first use and shared by all compiles.
 *
 * @throws PlatexError `SANDBOX_UNAVAILABLE` when it is required but not available; the next call tries again.
 */
export function sharedSandbox(mode: SandboxMode, options: SharedSandboxOptions = {}): Promise<RefreshableSandbox> {
  const { cacheDir, maxWaiting = 0 } = options
  const key = keyOf(mode, options)
  const existing = opened.get(key)
  if (existing !== undefined) return existing
  const opening = open(mode, { ...(cacheDir === undefined ? {} : { cacheDir }), maxWaiting }).catch(
    (error: unknown) => {
      opened.delete(key)
      throw error
    },
  )
  opening.then(
    (sandbox) => {
      if (opened.get(key) === opening) ready.set(key, sandbox)
    },
    () => {}, // Reported to each caller that awaits it.
  )
  opened.set(key, opening)
  return opening
}

/** Waiting programs of a shared sandbox; null until it is opened. */
export function sharedWaitingStatus(mode: SandboxMode, options: SharedSandboxOptions): WaitingStatus | null {
  return ready.get(keyOf(mode, options))?.waitingStatus() ?? null
}

/**
 * Closes a shared sandbox with waiting programs: at the end of the process, their workspaces and control groups would be
 * left behind. The next compile opens another sandbox.
 */
export async function stopSharedWaiting(mode: SandboxMode, options: SharedSandboxOptions): Promise<void> {
  const key = keyOf(mode, options)
  const opening = opened.get(key)
  if (opening === undefined || (options.maxWaiting ?? 0) === 0) return
  opened.delete(key)
  ready.delete(key)
  const sandbox = await opening.catch(() => null) // Reported to each caller that awaits it.
  await sandbox?.close()
}

function keyOf(mode: SandboxMode, { cacheDir, maxWaiting = 0 }: SharedSandboxOptions): string {
  return JSON.stringify([mode, cacheDir ?? null, maxWaiting])
}

async function open(mode: SandboxMode, options: OpenSandboxOptions): Promise<RefreshableSandbox> {
  try {
    const sandbox = await openSandbox(mode, options)
    void keepDefaultEngineWaiting(sandbox, { synctex: false })
    return sandbox
  } catch (cause) {
    if (!(cause instanceof SandboxUnavailableError)) throw cause
    throw new PlatexError(cause.message, { code: 'SANDBOX_UNAVAILABLE', cause })
  }
}
