import { PlatexError } from '../base/errors.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { SandboxUnavailableError } from '../sandbox/sandbox-unavailable-error.ts'
import type { RefreshableSandbox } from '../sandbox/types.ts'
import type { SandboxMode } from '../base/types.ts'

const opened = new Map<string, Promise<RefreshableSandbox>>()

/**
 * The sandbox of this process for a mode, opened at first use and shared by all compiles.
 *
 * @throws PlatexError `SANDBOX_UNAVAILABLE` when it is required but not available; the next call tries again.
 */
export function sharedSandbox(mode: SandboxMode, cacheDir?: string): Promise<RefreshableSandbox> {
  const key = JSON.stringify([mode, cacheDir ?? null])
  const existing = opened.get(key)
  if (existing !== undefined) return existing
  const opening = open(mode, cacheDir).catch((error: unknown) => {
    opened.delete(key)
    throw error
  })
  opened.set(key, opening)
  return opening
}

async function open(mode: SandboxMode, cacheDir: string | undefined): Promise<RefreshableSandbox> {
  try {
    return await openSandbox(mode, cacheDir === undefined ? {} : { cacheDir })
  } catch (cause) {
    if (!(cause instanceof SandboxUnavailableError)) throw cause
    throw new PlatexError(cause.message, { code: 'SANDBOX_UNAVAILABLE', cause })
  }
}
