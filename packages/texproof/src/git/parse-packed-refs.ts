/**
 * The file in which git keeps the refs that do not move: one `id ref` a line, and below an annotated tag `^id` of what
 * it peels to. It may hold 100,000 branches, so it is read in one pass over one string, and a name is a slice of it.
 * Source: refs/packed-backend.c; gitrepository-layout(5).
 */
import { isAscii, isUtf8 } from 'node:buffer'

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
  // One character a byte, so that an offset in the text is one in the file; names are decoded where ASCII does not do.
  const text = file.toString('latin1')
  const isPlain = isAscii(file)
  let lastTag: { peeledId: string | null } | null = null
  for (let start = 0, end = 0; start < file.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = file.length
    if (file[start] === caret) {
      if (lastTag !== null && isIdAt(file, start + 1, end)) lastTag.peeledId = text.slice(start + 1, end)
      continue
    }
    lastTag = null
    const space = text.indexOf(' ', start)
    if (!isIdAt(file, start, space)) continue
    const isBranch = text.startsWith('refs/heads/', space + 1)
    if (!isBranch && !text.startsWith('refs/tags/', space + 1)) continue
    const nameStart = space + 1 + (isBranch ? 'refs/heads/' : 'refs/tags/').length
    const name = isPlain ? text.slice(nameStart, end) : decodeName(file.subarray(nameStart, end))
    if (name === null) continue
    const objectId = text.slice(start, space)
    if (isBranch) {
      branches.push({ name, commitId: objectId })
    } else {
      const tag = { name, objectId, peeledId: null }
      tags.push(tag)
      lastTag = tag
    }
  }
  // In ASCII, strings order as their bytes do, and the engine's own comparison is ten times as fast.
  const compare = isPlain ? compareUnits : compareUtf8
  return { branches: inOrder(branches, compare), tags: inOrder(tags, compare) }
}

function decodeName(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}

/** Whether an object id stands between two offsets. */
function isIdAt(file: Buffer, start: number, end: number): boolean {
  if (end - start !== 40 && end - start !== 64) return false
  for (let at = start; at < end; at += 1) {
    const byte = file[at] ?? 0
    if (byte < 0x30 || (byte > 0x39 && byte < 0x61) || byte > 0x66) return false
  }
  return true
}

/** git writes the file sorted, so this is one pass over it unless a hand has touched it. */
function inOrder<Named extends { readonly name: string }>(
  refs: readonly Named[],
  compare: (left: string, right: string) => number,
): readonly Named[] {
  const isSorted = refs.every((ref, index) => {
    const before = refs[index - 1]
    return before === undefined || compare(before.name, ref.name) < 0
  })
  return isSorted ? refs : refs.toSorted((left, right) => compare(left.name, right.name))
}

function compareUnits(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Whether this is a full object id: 40 or 64 lower-case hex digits. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

const caret = 0x5e
