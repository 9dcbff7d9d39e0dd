import { posix } from 'node:path'

import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import type { TreeFile } from '../../git/types.ts'

/** Files by path, and the sum of their sizes; a file counts once for each of its paths. */
export interface LinkedFiles {
  readonly files: ReadonlyMap<string, TreeFile>
  readonly totalBytes: number
}

interface LinkLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

/** A symbolic link, and the path in the tree that it leads to. */
interface Link {
  readonly path: string
  readonly target: string
}

const MAX_LINK_HOPS = 8

/**
 * Adds the files that symbolic links point to. A link may point to a file or a folder, and may lead through other links.
 *
 * A few links can stand for millions of files, so this stops with the first file over a limit: the caller must compare
 * the result with both limits.
 */
export function resolveLinks(
  regular: readonly TreeFile[],
  targets: ReadonlyMap<string, string>,
  { maxFiles, maxBytes }: LinkLimits,
): LinkedFiles {
  const files = new Map(regular.map((file) => [file.path, file]))
  let totalBytes = regular.reduce((sum, { size }) => sum + size, 0)
  const links = followAll(targets)
  // Files come first, because a folder may contain links to files, and again last, because a link to a file may lead
  // through a link to a folder.
  for (const findFiles of [linkedFiles, filesOfLinkedFolders, linkedFiles]) {
    for (const [path, file] of findFiles(links, files)) {
      if (files.has(path)) continue
      files.set(path, file)
      totalBytes += file.size
      if (files.size > maxFiles || totalBytes > maxBytes) return { files, totalBytes }
    }
  }
  return { files, totalBytes }
}

/** Resolved files, at most one for each link. */
function* linkedFiles(links: readonly Link[], files: ReadonlyMap<string, TreeFile>): Generator<[string, TreeFile]> {
  for (const { path, target } of links) {
    const file = files.get(target)
    if (file !== undefined) yield [path, file]
  }
}

/** The files are copied first: otherwise, each link would also repeat the files of the links before it. */
function* filesOfLinkedFolders(
  links: readonly Link[],
  files: ReadonlyMap<string, TreeFile>,
): Generator<[string, TreeFile]> {
  const copied = new Map(files)
  const sorted = [...copied.keys()].sort(compareUtf8)
  for (const { path, target } of links) {
    // A folder that contains the link has no end.
    if (path.startsWith(`${target}/`)) continue
    // "0" is the character after "/".
    for (const name of sorted.slice(firstNotBefore(sorted, `${target}/`), firstNotBefore(sorted, `${target}0`))) {
      const file = copied.get(name)
      if (file !== undefined) yield [path + name.slice(target.length), file]
    }
  }
}

/** Binary search: a scan of all files for each link would take minutes for thousands of links. */
function firstNotBefore(sorted: readonly string[], path: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareUtf8(sorted[middle] ?? '', path) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function followAll(targets: ReadonlyMap<string, string>): readonly Link[] {
  const joined = new Map([...targets].map(([path, target]) => [path, posix.join(posix.dirname(path), target)]))
  return [...joined.keys()].flatMap((path) => {
    const target = followLinks(path, joined)
    return target === null ? [] : [{ path, target }]
  })
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
