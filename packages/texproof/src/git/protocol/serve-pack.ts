import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { Duplex } from 'node:stream'

import { withoutFlushesOfRefs, type GitSetting } from '../process/git-settings.ts'
import { limitedCommand, MAX_RECEIVE_MS, receiveEnvironment } from './receive-limits.ts'
import { collect, killedExitCode, maxStderrBytes } from '../process/run-git.ts'
import { killGroup, spawnGit } from '../process/spawn-git.ts'
import { packRefs } from '../refs/pack-refs.ts'
import { syncRefs } from '../refs/sync-refs.ts'
import type { ServedPack, ServePackOptions } from '../types.ts'

/**
 * Starts `git upload-pack` or `git receive-pack` for one exchange and returns its pipes as streams.
 *
 * Standard output is git's own: the answer to `info/refs` still needs `encodeServiceHeader` before it. When `signal`
 * aborts, git gets two seconds to remove its locks and quarantine, then its process group is killed. A push runs within
 * the limits of `receive-limits.ts`.
 *
 * git syncs each ref separately, which takes milliseconds on most disks. Many new refs are therefore not synced one by
 * one, but packed into one file, which is synced before the push is acknowledged (`revertTornRefs`).
 *
 * @throws Error when `admit` cannot be asked: git would skip a hook that it cannot execute, and move the refs.
 */
export function servePack(gitDir: string, options: ServePackOptions & { readonly searchPath: string }): ServedPack {
  const { admit = null } = options
  if (admit !== null) accessSync(path.join(hooksDir, 'pre-receive'), constants.X_OK)
  const args = [options.service, '--stateless-rpc', ...(options.advertise ? ['--http-backend-info-refs'] : []), gitDir]
  const isPush = options.service === 'receive-pack' && !options.advertise
  const hooks: readonly GitSetting[] = admit === null ? [] : [['core.hooksPath', hooksDir]]
  const startedAt = Date.now()
  const isBulk = (options.newRefs ?? 0) > maxSingleFlushes
  const flushing = isBulk ? [withoutFlushesOfRefs] : []
  const child = spawnGit(args, {
    gitDir,
    searchPath: options.searchPath,
    protocol: options.protocol,
    settings: [
      ['receive.maxInputSize', String(options.maxInputBytes)],
      ...(isPush ? [knownRefs] : []),
      ...hooks,
      ...flushing,
    ],
    hasControlSocket: admit !== null,
    ...(isPush ? { through: limitedCommand(options), variables: receiveEnvironment } : {}),
  })
  if (admit !== null) answerHook(child.stdio[3] as Duplex | undefined, admit)
  child.stdin.on('error', () => {}) // git has ended; its exit code and its report say why
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  let killTimer: NodeJS.Timeout | null = null
  const stop = (): void => {
    killGroup(child, 'SIGTERM')
    killTimer ??= setTimeout(() => killGroup(child, 'SIGKILL'), graceMs)
  }
  /** A push is acknowledged only when it would survive a power failure. */
  async function syncPush<End extends { readonly exitCode: number }>(end: End): Promise<End> {
    if (isBulk && end.exitCode === 0) await flushRefs(gitDir, options.searchPath)
    await syncRefs(gitDir, { since: startedAt })
    return end
  }

  const deadline = isPush ? setTimeout(stop, MAX_RECEIVE_MS) : undefined
  const ended = new Promise<{ exitCode: number; stderr: string }>((resolve) => {
    child.once('error', (error) => resolve({ exitCode: cannotStartExitCode, stderr: error.message }))
    child.once('close', (code) => resolve({ exitCode: code ?? killedExitCode, stderr: stderr().toString() }))
  })
  const exit = (isPush ? ended.then(syncPush) : ended).finally(() => {
    options.signal.removeEventListener('abort', stop)
    if (killTimer !== null) clearTimeout(killTimer)
    clearTimeout(deadline)
  })
  exit.catch(() => {}) // Every caller awaits it, some after reading the output.
  if (options.signal.aborted) stop()
  else options.signal.addEventListener('abort', stop, { once: true })
  return { stdin: child.stdin, stdout: child.stdout, exit }
}

/** Moves all refs into one file, which is synced. @throws Error when git fails. */
async function flushRefs(gitDir: string, searchPath: string): Promise<void> {
  const run = await packRefs(gitDir, { searchPath, timeoutMs: 10 * 60_000 })
  if (run.kind !== 'exited' || run.exitCode !== 0) throw new Error('flush refs', { cause: run })
}

/** Answers `hooks/pre-receive`. If the decision fails, the push is refused. */
function answerHook(socket: Duplex | undefined, admit: () => Promise<boolean>): void {
  socket?.on('error', () => {}) // git has ended and does not wait for the answer
  socket?.once('data', () => {
    void admit()
      // The caller logs the error; a push without a decision is refused.
      .catch(() => false)
      .then((isAdmitted) => socket.end(isAdmitted ? 'yes\n' : 'no\n'))
  })
}

/** The only hooks that git runs. */
const hooksDir = path.join(import.meta.dirname, 'hooks')

/**
 * While a push is in quarantine, git treats the objects of the repository as objects of an alternate. To find what is
 * known, it would list the refs of the alternate besides its own: the same list. With this, it lists none.
 */
const knownRefs: GitSetting = ['core.alternateRefsCommand', 'true']

/** Up to this many new refs are synced one by one. */
const maxSingleFlushes = 50

/** Time that git gets to clean up. */
const graceMs = 2_000

/** Exit code of a shell for a program that it cannot start. */
const cannotStartExitCode = 127
