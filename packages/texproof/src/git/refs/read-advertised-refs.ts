/**
 * Reads the refs of a repository as git advertises them to a client, without starting git.
 *
 * Only repositories as this host creates them are supported: refs in files, HEAD at a branch, a known configuration.
 * For all others the answer is null, and git lists the refs.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { LRUCache } from 'lru-cache'

import { isBranchName } from '../../domain/git/ref-names.ts'
import type { ObjectPool } from '../objects/object-pool.ts'
import type { RefReader } from './create-ref-reader.ts'
import type { StoredTag } from './parse-packed-refs.ts'
import { hasOtherRefs } from './read-loose-refs.ts'
import { findRef, type RefList } from './ref-list.ts'

/** All refs that are visible to a client. */
export interface AdvertisedRefs {
  readonly head: AdvertisedHead
  readonly branches: RefList
  /** `peeledId` is null for a lightweight tag. The same array while no tag moves. */
  readonly tags: readonly Omit<StoredTag, 'isLoose'>[]
}

export interface AdvertisedHead {
  /** Full name of the branch. */
  readonly target: string
  /** Null for a branch that does not exist yet. */
  readonly commitId: string | null
}

/** Reads the refs that are advertised to clients. */
export interface AdvertisedRefReader {
  /** Null if only git can list them. */
  read(gitDir: string): Promise<AdvertisedRefs | null>
}

/** Creates a reader from a ref reader and an object pool, which peels tags that are not packed yet. */
export function createAdvertisedRefReader(refs: RefReader, pool: ObjectPool): AdvertisedRefReader {
  const peeledTags = new WeakMap<readonly StoredTag[], readonly StoredTag[]>()
  // An object never changes, so its peeled target is cached without expiry.
  // Not `max`, which allocates memory for all keys at once: a part of each start.
  const peeledIds = new LRUCache<string, { readonly peeledId: string | null }>({
    maxSize: maxRememberedTags,
    sizeCalculation: () => 1,
  })

  async function peel(gitDir: string, tags: readonly StoredTag[]): Promise<readonly StoredTag[] | null> {
    const known = peeledTags.get(tags)
    if (known !== undefined) return known
    const loose = tags.filter(({ isLoose, objectId }) => isLoose === true && !peeledIds.has(objectId))
    const replies = await pool.ask(
      gitDir,
      loose.map(({ objectId }) => ({ command: 'info', objectId, peelTo: 'no-tag' })),
    )
    for (const [index, reply] of replies.entries()) {
      const { objectId = '' } = loose[index] ?? {}
      if (reply.kind !== 'object') return null
      peeledIds.set(objectId, { peeledId: reply.objectId === objectId ? null : reply.objectId })
    }
    const peeled: StoredTag[] = []
    for (const tag of tags) {
      const found = tag.isLoose === true ? peeledIds.get(tag.objectId) : tag
      if (found === undefined) return null
      peeled.push({ name: tag.name, objectId: tag.objectId, peeledId: found.peeledId })
    }
    peeledTags.set(tags, peeled)
    return peeled
  }

  return {
    async read(gitDir) {
      if (!isPlainRepository(gitDir) || hasOtherRefs(gitDir)) return null
      const stored = await refs.readRefs(gitDir)
      const target = readHead(gitDir)
      if (!stored.isComplete || target === null) return null
      const tags = await peel(gitDir, stored.tags)
      const commitId = findRef(stored.branches, target.slice(branchPrefix.length))?.commitId ?? null
      return tags === null ? null : { head: { target, commitId }, branches: stored.branches, tags }
    },
  }
}

/** Whether nothing in a repository changes how git lists its refs: no unknown setting, no graft, no alternates. */
export function isPlainRepository(gitDir: string): boolean {
  if (!plainConfig.test(readText(path.join(gitDir, 'config')))) return false
  return !['shallow', 'objects/info/alternates', 'info/grafts'].some((name) => existsSync(path.join(gitDir, name)))
}

function readHead(gitDir: string): string | null {
  const target = /^ref: (refs\/heads\/[^\n]+)\n?$/.exec(readText(path.join(gitDir, 'HEAD')))?.[1] ?? null
  return target !== null && isBranchName(target.slice(branchPrefix.length)) ? target : null
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // a damaged repository, which git reports in detail
  }
}

const branchPrefix = 'refs/heads/'
const maxRememberedTags = 50_000
/** The settings that this host, `git init` and `git gc` write; at least one line. */
const plainConfig =
  /^(?:\[(?:core|http|gc|pack|repack)\]\n|[ \t]+(?:repositoryformatversion = 0|(?:filemode|bare|ignorecase|precomposeunicode|getanyfile) = (?:true|false))\n)+$/
