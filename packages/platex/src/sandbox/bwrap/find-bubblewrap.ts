import { stat } from 'node:fs/promises'
import { captureOutput } from '../capture-output.ts'
import { findProgram } from '../find-program.ts'
import { SandboxUnavailableError } from '../sandbox-unavailable-error.ts'
import type { FilterArchitecture } from '../seccomp/build-filter.ts'

export interface Bubblewrap {
  readonly path: string
  /** The architecture of the seccomp filter. */
  readonly architecture: FilterArchitecture
  /** `--disable-userns` requires version 0.8. */
  readonly canDisableUserNamespaces: boolean
}

const SETUID_BIT = 0o4000

/**
 * Finds an unprivileged bubblewrap.
 *
 * @throws SandboxUnavailableError `NOT_LINUX`, `ARCHITECTURE`, `NO_BWRAP` or `SETUID_BWRAP`.
 */
export async function findBubblewrap(searchPath: string): Promise<Bubblewrap> {
  if (process.platform !== 'linux') {
    throw unavailable('NOT_LINUX', 'Only Linux has the namespaces that confine a compile.', 'Run the service on Linux.')
  }
  if (process.arch !== 'x64' && process.arch !== 'arm64') {
    const reason = `The sandbox does not support the processor architecture ${process.arch}.`
    throw unavailable('ARCHITECTURE', reason, 'Run the service on x86-64 or 64-bit ARM.')
  }
  const path = await findProgram('bwrap', searchPath)
  if (path === null) {
    throw unavailable('NO_BWRAP', 'bubblewrap is not installed.', 'Install it: apt-get install bubblewrap')
  }
  if (((await stat(path)).mode & SETUID_BIT) !== 0) {
    const reason = `${path} is setuid root, which ignores part of the profile.`
    throw unavailable('SETUID_BWRAP', reason, `Remove the bit: chmod u-s ${path}`)
  }
  const version = /(\d+)\.(\d+)/.exec(await captureOutput(path, ['--version'], {}))
  const canDisableUserNamespaces = Number(version?.[1]) > 0 || Number(version?.[2]) >= 8
  return { path, architecture: process.arch, canDisableUserNamespaces }
}

function unavailable(code: string, reason: string, remedy: string): SandboxUnavailableError {
  return new SandboxUnavailableError({ code, reason, remedy })
}
