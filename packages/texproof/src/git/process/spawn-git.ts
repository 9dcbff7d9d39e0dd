/**
 * The one place that starts git, and with it the one place in the host that starts a process.
 *
 * git gets an argument list (never a shell), an environment made here from nothing, and a process group of its own, so
 * that killing it kills what it started. Callers pass no text of users in the arguments but for paths that we made.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { PassThrough } from 'node:stream'

import { gitSettings, type GitSetting } from './git-settings.ts'

/** Where programs are looked for when the caller names no other places. */
export const defaultSearchPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** How to start git. */
export interface SpawnGitOptions {
  /** Absolute path of the bare repository that git may own; null for none. */
  readonly gitDir: string | null
  /** Value of PATH. */
  readonly searchPath: string
  /** Settings for this process only, after those of every process. */
  readonly settings?: readonly GitSetting[]
  /** Value of `GIT_PROTOCOL`. */
  readonly protocol?: string | null
  /** Absolute path of a folder that takes the objects which git makes, in place of the repository, which is read only. */
  readonly newObjectsIn?: string
  /** Whether git, and the hooks that it runs, get a socket to this process as descriptor 3. */
  readonly hasControlSocket?: boolean
  /** A program with arguments that starts git in turn, to limit what it may take. */
  readonly through?: readonly [string, ...string[]]
  /** Variables for hooks. */
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * Starts git in a process group of its own, with three pipes and perhaps a control socket. A failure to start is the
 * child's `error` event, followed by `close`; no error of the child or its pipes ends this process unheard.
 */
export function spawnGit(args: readonly string[], options: SpawnGitOptions): ChildProcessWithoutNullStreams {
  const [program, ...rest] = [...(options.through ?? []), 'git', ...args]
  const child = spawn(program ?? 'git', rest, {
    cwd: '/',
    env: gitEnvironment(options),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(options.hasControlSocket === true ? (['pipe'] as const) : [])],
  }) as ChildProcessWithoutNullStreams
  child.on('error', () => {})
  child.on('exit', (_code, signal) => {
    if (signal !== null && options.gitDir !== null) interrupted.add(options.gitDir)
  })
  if (!hasPipes(child)) addClosedPipes(child)
  // The output is cut off there: the caller must not take it for all.
  for (const output of [child.stdout, child.stderr]) output.on('error', (error) => child.emit('error', error))
  return child
}

/** Repositories in which a git was ended by a signal: it may have left locks. */
const interrupted = new Set<string>()

/** Hands out those below a folder, each once. */
export function takeInterrupted(root: string): readonly string[] {
  const found = [...interrupted].filter((gitDir) => gitDir.startsWith(`${root}/`))
  for (const gitDir of found) interrupted.delete(gitDir)
  return found
}

/** Out of descriptors, Node.js gives a child without pipes, and no `close`. */
function hasPipes(child: { readonly stdin?: unknown }): boolean {
  return child.stdin !== undefined
}

/** Callers then need no second path for a git that did not start. */
function addClosedPipes(child: ChildProcessWithoutNullStreams): void {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough().end(), new PassThrough().end()]
  stdin.on('error', () => {}).destroy()
  Object.assign(child, { stdin, stdout, stderr, stdio: [stdin, stdout, stderr] })
  // After the `error` event, which is due at the next tick.
  setImmediate(() => child.emit('close', null, null))
}

/** Signals the whole process group of a git started here; nothing happens when it has ended. */
export function killGroup(child: { readonly pid?: number | undefined }, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // ESRCH: the group has ended already, which is what was asked for.
  }
}

function gitEnvironment(options: SpawnGitOptions): NodeJS.ProcessEnv {
  const { gitDir, searchPath, settings = [], protocol = null, newObjectsIn, variables = {} } = options
  const owned: readonly GitSetting[] = gitDir === null ? [] : [['safe.directory', gitDir]]
  const all = [...gitSettings, ...owned, ...settings]
  const environment: NodeJS.ProcessEnv = {
    ...variables,
    PATH: searchPath,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    // One allocation at most: a 100 MB push can claim to hold a commit of 100 GB.
    GIT_ALLOC_LIMIT: '512m',
    GIT_CONFIG_COUNT: String(all.length),
  }
  if (newObjectsIn !== undefined) {
    environment['GIT_OBJECT_DIRECTORY'] = newObjectsIn
    environment['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = `${gitDir}/objects`
  }
  if (protocol !== null && /^version=[012]$/.test(protocol)) environment['GIT_PROTOCOL'] = protocol
  for (const [index, [key, value]] of all.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}
