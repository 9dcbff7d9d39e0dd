/**
 * The file in which git keeps the refs that do not move: one `id ref` a line, and below an annotated tag `^id` of what
 * it peels to. It is read in one pass over its bytes; branches are kept as offsets into it (`ref-list.ts`).
 * Source: refs/packed-backend.c.
 */
import { isUtf8 } from 'node:buffer'

import { compareUtf8 } from '../domain/compare-utf8.ts'
import { noRefs, type RefList } from './ref-list.ts'

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
  readonly branches: RefList
  readonly tags: readonly StoredTag[]
}

/** What a repository without refs has. */
export const noStoredRefs: StoredRefs = { branches: noRefs, tags: [] }

/** Reads a `packed-refs` file; lines that are none are left out, and so are names that are not UTF-8. */
export function parsePackedRefs(file: Buffer): StoredRefs {
  const branchOffsets: number[] = []
  const tags: StoredTag[] = []
  // Only in a file that is not UTF-8 as a whole is each name looked at.
  const hasBrokenNames = !isUtf8(file)
  for (let start = 0, end = 0; start < file.length; start = end + 1) {
    end = endOfLine(file, start)
    const space = start + idLengthAt(file, start)
    if (space === start || file[space] !== spaceByte) continue
    const isTag = startsWith(file, space + 1, tagPrefix)
    if (!isTag && !startsWith(file, space + 1, branchPrefix)) continue
    if (hasBrokenNames && !isUtf8(file.subarray(space, end))) continue
    if (isTag) tags.push(readTag(file, start, space, end))
    else branchOffsets.push(start)
  }
  const isSorted = file.subarray(0, endOfLine(file, 0)).includes(' sorted ')
  const branches = createPackedList(file, Uint32Array.from(branchOffsets))
  return isSorted ? { branches, tags } : { branches: sortRefs(branches), tags: tags.sort(byName) }
}

function readTag(file: Buffer, start: number, space: number, end: number): StoredTag {
  const name = file.toString('utf8', space + 1 + tagPrefix.length, end)
  const length = file[end + 1] === caretByte ? idLengthAt(file, end + 2) : 0
  const peeledId = length === 0 ? null : file.toString('latin1', end + 2, end + 2 + length)
  return { name, objectId: file.toString('latin1', start, space), peeledId }
}

function createPackedList(file: Buffer, offsets: Uint32Array): RefList {
  return {
    length: offsets.length,
    at(index) {
      const start = offsets[index]
      if (start === undefined) throw new RangeError(`no ref ${index}`)
      const space = file.indexOf(spaceByte, start)
      return {
        name: file.toString('utf8', space + 1 + branchPrefix.length, endOfLine(file, start)),
        commitId: file.toString('latin1', start, space),
      }
    },
  }
}

/** git sorts the file and says so; one that a hand has written is read whole and put in order. */
function sortRefs(list: RefList): RefList {
  const refs = Array.from({ length: list.length }, (_, index) => list.at(index)).sort(byName)
  return { length: refs.length, at: (index) => refs[index] ?? noRefs.at(index) }
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return compareUtf8(left.name, right.name)
}

function endOfLine(file: Buffer, start: number): number {
  const newline = file.indexOf(newlineByte, start)
  return newline === -1 ? file.length : newline
}

/** 40 or 64 when an object id of that length stands here, else 0. */
function idLengthAt(file: Buffer, start: number): number {
  let end = start
  while (isHexDigit(file[end])) end += 1
  return end - start === 40 || end - start === 64 ? end - start : 0
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))
}

function startsWith(file: Buffer, start: number, prefix: Buffer): boolean {
  for (let index = 0; index < prefix.length; index += 1) if (file[start + index] !== prefix[index]) return false
  return true
}

/** Whether this is a full object id: 40 or 64 lower-case hex digits. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

const branchPrefix = Buffer.from('refs/heads/')
const tagPrefix = Buffer.from('refs/tags/')
const newlineByte = 0x0a
const spaceByte = 0x20
const caretByte = 0x5e
