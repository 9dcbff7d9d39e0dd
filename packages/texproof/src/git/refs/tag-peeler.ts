/**
 * Peels tags to commits. A tag points to a commit, or through any number of tag objects to one; tags that end at a tree
 * or a blob are omitted.
 *
 * A repository may have 20,000 tags, so the result is cached as long as the ref reader returns the same array, and
 * after a change only new tags are queried.
 */
import { LRUCache } from 'lru-cache'

import { refuseDamaged } from '../objects/damaged-object.ts'
import type { ObjectPool } from '../objects/object-pool.ts'
import type { StoredTag } from './parse-packed-refs.ts'
import type { Ref } from '../types.ts'

/** Peels tags and caches the results. */
export interface TagPeeler {
  /** The tags that peel to a commit, in the same order; the same array for the same input. */
  peelTags(gitDir: string, tags: readonly StoredTag[]): Promise<readonly Ref[]>
  /** The commit of one tag, or null. */
  peelTag(gitDir: string, tag: StoredTag): Promise<Ref | null>
  /** Removes a deleted repository from the cache. */
  forget(gitDir: string): void
}

/** Creates a tag peeler for an object pool. */
export function createTagPeeler(pool: ObjectPool): TagPeeler {
  const commitIds = new LRUCache<string, Map<string, string>>({
    maxSize: maxRemembered,
    sizeCalculation: (map) => Math.min(maxRemembered, map.size + 30),
  })
  const lists = new WeakMap<readonly StoredTag[], readonly Ref[]>()

  async function peelTags(gitDir: string, tags: readonly StoredTag[]): Promise<readonly Ref[]> {
    const known = lists.get(tags)
    if (known !== undefined) return known
    const before = commitIds.get(gitDir) ?? new Map<string, string>()
    const targets = [...new Set(tags.map(targetOf))].filter((target) => !before.has(target))
    const { peeled, isComplete } = await askCommits(gitDir, targets)
    const now = new Map<string, string>()
    for (const target of tags.map(targetOf)) {
      const commitId = before.get(target) ?? peeled.get(target)
      if (commitId !== undefined) now.set(target, commitId)
    }
    commitIds.set(gitDir, now)
    const refs = tags.flatMap((tag) => {
      const commitId = now.get(targetOf(tag))
      return commitId === undefined ? [] : [{ name: tag.name, commitId }]
    })
    if (isComplete) lists.set(tags, refs)
    return refs
  }

  async function peelTag(gitDir: string, tag: StoredTag): Promise<Ref | null> {
    const target = targetOf(tag)
    const commitId = commitIds.get(gitDir)?.get(target) ?? (await askCommits(gitDir, [target])).peeled.get(target)
    return commitId === undefined ? null : { name: tag.name, commitId }
  }

  async function askCommits(gitDir: string, targets: readonly string[]) {
    const replies = await pool.ask(
      gitDir,
      targets.map((objectId) => ({ command: 'info', objectId, peelTo: 'commit' })),
    )
    // One damaged tag is omitted. If all are damaged, git could not read the repository.
    if (replies.every(({ kind }) => kind === 'damaged'))
      refuseDamaged(
        gitDir,
        targets.map((objectId) => ({ objectId })),
        replies,
      )
    const peeled = new Map<string, string>()
    for (const [index, target] of targets.entries()) {
      const reply = replies[index]
      if (reply?.kind === 'object') peeled.set(target, reply.objectId)
    }
    return { peeled, isComplete: replies.every(({ kind }) => kind !== 'damaged') }
  }

  return { peelTags, peelTag, forget: (gitDir) => void commitIds.delete(gitDir) }
}

/** The peeled target in `packed-refs` makes reading the tag unnecessary; its type is queried in any case. */
function targetOf(tag: StoredTag): string {
  return tag.peeledId ?? tag.objectId
}

/** Maximum number of cached tags, about 20 MB. */
const maxRemembered = 100_000
