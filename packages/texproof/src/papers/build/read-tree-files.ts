import { posix } from 'node:path'

import type { GitStore, TreeFile } from '../../git/types.ts'

/** The files of a commit as TeX may read them, or why they exceed a limit. */
export type TreeFiles =
  | { readonly kind: 'read'; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: 'refused'; readonly message: string }

/** The files of a commit without their contents: path → blob; or why they exceed a limit. */
export type TreeList =
  | { readonly kind: 'listed'; readonly files: ReadonlyMap<string, TreeFile> }
  | { readonly kind: 'refused'; readonly message: string }

interface TreeOptions {
  readonly commitId: string
  readonly maxFiles: number
  readonly maxBytes: number
}

/** Blobs requested at a time: enough to keep git busy, few enough to limit memory. */
const READS_AT_ONCE = 16
const MAX_LINK_HOPS = 8

/** Reads the files that `listTreeFiles` finds. */
export async function readTreeFiles(git: GitStore, repositoryId: number, options: TreeOptions): Promise<TreeFiles> {
  const tree = await listTreeFiles(git, repositoryId, options)
  if (tree.kind === 'refused') return tree
  const contents = await readBlobs(git, repositoryId, [...tree.files.values()])
  const files = [...tree.files].flatMap(([path, { objectId }]) => {
    const bytes = contents.get(objectId)
    return bytes === undefined ? [] : [[path, bytes] as const]
  })
  return { kind: 'read', files: new Map(files) }
}

/**
 * Lists every file of a commit's tree. Symbolic links within the tree are resolved to the files they point to.
 * Submodules, hidden files and links that leave the tree are omitted, because TeX may not read them anyway.
 */
export async function listTreeFiles(git: GitStore, repositoryId: number, options: TreeOptions): Promise<TreeList> {
  const { commitId, maxFiles, maxBytes } = options
  const listed = await git.listFiles(repositoryId, commitId, { maxFiles })
  if (listed === null) return refused(`The repository has more than ${maxFiles} files, the build limit.`)
  const visible = listed.filter(({ path, kind }) => kind !== 'submodule' && !/(?:^|\/)\./.test(path))
  const totalBytes = visible.reduce((sum, { size }) => sum + size, 0)
  if (totalBytes > maxBytes) {
    return refused(`The files are ${megabytes(totalBytes)} MB in total; the build limit is ${megabytes(maxBytes)} MB.`)
  }
  const files = new Map(visible.filter(({ kind }) => kind !== 'symlink').map((file) => [file.path, file]))
  const symlinks = visible.filter(({ kind }) => kind === 'symlink')
  const targets = await readBlobs(git, repositoryId, symlinks)
  const links = symlinks.flatMap(({ path, objectId }) => {
    const target = targets.get(objectId)
    return target === undefined ? [] : [[path, target] as const]
  })
  for (const [path, file] of resolveLinks(files, new Map(links))) files.set(path, file)
  return { kind: 'listed', files }
}

function refused(message: string) {
  return { kind: 'refused', message } as const
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)
}

/** Contents by their id. */
export async function readBlobs(
  git: GitStore,
  repositoryId: number,
  listed: readonly Pick<TreeFile, 'objectId' | 'size'>[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...new Map(listed.map((file) => [file.objectId, file])).values()]
  const found = new Map<string, Uint8Array>()
  for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
    const group = wanted.slice(at, at + READS_AT_ONCE)
    const blobs = await Promise.all(
      group.map(({ objectId, size }) => git.readBlob(repositoryId, objectId, { maxBytes: size })),
    )
    for (const [index, { objectId }] of group.entries()) {
      const bytes = blobs[index]
      if (bytes) found.set(objectId, bytes)
    }
  }
  return found
}

/** A link may point to a file or a folder, and may lead through other links. */
function* resolveLinks(
  files: ReadonlyMap<string, TreeFile>,
  links: ReadonlyMap<string, Uint8Array>,
): Generator<[string, TreeFile]> {
  const targets = new Map(
    [...links].map(([path, target]) => [path, posix.join(posix.dirname(path), Buffer.from(target).toString())]),
  )
  for (const path of targets.keys()) {
    const target = followLinks(path, targets)
    if (target === null) continue
    const file = files.get(target)
    if (file !== undefined) yield [path, file]
    for (const [name, inFolder] of files) {
      if (name.startsWith(`${target}/`) && !name.startsWith(`${path}/`))
        yield [path + name.slice(target.length), inFolder]
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
