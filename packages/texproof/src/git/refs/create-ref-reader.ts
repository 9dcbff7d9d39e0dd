/**
 * Reads the refs of repositories without starting a process.
 *
 * A snapshot is cached per repository, and every request validates it with a few `stat` calls. There is no time to
 * live, so the next request sees a push, also one made by another instance or in a shell. Packed and loose refs are
 * cached separately: a push that creates a loose ref does not cause 100,000 lines to be read again. While no ref moves,
 * the same lists are returned, so callers may use them as cache keys.
 *
 * Loose refs are read before packed ones: git packs a ref first and deletes its file afterwards, so a ref that is
 * packed between the two reads is found at least once.
 */
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { LRUCache } from 'lru-cache'

import { readUnlessAbsent } from '../../base/absent.ts'
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { runGit } from '../process/run-git.ts'
import { DamagedRefError, remedyOfPackedRefs } from './damaged-ref.ts'
import { isSameStamp, isYoung, takeStamp, type Stamp } from './file-stamp.ts'
import { noStoredRefs, parsePackedRefs, type StoredRefs, type StoredTag } from './parse-packed-refs.ts'
import { isStillTrue, readLooseRefs, type LooseRefs } from './read-loose-refs.ts'
import { overlayRefs } from './ref-list.ts'
import { usesReftable } from './uses-reftable.ts'

/** Reads and caches refs. */
export interface RefReader {
  /**
   * The current branches and tags of a repository; empty if it is absent.
   *
   * @throws Error when they cannot be read. Failed reads are not cached.
   */
  readRefs(gitDir: string): Promise<StoredRefs>
  /** Removes a deleted repository from the cache. */
  forget(gitDir: string): void
}

/**
 * Creates a reader; `searchPath` is for the git that lists refs in the reftable format.
 *
 * `readGeneration` returns a number that changes when another server has moved refs. The stamps of files on a network file
 * system may be old; a file that is opened is current.
 */
export function createRefReader(options: {
  readonly searchPath: string
  readonly readGeneration?: ((gitDir: string) => Promise<number>) | null
}): RefReader {
  const files = new LRUCache<string, FilesSnapshot>({ maxSize: maxCachedRefs, sizeCalculation: sizeOf })
  const tables = new LRUCache<string, TableSnapshot>({ maxSize: maxCachedRefs, sizeCalculation: sizeOf })

  async function readRefs(gitDir: string): Promise<StoredRefs> {
    const generation = (await options.readGeneration?.(gitDir)) ?? 0
    const known = files.get(gitDir)
    if (known?.generation === generation && isCurrent(known)) return known.refs
    if (usesReftable(gitDir)) return readTables(gitDir, generation)
    const snapshot = takeSnapshot(gitDir, { before: known ?? null, generation })
    files.set(gitDir, snapshot)
    return snapshot.refs
  }

  async function readTables(gitDir: string, generation: number): Promise<StoredRefs> {
    const stamp = takeStamp(path.join(gitDir, 'reftable', 'tables.list'))
    const known = tables.get(gitDir)
    if (known?.generation === generation && isSameStamp(known.stamp, stamp)) return known.refs
    const refs = await listStoredRefs(gitDir, options)
    if (stamp !== null) tables.set(gitDir, { stamp, refs, generation })
    return refs
  }

  function forget(gitDir: string): void {
    files.delete(gitDir)
    tables.delete(gitDir)
  }

  return { readRefs, forget }
}

/**
 * Lists branches and tags with git, for ref formats that this reader does not support.
 *
 * git prints them in the format of `packed-refs`, so one parser reads both.
 *
 * @throws Error when git cannot read the repository.
 */
async function listStoredRefs(gitDir: string, options: { readonly searchPath: string }): Promise<StoredRefs> {
  const format = '--format=%(objectname) %(refname)%(if)%(*objectname)%(then)%0a^%(*objectname)%(end)'
  const run = await runGit(['for-each-ref', format, 'refs/heads/', 'refs/tags/'], {
    gitDir,
    searchPath: options.searchPath,
    timeoutMs: 60_000,
    maxOutputBytes: 256 * 1024 * 1024,
  })
  if (run.kind !== 'exited') throw new Error(`list refs: git ended early (${run.kind})`)
  if (run.exitCode !== 0) throw new Error(`list refs: git ended with ${run.exitCode}: ${run.stderr.trim()}`)
  const refs = run.stdout.length === 0 ? noStoredRefs : parsePackedRefs(run.stdout)
  if (refs === null) throw new Error('list refs: git printed another format')
  return { ...refs, isComplete: false }
}

interface FilesSnapshot {
  readonly generation: number
  readonly heads: LooseRefs
  readonly tags: LooseRefs
  readonly packed: PackedSnapshot
  readonly refs: StoredRefs
  /** Read so soon after a change that the stamps are not reliable yet. */
  readonly isYoung: boolean
}

interface PackedSnapshot {
  readonly path: string
  readonly stamp: Stamp | null
  readonly refs: StoredRefs
}

interface TableSnapshot {
  readonly generation: number
  readonly stamp: Stamp
  readonly refs: StoredRefs
}

function isCurrent(snapshot: FilesSnapshot): boolean {
  if (snapshot.isYoung) return false
  if (![snapshot.heads, snapshot.tags].every(isStillTrue)) return false
  return isSameStamp(snapshot.packed.stamp, takeStamp(snapshot.packed.path))
}

function takeSnapshot(
  gitDir: string,
  { before, generation }: { readonly before: FilesSnapshot | null; readonly generation: number },
): FilesSnapshot {
  const now = Date.now()
  const heads = readLooseRefs(gitDir, 'refs/heads')
  const tags = readLooseRefs(gitDir, 'refs/tags')
  const packedPath = path.join(gitDir, 'packed-refs')
  if (before !== null && before.generation !== generation) refreshAttributes(packedPath)
  const packed = readPacked(packedPath, before?.packed ?? null)
  const isSame = before?.packed === packed
  const refs = {
    branches:
      isSame && isSameMap(before.heads.refs, heads.refs)
        ? before.refs.branches
        : overlayRefs(packed.refs.branches, heads.refs),
    tags: isSame && isSameMap(before.tags.refs, tags.refs) ? before.refs.tags : mergeTags(packed, tags),
    isComplete: packed.refs.isComplete && ![heads, tags].some(({ hasOthers }) => hasOthers),
  }
  const folders = [...heads.folders, ...tags.folders]
  return { generation, heads, tags, packed, refs, isYoung: folders.some(({ stamp }) => isYoung(stamp, now)) }
}

/** On a network file system, opening a file makes its stamp current. */
function refreshAttributes(file: string): void {
  readUnlessAbsent(() => closeSync(openSync(file, 'r')), undefined)
}

/**
 * The file is replaced as a whole, which changes its inode, so a young stamp is reliable.
 *
 * @throws DamagedRefError for a file in which refs may be missing.
 */
function readPacked(file: string, before: PackedSnapshot | null): PackedSnapshot {
  const stamp = takeStamp(file)
  if (before !== null && isSameStamp(before.stamp, stamp)) return before
  const bytes = stamp === null ? null : readUnlessAbsent(() => readFileSync(file), null)
  const refs = bytes === null ? noStoredRefs : parsePackedRefs(bytes)
  if (refs === null) throw new DamagedRefError(file, remedyOfPackedRefs)
  return { path: file, stamp, refs }
}

/** Overlays packed tags with loose ones, in order. 20,000 tags are a few megabytes, so they are objects. */
function mergeTags(packed: PackedSnapshot, loose: LooseRefs): readonly StoredTag[] {
  if (loose.refs.size === 0) return packed.refs.tags
  const kept = packed.refs.tags.filter(({ name }) => !loose.refs.has(name))
  const over = [...loose.refs].map(([name, objectId]) => ({ name, objectId, peeledId: null, isLoose: true as const }))
  return [...kept, ...over].sort((left, right) => compareUtf8(left.name, right.name))
}

function isSameMap(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([name, id]) => right.get(name) === id)
}

/** Even the largest repository is cached, alone if necessary: reading it again for every request would be worse. */
function sizeOf({ refs }: { readonly refs: StoredRefs }): number {
  return Math.min(maxCachedRefs, 30 + refs.branches.length + refs.tags.length)
}

/**
 * Maximum number of cached refs, about 30 MB: two of the largest expected repositories, or thousands of ordinary ones.
 */
const maxCachedRefs = 300_000
