/** Commits that the house makes itself, many at a time: one stream into one `git fast-import`. */
import { once } from 'node:events'

import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { refuseRefName } from '../../domain/git/ref-names.ts'
import { encodePerson } from './encode-person.ts'
import { quotePath } from './quote-path.ts'
import { killGroup, spawnGit } from '../process/spawn-git.ts'
import { collect, maxStderrBytes } from '../process/run-git.ts'
import type { ImportedCommit } from '../types.ts'

const timeoutMs = 60_000

/**
 * Adds commits in the given order, each on top of its branch, and the tags that name them.
 *
 * @throws Error when a ref has a name that the house does not take, or git refuses; nothing is added then.
 */
export async function importCommits(
  gitDir: string,
  commits: readonly ImportedCommit[],
  { searchPath }: { readonly searchPath: string },
): Promise<void> {
  const stream = Buffer.concat(encodeStream(commits).map(toBuffer))
  const child = spawnGit([`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--done'], { gitDir, searchPath })
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  child.stdout.resume()
  child.stdin.on('error', () => {}) // git may end before it has read all; its exit code tells
  child.stdin.end(stream)
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), timeoutMs)
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null]
    if (exitCode !== 0) throw new Error(`import commits: ${stderr().toString()}`)
  } finally {
    clearTimeout(timer)
  }
}

function encodeStream(commits: readonly ImportedCommit[]): (string | Uint8Array)[] {
  /** The newest commit of each branch, by its number in the stream. */
  const heads = new Map<string, number>()
  const parts: (string | Uint8Array)[] = []
  for (const [index, commit] of commits.entries()) {
    const ref = checkRef(`refs/heads/${commit.branch}`)
    const parent = heads.get(commit.branch) ?? heads.get(commit.from ?? '')
    const from = parent === undefined ? '' : `from :${parent}\n`
    heads.set(commit.branch, index + 1)
    parts.push(`commit ${ref}\nmark :${index + 1}\n`)
    parts.push(`author ${encodePerson(commit.author)}\ncommitter ${encodePerson(commit.author)}\n`)
    parts.push(...encodeData(Buffer.from(commit.message)), from)
    for (const [path, bytes] of [...commit.files].sort(([left], [right]) => compareUtf8(left, right)))
      parts.push(`M 100644 inline ${quotePath(path)}\n`, ...encodeData(bytes))
    parts.push('\n')
    if (commit.tag !== null) parts.push(`reset ${checkRef(`refs/tags/${commit.tag}`)}\nfrom :${index + 1}\n\n`)
  }
  return [...parts, 'done\n']
}

function encodeData(bytes: Uint8Array): (string | Uint8Array)[] {
  return [`data ${bytes.length}\n`, bytes, '\n']
}

function checkRef(ref: string): string {
  const refusal = refuseRefName(ref)
  if (refusal !== null) throw new Error(`import commits: ${refusal}`)
  return ref
}

function toBuffer(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part) : part
}
