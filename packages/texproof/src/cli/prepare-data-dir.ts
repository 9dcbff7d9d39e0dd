import { access, constants, mkdir, stat } from 'node:fs/promises'

import { isHalfRestored } from '../backup/put-in-place.ts'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import { say } from './say.ts'

/**
 * Makes sure that the data directory exists, is ours to write, and is closed to other users.
 *
 * @throws CliError 2 saying what to type, also when a restore into it was cut off.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  let mode: number
  try {
    const created = await mkdir(dataDir, { recursive: true, mode: 0o700 })
    if (created !== undefined) say(`Created the data directory ${dataDir}`)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const stats = await stat(dataDir)
    if (!stats.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    mode = stats.mode
  } catch (error) {
    throw new CliError(explain(dataDir, error), { exitCode: exitCodes.usage, remedy: remedyFor(dataDir, error) })
  }
  refuseReadable(dataDir, mode)
  if (!(await isHalfRestored(dataDir))) return
  throw new CliError(`a restore into ${dataDir} was cut off half-way`, {
    exitCode: exitCodes.usage,
    remedy: `Finish it: texproof restore FILE --replace --data ${dataDir}. Nothing was removed.`,
  })
}

/** It holds password hashes, the sealing key and private papers. */
function refuseReadable(dataDir: string, mode: number): void {
  if ((mode & 0o077) === 0) return
  throw new CliError(`other users of this machine can read the data directory ${dataDir}`, {
    exitCode: exitCodes.usage,
    remedy: `Fix: chmod 700 ${dataDir}`,
  })
}

function explain(dataDir: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${dataDir} is no folder`
  if (code === 'EROFS') return `${dataDir} is on a read-only file system`
  if (code === 'ENOSPC') return `the disk of ${dataDir} is full`
  return `${dataDir} is not writable by uid ${process.getuid?.() ?? '?'}`
}

function remedyFor(dataDir: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'EACCES' || code === 'EPERM') {
    return `Fix: chown -R ${process.getuid?.() ?? 'USER'} ${dataDir}, or choose another folder with --data DIR.`
  }
  return 'Choose another folder with --data DIR.'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
