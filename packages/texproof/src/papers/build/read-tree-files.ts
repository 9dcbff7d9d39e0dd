import { posix } from 'node:path'

import type { GitStore, TreeFile } from '../../git/types.ts'

/** The files of a commit as TeX may read them, or why they exceed a limit. */
export type TreeFiles =
  | { readonly kind: 'read'; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: 'refused'; readonly message: string }

/** Blobs requested at a time: enough to keep git busy, few enough to limit memory. */
const READS_AT_ONCE = 16
const MAX_LINK_HOPS = 8

/**
 * Reads every file of a commit's tree. Symbolic links within the tree are resolved to the files they point to.
 * Submodules, hidden files and links that leave the tree are omitted, because TeX may not read them anyway.
 */
export async function readTreeFiles(
  git: GitStore,
  repositoryId: number,
  options: { readonly commitId: string; readonly maxFiles: number; readonly maxBytes: number },
): Promise<TreeFiles> {
  const { commitId, maxFiles, maxBytes } = options
  const listed = await git.listFiles(repositoryId, commitId, { maxFiles })
  if (listed === null) return refused(`The repository has more than ${maxFiles} files, the limit of a build.`)
  const visible = listed.filter(({ path, kind }) => kind !== 'submodule' && !/(?:^|\/)\./.test(path))
  const totalBytes = visible.reduce((sum, { size }) => sum + size, 0)
  if (totalBytes > maxBytes) {
    return refused(`The files take ${megabytes(totalBytes)} MB; a build takes at most ${megabytes(maxBytes)} MB.`)
  }

  const plain = visible.filter(({ kind }) => kind !== 'symlink')
  const files = new Map(await readBlobs(git, repositoryId, plain))
  const links = await readBlobs(
    git,
    repositoryId,
    visible.filter(({ kind }) => kind === 'symlink'),
  )
  for (const [path, bytes] of resolveLinks(files, new Map(links))) files.set(path, bytes)
  return { kind: 'read', files }
}

function refused(message: string): TreeFiles {
  return { kind: 'refused', message }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)
}

async function readBlobs(
  git: GitStore,
  repositoryId: number,
  listed: readonly TreeFile[],
): Promise<[string, Uint8Array][]> {
  const found: [string, Uint8Array][] = []
  for (let at = 0; at < listed.length; at += READS_AT_ONCE) {
    const group = listed.slice(at, at + READS_AT_ONCE)
    const blobs = await Promise.all(
      group.map(({ objectId, size }) => git.readBlob(repositoryId, objectId, { maxBytes: size })),
    )
    for (const [index, { path }] of group.entries()) {
      const bytes = blobs[index]
      if (bytes) found.push([path, bytes])
    }
  }
  return found
}

/** A link may point to a file or a folder, and may lead through other links. */
function* resolveLinks(
  files: ReadonlyMap<string, Uint8Array>,
  links: ReadonlyMap<string, Uint8Array>,
): Generator<[string, Uint8Array]> {
  const targets = new Map(
    [...links].map(([path, target]) => [path, posix.join(posix.dirname(path), Buffer.from(target).toString())]),
  )
  for (const path of targets.keys()) {
    const target = followLinks(path, targets)
    if (target === null) continue
    const bytes = files.get(target)
    if (bytes !== undefined) yield [path, bytes]
    for (const [name, content] of files) {
      if (name.startsWith(`${target}/`) && !name.startsWith(`${path}/`))
        yield [path + name.slice(target.length), content]
    }
  }
}

function followLinks(path: string, targets: ReadonlyMap<string, string>): string | null {
  let at = path
  for (let hop = 0; hop < MAX_LINK_HOPS; hop++) {
    const next = targets.get(at)
    if (next === undefined) return at.startsWith('../') || at.startsWith('/') || at === '.' ? null : at
    at = next
  }
  return null
}
