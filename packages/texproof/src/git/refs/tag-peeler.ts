/**
 * Which commit a tag stands for. A tag names a commit, or a tag object that names one, through any number of them; tags
 * that end at a tree or a blob stand for no commit and are left out.
 *
 * A repository may have 20,000 tags, so the answer is kept as long as the ref reader hands out the same array, and after
 * a change only the tags that are new are asked about.
 */
import { LRUCache } from 'lru-cache'

import { refuseDamaged } from '../objects/damaged-object.ts'
import type { ObjectPool } from '../objects/object-pool.ts'
import type { StoredTag } from './parse-packed-refs.ts'
import type { Ref } from '../types.ts'

/** Peels tags and remembers what it peeled. */
export interface TagPeeler {
  /** The tags that stand for a commit, in the order given; the same array for the same array. */
  peelTags(gitDir: string, tags: readonly StoredTag[]): Promise<readonly Ref[]>
  /** The commit of one tag, or null. */
  peelTag(gitDir: string, tag: StoredTag): Promise<Ref | null>
  /** Forgets a repository that is gone. */
  forget(gitDir: string): void
}

/** Makes a peeler over a pool of object readers. */
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
    // One damaged tag is left out. When all are, git could not read the repository.
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

/** git's own note of what a tag peels to saves reading the tag; the object's type is asked of git all the same. */
function targetOf(tag: StoredTag): string {
  return tag.peeledId ?? tag.objectId
}

/** About 20 MB at worst. */
const maxRemembered = 100_000
