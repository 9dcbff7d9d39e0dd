import { isObjectId } from '../is-object-id.ts'
import { pathspecsOf } from './pathspecs.ts'
import { listCommitIds } from './rev-list.ts'
import { killGroup, MAX_READING_BYTES, spawnGit } from '../process/spawn-git.ts'
import { collect, isOutOfMemory, maxStderrBytes, type QueryOptions } from '../process/run-git.ts'

/** A folder of a commit. */
export interface FolderOfCommit {
  readonly commitId: string
  /** `''` for the root folder. */
  readonly path: string
  /** The names in the folder; git is stopped when all are found. */
  readonly names: readonly string[]
}

/** Names that are not found in time are omitted. */
const timeLimitMs = 5_000

/**
 * Most entries changed recently: this many commits are walked for all of them at once. If only a few entries are missing
 * after the first of them, querying these is faster than the rest of the walk.
 */
const walkedTogether = [100, 900]
const aFew = 4

/**
 * The remaining entries are queried one by one, with the index of changed paths and without a walk; this many at most.
 */
const askedAlone = 50

/** The newest commit that changed each entry of a folder, by the name of the entry. */
export interface LastCommits {
  readonly byName: ReadonlyMap<string, string>
  /** Whether git answered in time. */
  readonly isWhole: boolean
}

interface Findings {
  /** Becomes `byName` as git answers. */
  readonly found: Map<string, string>
}

/**
 * Finds the newest commit that changed each entry of a folder.
 *
 * @throws Error when git cannot read the history.
 */
export async function findLastCommits(
  gitDir: string,
  { commitId, path, names, found, searchPath, signal }: FolderOfCommit & QueryOptions & Findings,
): Promise<LastCommits> {
  const giveUpAt = performance.now() + timeLimitMs
  const missing = new Set(names)
  const prefix = path === '' ? '' : `${path}/`
  const read = createReader({ prefix, missing, found })
  let isWhole = true
  let skipped = 0
  for (const count of walkedTogether) {
    if (!isWhole || (skipped > 0 && missing.size <= aFew)) break
    isWhole = await walkTogether(gitDir, { commitId, path, searchPath, signal, read, skipped, count })
    skipped += count
  }
  const askOne = async (name: string): Promise<void> => {
    const isLate = performance.now() > giveUpAt || signal.aborted
    const window = { offset: 0, limit: 1, path: prefix + name }
    const ids = isLate ? null : await listCommitIds(gitDir, { commitId, ...window, searchPath, signal })
    if (ids === null) isWhole = false
    const [newest] = ids ?? []
    if (newest !== undefined) found.set(name, newest)
  }
  const asked = [...missing].slice(0, askedAlone)
  for (let at = 0; at < asked.length; at += aFew) await Promise.all(asked.slice(at, at + aFew).map(askOne))
  return { byName: found, isWhole }
}

interface Walk extends Omit<FolderOfCommit, 'names'>, QueryOptions {
  /** Reads git's output; true = complete. */
  readonly read: (text: string) => boolean
  readonly skipped: number
  readonly count: number
}

/** Resolves to whether git was not stopped early. */
async function walkTogether(
  gitDir: string,
  { commitId, path, searchPath, signal, read, skipped, count }: Walk,
): Promise<boolean> {
  const window = [`--skip=${skipped}`, `--max-count=${count}`]
  const form = ['-z', '--format=%x01%H', '--name-only', '--no-renames', '--no-color', ...window]
  const paths = path === '' ? [] : pathspecsOf(path)
  const args = [`--git-dir=${gitDir}`, 'log', ...form, commitId, '--', ...paths]
  const maxMemoryBytes = MAX_READING_BYTES
  const child = spawnGit(args, { gitDir, searchPath, maxMemoryBytes, settings: [['log.showSignature', 'false']] })
  child.stdin.on('error', () => {}) // git may exit before it reads its input
  child.stdin.end()
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let isStopped = false
  const stop = (): void => {
    isStopped = true
    killGroup(child, 'SIGKILL')
  }
  const timer = setTimeout(stop, timeLimitMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of child.stdout.setEncoding('utf8')) if (read(chunk as string)) return true
    const exitCode = await ended
    if (exitCode !== 0 && isOutOfMemory(stderr().toString())) return false
    if (exitCode !== 0 && !isStopped) throw new Error(`find last commits: git ended with ${exitCode}`)
    return !isStopped
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * Reads git's output in chunks: ids after a control character, then the paths of each. Returns true when all names are
 * found.
 */
function createReader(options: {
  readonly prefix: string
  readonly missing: Set<string>
  readonly found: Map<string, string>
}): (text: string) => boolean {
  const { prefix, missing, found } = options
  let commitId = ''
  let rest = ''
  return (text) => {
    const parts = (rest + text).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const token = part.replace(/^\n/, '')
      if (token.startsWith('\u0001') && isObjectId(token.slice(1))) commitId = token.slice(1)
      else if (token.startsWith(prefix)) {
        const [name = ''] = token.slice(prefix.length).split('/', 1)
        if (missing.delete(name)) found.set(name, commitId)
      }
    }
    return missing.size === 0
  }
}
