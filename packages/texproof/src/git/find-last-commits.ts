import { isObjectId } from './is-object-id.ts'
import { killGroup, spawnGit } from './spawn-git.ts'

/** Which folder of which commit. */
export interface FolderOfCommit {
  readonly commitId: string
  /** `''` for the root. */
  readonly path: string
  /** What is in it; git is ended when each has been met. */
  readonly names: readonly string[]
}

/** Longer than that nobody wants to know it: the names not met by then are left out. */
const timeLimitMs = 5_000

/** Finds for each entry of a folder the newest commit that changed it, by the name of the entry. */
export async function findLastCommits(
  gitDir: string,
  { commitId, path, names, searchPath }: FolderOfCommit & { readonly searchPath: string },
): Promise<ReadonlyMap<string, string>> {
  const paths = path === '' ? [] : [path]
  const form = ['-z', '--format=%x01%H', '--name-only', '--no-renames', '--no-color']
  const args = [`--git-dir=${gitDir}`, '--literal-pathspecs', 'log', ...form, commitId, '--', ...paths]
  const child = spawnGit(args, { gitDir, searchPath, settings: [['log.showSignature', 'false']] })
  child.stdin.on('error', () => {}) // git may end before it reads its input, which is its right
  child.stdin.end()
  child.stderr.resume()
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), timeLimitMs)
  const found = new Map<string, string>()
  const read = createReader({ prefix: path === '' ? '' : `${path}/`, missing: new Set(names), found })
  try {
    for await (const chunk of child.stdout.setEncoding('utf8')) if (read(chunk as string)) break
  } finally {
    clearTimeout(timer)
    killGroup(child, 'SIGKILL')
  }
  return found
}

/** Reads what git prints, piece by piece: ids behind a control character, then the paths of each. True = all are met. */
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
