/**
 * The only place that starts git.
 *
 * git gets an argument list (never a shell), an environment without inherited variables, and its own process group, so
 * that its children can be killed with it. Callers pass no user input in the arguments except for paths that they
 * created.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { PassThrough } from 'node:stream'

import { spawnProgram } from '@texproof/platex/spawner'

import { gitSettings, type GitSetting } from './git-settings.ts'

/** Default search path of programs. */
export const defaultSearchPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** Options of a git process. */
export interface SpawnGitOptions {
  /** Absolute path of the bare repository that git may use; null for none. */
  readonly gitDir: string | null
  /** Value of PATH. */
  readonly searchPath: string
  /** Additional settings for this process. */
  readonly settings?: readonly GitSetting[]
  /** Value of `GIT_PROTOCOL`. */
  readonly protocol?: string | null
  /** Absolute path of a folder for the objects that git creates; the repository is then only read. */
  readonly newObjectsIn?: string
  /** Whether git and its hooks get a socket to this process as descriptor 3. */
  readonly hasControlSocket?: boolean
  /** A program with arguments that starts git with resource limits. */
  readonly through?: readonly [string, ...string[]]
  /** Private memory, instead of `through`. @default no limit */
  readonly maxMemoryBytes?: number | undefined
  /** Environment variables for hooks. */
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * Private memory of a git process that reads history for a page or an archive: enough to compare two texts of 16 MB, or
 * for hundreds of thousands of files. A push of a kilobyte can contain 10 billion paths, which git keeps in memory.
 */
export const MAX_READING_BYTES = 256 * 1024 * 1024

/**
 * Starts git in its own process group, with three pipes and optionally a control socket. If it cannot be started, the
 * child emits `error`, followed by `close`. No error of the child or its pipes can end this process.
 */
export function spawnGit(args: readonly string[], options: SpawnGitOptions): ChildProcessWithoutNullStreams {
  const { maxMemoryBytes } = options
  const limits = maxMemoryBytes === undefined ? [] : ['prlimit', `--data=${maxMemoryBytes}`, '--core=0', '--']
  const [program = 'git', ...rest] = [...(options.through ?? limits), 'git', ...args]
  const control = options.hasControlSocket === true ? (['pipe'] as const) : []
  const command = { program, args: rest, cwd: '/', env: gitEnvironment(options) }
  const child = spawnProgram(command, ['pipe', 'pipe', 'pipe', ...control]) as ChildProcessWithoutNullStreams
  child.on('error', () => {})
  child.on('exit', (_code, signal) => {
    if (signal !== null && options.gitDir !== null) interrupted.add(options.gitDir)
  })
  if (!hasPipes(child)) addClosedPipes(child)
  // The output is truncated there, so the caller is informed.
  for (const output of [child.stdout, child.stderr]) output.on('error', (error) => child.emit('error', error))
  return child
}

/** Repositories in which a git process was killed: it may have left locks. */
const interrupted = new Set<string>()

/** Returns and removes those below a folder. */
export function takeInterrupted(root: string): readonly string[] {
  const found = [...interrupted].filter((gitDir) => gitDir.startsWith(`${root}/`))
  for (const gitDir of found) interrupted.delete(gitDir)
  return found
}

/** Without free descriptors, Node.js returns a child without pipes and without a `close` event. */
function hasPipes(child: { readonly stdin?: unknown }): boolean {
  return child.stdin !== undefined
}

/** With these, callers need no special case for a git that did not start. */
function addClosedPipes(child: ChildProcessWithoutNullStreams): void {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough().end(), new PassThrough().end()]
  stdin.on('error', () => {}).destroy()
  Object.assign(child, { stdin, stdout, stderr, stdio: [stdin, stdout, stderr] })
  // After the `error` event, which is emitted at the next tick.
  setImmediate(() => child.emit('close', null, null))
}

/** Signals the process group of a git started here, once it has started; does nothing if it has ended. */
export function killGroup(child: ChildProcessWithoutNullStreams, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) {
    child.once('spawn', () => killGroup(child, signal))
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // ESRCH: the group has ended already.
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
    // Maximum size of one allocation: a push of 100 MB can claim to contain a commit of 100 GB.
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
