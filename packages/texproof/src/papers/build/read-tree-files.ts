import type { GitStore, TreeFile } from '../../git/types.ts'
import { resolveLinks } from './resolve-links.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'

/** The files of a commit as TeX may read them, or why they exceed a limit. */
export type TreeFiles =
  | { readonly kind: 'read'; readonly files: ReadonlyMap<string, Uint8Array>; readonly targets: LinkTargets }
  | { readonly kind: 'refused'; readonly message: string }

/** The files of a commit without their contents: path → blob; or why they exceed a limit. */
export type TreeList =
  | { readonly kind: 'listed'; readonly files: ReadonlyMap<string, TreeFile> }
  | { readonly kind: 'refused'; readonly message: string }

/** Path of each file that TeX reads through a symbolic link → path of the file that the link leads to. */
export type LinkTargets = ReadonlyMap<string, string>

interface TreeOptions {
  readonly commitId: string
  readonly maxFiles: number
  readonly maxBytes: number
}

/** Blobs requested at a time: enough to keep git busy, few enough to limit memory. */
const READS_AT_ONCE = 16
/** Longer than any path of a paper. A link may contain megabytes otherwise. */
const MAX_TARGET_BYTES = 1024
/**
 * Names that no file system stores, so git cannot check them out here either. macOS counts UTF-16 units instead, so its users
 * can commit a title of 100 Chinese characters.
 */
const MAX_NAME_BYTES = 255
/** Less than the 4096 bytes of Linux, because the path of the workspace precedes it. */
const MAX_PATH_BYTES = 3_800
const HIDDEN = /(?:^|\/)\.(?!latexmkrc$|gitmodules$)/

/** Reads the files that `listTreeFiles` finds. */
export async function readTreeFiles(git: GitStore, repositoryId: number, options: TreeOptions): Promise<TreeFiles> {
  const tree = await listTreeFiles(git, repositoryId, options)
  if (tree.kind === 'refused') return tree
  const contents = await readBlobs(git, repositoryId, [...tree.files.values()])
  const files = [...tree.files].flatMap(([path, { objectId }]) => {
    const bytes = contents.get(objectId)
    return bytes === undefined ? [] : [[path, bytes] as const]
  })
  return { kind: 'read', files: new Map(files), targets: listLinkTargets(tree.files) }
}

export function listLinkTargets(files: ReadonlyMap<string, TreeFile>): LinkTargets {
  return new Map([...files].flatMap(([path, file]) => (file.path === path ? [] : [[path, file.path] as const])))
}

/**
 * Lists every file of a commit's tree. Symbolic links within the tree are resolved to the files they point to.
 * Submodules, hidden files, links that leave the tree and names that no file system stores are omitted, because TeX may not
 * read them anyway. A hidden latexmkrc is listed, because it can set search paths, and `.gitmodules`, because it explains which
 * files are missing.
 */
export async function listTreeFiles(git: GitStore, repositoryId: number, options: TreeOptions): Promise<TreeList> {
  const { commitId, maxFiles, maxBytes } = options
  const listed = await git.listFiles(repositoryId, commitId, { maxFiles })
  if (listed === null)
    return refused(`The repository has more than ${maxFiles} files, or a path that is too long to build.`)
  const visible = listed.filter(({ path, kind }) => kind !== 'submodule' && !HIDDEN.test(path))
  const ownBytes = visible.reduce((sum, { size }) => sum + size, 0)
  if (ownBytes > maxBytes) {
    return refused(`The files are ${formatBytes(ownBytes)} in total; the build limit is ${formatBytes(maxBytes)}.`)
  }
  const regular = visible.filter(({ kind }) => kind !== 'symlink')
  const symlinks = visible.filter(({ kind, size }) => kind === 'symlink' && size <= MAX_TARGET_BYTES)
  const contents = await readBlobs(git, repositoryId, symlinks)
  const targets = symlinks.flatMap(({ path, objectId }) => {
    const target = contents.get(objectId)
    return target === undefined ? [] : [[path, Buffer.from(target).toString()] as const]
  })
  const { files, totalBytes } = resolveLinks(regular, new Map(targets), { maxFiles, maxBytes })
  if (files.size > maxFiles) {
    return refused(`With its symbolic links, the repository has more than ${maxFiles} files, the build limit.`)
  }
  if (totalBytes > maxBytes) {
    return refused(`With symbolic links, the files are more than ${formatBytes(maxBytes)} in total, the build limit.`)
  }
  return { kind: 'listed', files: new Map([...files].filter(([path]) => canBeStored(path))) }
}

function canBeStored(path: string): boolean {
  return (
    Buffer.byteLength(path) <= MAX_PATH_BYTES &&
    path.split('/').every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES)
  )
}

function refused(message: string) {
  return { kind: 'refused', message } as const
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
