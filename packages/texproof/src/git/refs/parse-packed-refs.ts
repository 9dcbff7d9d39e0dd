/**
 * Parses `packed-refs`, the file in which git keeps refs that rarely move: one `id ref` per line, and after an
 * annotated tag `^id` with its peeled target. It is read in one pass, and branches are stored as offsets into it
 * (`ref-list.ts`). Source: refs/packed-backend.c.
 */
import { isAscii, isUtf8 } from 'node:buffer'

import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { noRefs, type RefList } from './ref-list.ts'

/** A tag that is not peeled yet. */
export interface StoredTag {
  readonly name: string
  /** The object that the ref points to: a commit, a tag object or another object. */
  readonly objectId: string
  /** The peeled target in the file; null if it has none. */
  readonly peeledId: string | null
  /** The tag has its own file, which contains no peeled target. */
  readonly isLoose?: true
}

/** Branches and tags, each sorted by the UTF-8 bytes of the name. Other refs are ignored. */
export interface StoredRefs {
  readonly branches: RefList
  readonly tags: readonly StoredTag[]
  /** Whether git has no other refs here except internal ones, and the file contains the peeled target of every tag. */
  readonly isComplete: boolean
}

/** The refs of an empty repository. */
export const noStoredRefs: StoredRefs = { branches: noRefs, tags: [], isComplete: true }

/**
 * Parses a `packed-refs` file. Names that are not UTF-8 are ignored. Null for a damaged file: an empty one, because git
 * writes a header, and one with a line that is cut off or is not a ref, because the refs after it may be missing.
 */
export function parsePackedRefs(file: Buffer): StoredRefs | null {
  if (file.length === 0) return null
  // One character per byte: regular expressions are fast, and offsets are offsets in the file.
  const text = file.toString('latin1')
  const decode = isAscii(file) ? (name: string) => name : decodeUtf8
  const hasBrokenNames = !isUtf8(file)
  const branchOffsets: number[] = []
  const tags: StoredTag[] = []
  const header = text.slice(0, endOfLine(text, 0))
  let isComplete = header.startsWith('#') && header.includes(' fully-peeled ') && !hasBrokenNames
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = matchEnd(refLine, text, start)
    if (end === start) {
      end = matchEnd(start === 0 && header.startsWith('#') ? headerLine : otherLine, text, start)
      if (end === start) return null
      isComplete &&= start === 0 || matchEnd(hiddenLine, text, start) === end
      continue
    }
    const space = idEnd(text, start)
    if (hasBrokenNames && !isUtf8(file.subarray(space, end))) continue
    if (text.startsWith(branchPrefix, space + 1)) {
      branchOffsets.push(start)
      continue
    }
    const name = decode(text.slice(space + 1 + tagPrefix.length, endOfLine(text, start)))
    const peelEnd = matchEnd(peelLine, text, end)
    const peeledId = peelEnd === end ? null : text.slice(end + 1, peelEnd).trimEnd()
    tags.push({ name, objectId: text.slice(start, space), peeledId })
    end = peelEnd
  }
  const branches = createPackedList(text, { offsets: Uint32Array.from(branchOffsets), decode })
  if (header.includes(' sorted ')) return { branches, tags, isComplete }
  return { branches: sortRefs(branches), tags: tags.sort(byName), isComplete }
}

function createPackedList(
  text: string,
  { offsets, decode }: { readonly offsets: Uint32Array; readonly decode: (name: string) => string },
): RefList {
  return {
    length: offsets.length,
    at(index) {
      const start = offsets[index]
      if (start === undefined) throw new RangeError(`no ref ${index}`)
      const space = idEnd(text, start)
      const name = decode(text.slice(space + 1 + branchPrefix.length, endOfLine(text, start)))
      return { name, commitId: text.slice(start, space) }
    },
  }
}

/** git sorts the file and marks it as sorted; a file edited by hand is read and sorted. */
function sortRefs(list: RefList): RefList {
  const refs = Array.from({ length: list.length }, (_, index) => list.at(index)).sort(byName)
  return { length: refs.length, at: (index) => refs[index] ?? noRefs.at(index) }
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return compareUtf8(left.name, right.name)
}

/** The end of a match that starts at an offset; the offset itself if there is none. */
function matchEnd(expression: RegExp, text: string, start: number): number {
  expression.lastIndex = start // sticky expressions match only at this index
  return expression.test(text) ? expression.lastIndex : start
}

function idEnd(text: string, start: number): number {
  return text.charAt(start + 40) === ' ' ? start + 40 : start + 64
}

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  return newline === -1 ? text.length : newline
}

function decodeUtf8(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8')
}

const branchPrefix = 'refs/heads/'
const tagPrefix = 'refs/tags/'
const headerLine = /#[^\n]*\n/y
const refLine = /(?:[0-9a-f]{40}|[0-9a-f]{64}) refs\/(?:heads|tags)\/[^\n\0]+\n/y
const otherLine = /(?:(?:[0-9a-f]{40}|[0-9a-f]{64}) refs\/[^\n\0]+|\^(?:[0-9a-f]{40}|[0-9a-f]{64}))\n/y
const hiddenLine = /[0-9a-f]{40} refs\/texproof\/[^\n]+\n/y
const peelLine = /\^(?:[0-9a-f]{40}|[0-9a-f]{64})\n/y
