import type { SandboxWeakness } from './types.ts'

/**
 * Thrown if a sandbox is required and unavailable on this host.
 *
 * `code` is stable, `reason` says what is missing, `remedy` says what to type or change.
 */
export class SandboxUnavailableError extends Error implements SandboxWeakness {
  override readonly name = 'SandboxUnavailableError'
  readonly code: string
  readonly reason: string
  readonly remedy: string

  constructor(weakness: SandboxWeakness) {
    super(`The sandbox is not available (${weakness.code}): ${weakness.reason} ${weakness.remedy}`)
    this.code = weakness.code
    this.reason = weakness.reason
    this.remedy = weakness.remedy
  }
}
