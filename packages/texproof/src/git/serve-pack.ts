import { Readable, Writable } from 'node:stream'

import { collect, killedExitCode, maxStderrBytes } from './run-git.ts'
import { killGroup, spawnGit } from './spawn-git.ts'
import type { ServedPack, ServePackOptions } from './types.ts'

/**
 * Starts `git upload-pack` or `git receive-pack` for one exchange and hands out its pipes as streams.
 *
 * Standard output is git's own: the answer to `info/refs` still needs `encodeServiceHeader` before it. When `signal`
 * fires, git gets two seconds to remove its locks and quarantine, then its group is killed.
 */
export function servePack(gitDir: string, options: ServePackOptions & { readonly searchPath: string }): ServedPack {
  const args = [options.service, '--stateless-rpc', ...(options.advertise ? ['--http-backend-info-refs'] : []), gitDir]
  const child = spawnGit(args, {
    gitDir,
    searchPath: options.searchPath,
    protocol: options.protocol,
    settings: [['receive.maxInputSize', String(options.maxInputBytes)]],
  })
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  let killTimer: NodeJS.Timeout | null = null
  const stop = (): void => {
    killGroup(child, 'SIGTERM')
    killTimer ??= setTimeout(() => killGroup(child, 'SIGKILL'), graceMs)
  }
  const exit = new Promise<{ exitCode: number; stderr: string }>((resolve) => {
    child.once('error', (error) => resolve({ exitCode: cannotStartExitCode, stderr: error.message }))
    child.once('close', (code) => resolve({ exitCode: code ?? killedExitCode, stderr: stderr().toString() }))
  }).finally(() => {
    options.signal.removeEventListener('abort', stop)
    if (killTimer !== null) clearTimeout(killTimer)
  })
  if (options.signal.aborted) stop()
  else options.signal.addEventListener('abort', stop, { once: true })
  return { stdin: Writable.toWeb(child.stdin), stdout: Readable.toWeb(child.stdout), exit }
}

/** How long git may take to clean up after itself. */
const graceMs = 2_000

/** What a shell reports for a program that it cannot start. */
const cannotStartExitCode = 127
