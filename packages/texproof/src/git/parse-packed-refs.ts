/**
 * The file in which git keeps the refs that do not move: one `id ref` a line, and below an annotated tag `^id` of what
 * it peels to. It may hold 100,000 branches, so it is read in one pass over one string, and a name is a slice of it.
 * Source: refs/packed-backend.c; gitrepository-layout(5).
 */
import { isUtf8 } from 'node:buffer'

import { compareUtf8 } from '../domain/compare-utf8.ts'
import type { Ref } from './types.ts'

/** A tag before it is peeled. */
export interface StoredTag {
  readonly name: string
  /** What the ref names: a commit, a tag object or anything else. */
  readonly objectId: string
  /** What git noted that it peels to; null when it noted nothing. */
  readonly peeledId: string | null
}

/** Branches and tags, each ascending by the UTF-8 bytes of the name. Other refs are no concern of the house. */
export interface StoredRefs {
  readonly branches: readonly Ref[]
  readonly tags: readonly StoredTag[]
}

/** Reads a `packed-refs` file; lines that are none are left out, and so are names that are not UTF-8. */
export function parsePackedRefs(file: Buffer): StoredRefs {
  const branches: Ref[] = []
  const tags: { name: string; objectId: string; peeledId: string | null }[] = []
  // Only a file that is not UTF-8 as a whole needs its names looked at one by one.
  const hasBrokenNames = !isUtf8(file)
  const text = file.toString('utf8')
  let lastTag: { peeledId: string | null } | null = null
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    if (text.charCodeAt(start) === caret) {
      const peeledId = text.slice(start + 1, end)
      if (lastTag !== null && isObjectId(peeledId)) lastTag.peeledId = peeledId
      continue
    }
    lastTag = null
    const space = text.indexOf(' ', start)
    const objectId = text.slice(start, space)
    if (space > end || !isObjectId(objectId)) continue
    if (hasBrokenNames && text.slice(space, end).includes('\ufffd')) continue
    if (text.startsWith('refs/heads/', space + 1)) {
      branches.push({ name: text.slice(space + 12, end), commitId: objectId })
    } else if (text.startsWith('refs/tags/', space + 1)) {
      const tag = { name: text.slice(space + 11, end), objectId, peeledId: null }
      tags.push(tag)
      lastTag = tag
    }
  }
  return { branches: inOrder(branches), tags: inOrder(tags) }
}

/** git writes the file sorted, so this is one pass over it unless a hand has touched it. */
function inOrder<Named extends { readonly name: string }>(refs: readonly Named[]): readonly Named[] {
  const isSorted = refs.every((ref, index) => {
    const before = refs[index - 1]
    return before === undefined || compareUtf8(before.name, ref.name) < 0
  })
  return isSorted ? refs : refs.toSorted((left, right) => compareUtf8(left.name, right.name))
}

/** Whether this is a full object id: 40 or 64 lower-case hex digits. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

const caret = 0x5e
