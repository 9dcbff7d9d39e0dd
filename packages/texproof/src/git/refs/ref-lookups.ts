/** Branches and tags by name and in lists. */
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { isBranchName } from '../../domain/git/ref-names.ts'
import type { GitStore, Ref } from '../types.ts'
import type { RefReader } from './create-ref-reader.ts'
import type { StoredTag } from './parse-packed-refs.ts'
import { findRef, sliceRefs, type RefList } from './ref-list.ts'
import type { TagPeeler } from './tag-peeler.ts'

/** The part of the store that reads refs. */
export interface RefLookups extends Pick<
  GitStore,
  'listBranches' | 'pageBranches' | 'findBranch' | 'findRefs' | 'listTags' | 'findTag'
> {
  /** The object that a tag names; null if there is no such tag. */
  findTagObject(repositoryId: number, name: string): Promise<string | null>
}

/** Where the refs are. */
export interface RefLookupsOptions {
  readonly refs: RefReader
  readonly tags: TagPeeler
  readonly gitDir: (repositoryId: number) => string
}

/** Creates the lookups of all repositories. */
export function createRefLookups({ refs, tags, gitDir }: RefLookupsOptions): RefLookups {
  const branchArrays = new WeakMap<RefList, readonly Ref[]>()

  return {
    async listBranches(repositoryId) {
      const { branches } = await refs.readRefs(gitDir(repositoryId))
      const known = branchArrays.get(branches)
      const array = known ?? sliceRefs(branches, 0, branches.length)
      if (known === undefined) branchArrays.set(branches, array)
      return array
    },

    async pageBranches(repositoryId, { offset, limit }) {
      const { branches } = await refs.readRefs(gitDir(repositoryId))
      return { branches: sliceRefs(branches, offset, offset + limit), total: branches.length }
    },

    async findBranch(repositoryId, name) {
      return isBranchName(name) ? findRef((await refs.readRefs(gitDir(repositoryId))).branches, name) : null
    },

    async findRefs(repositoryId, names) {
      const stored = await refs.readRefs(gitDir(repositoryId))
      const found = new Map<string, string>()
      for (const ref of names) {
        const [, kind = '', name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? []
        const isBranch = kind === 'heads'
        const id = isBranch ? findRef(stored.branches, name)?.commitId : findByName(stored.tags, name)?.objectId
        if (id !== undefined) found.set(ref, id)
      }
      return found
    },

    async listTags(repositoryId) {
      const stored = await refs.readRefs(gitDir(repositoryId))
      return tags.peelTags(gitDir(repositoryId), stored.tags)
    },

    async findTag(repositoryId, name) {
      const tag = findByName((await refs.readRefs(gitDir(repositoryId))).tags, name)
      return tag === null ? null : tags.peelTag(gitDir(repositoryId), tag)
    },

    async findTagObject(repositoryId, name) {
      return findByName((await refs.readRefs(gitDir(repositoryId))).tags, name)?.objectId ?? null
    },
  }
}

function findByName(tags: readonly StoredTag[], name: string): StoredTag | null {
  let low = 0
  let high = tags.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareUtf8(tags[middle]?.name ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return tags[low]?.name === name ? (tags[low] ?? null) : null
}
