/**
 * Encodes lists of refs like git, byte for byte. Source: upload-pack.c, ls-refs.c, builtin/receive-pack.c;
 * gitprotocol-pack(5), gitprotocol-v2(5).
 */
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import type { AdvertisedRefs } from '../refs/read-advertised-refs.ts'
import type { LsRefs } from './ls-refs.ts'

/** git's capabilities in protocol versions 0 and 1. The target of HEAD is inserted between the two. */
export interface Capabilities {
  readonly beforeHead: string
  readonly afterHead: string
}

/** The refs for a fetch with versions 0 and 1, to be sent after the service header. */
export function encodeFetchRefs(refs: AdvertisedRefs, capabilities: Capabilities): Generator<Uint8Array> {
  const { target, commitId } = refs.head
  const head = commitId === null ? '' : ` symref=HEAD:${target}`
  return encodeLines(withCapabilities(fetchLines(refs), `${capabilities.beforeHead}${head}${capabilities.afterHead}`))
}

/** The refs for a push, to be sent after the service header. */
export function encodePushRefs(refs: AdvertisedRefs, { beforeHead, afterHead }: Capabilities): Generator<Uint8Array> {
  return encodeLines(withCapabilities(pushLines(refs), beforeHead + afterHead))
}

/** The answer to `ls-refs`. */
export function encodeLsRefs(refs: AdvertisedRefs, request: LsRefs): Generator<Uint8Array> {
  return encodeLines(lsRefsLines(refs, request))
}

function* fetchLines({ head, branches, tags }: AdvertisedRefs): Generator<string> {
  if (head.commitId !== null) yield `${head.commitId} HEAD`
  yield* pushLines({ head, branches, tags: [] })
  for (const { name, objectId, peeledId } of tags) {
    yield `${objectId} refs/tags/${name}`
    if (peeledId !== null) yield `${peeledId} refs/tags/${name}^{}`
  }
}

function* pushLines({ branches, tags }: AdvertisedRefs): Generator<string> {
  for (let index = 0; index < branches.length; index += 1) {
    const { name, commitId } = branches.at(index)
    yield `${commitId} refs/heads/${name}`
  }
  for (const { name, objectId } of tags) yield `${objectId} refs/tags/${name}`
}

function* withCapabilities(lines: Iterable<string>, capabilities: string): Generator<string> {
  let isFirst = true
  for (const line of lines) {
    yield isFirst ? `${line}\0${capabilities}\n` : `${line}\n`
    isFirst = false
  }
  if (isFirst) yield `${'0'.repeat(40)} capabilities^{}\0${capabilities}\n`
}

function* lsRefsLines({ head, branches, tags }: AdvertisedRefs, request: LsRefs): Generator<string> {
  const { peel, symrefs, unborn } = request
  const prefixes = withoutCovered(request.prefixes)
  const target = symrefs ? ` symref-target:${head.target}` : ''
  if (prefixes.some((prefix) => 'HEAD'.startsWith(prefix))) {
    if (head.commitId !== null) yield `${head.commitId} HEAD${target}\n`
    else if (symrefs && unborn) yield `unborn HEAD${target}\n`
  }
  for (const { name, commitId } of select(branches, 'refs/heads/', prefixes)) yield `${commitId} refs/heads/${name}\n`
  const tagList = { length: tags.length, at: (index: number) => tags[index] ?? noTag }
  for (const { name, objectId, peeledId } of select(tagList, 'refs/tags/', prefixes)) {
    const peeled = peel && peeledId !== null ? ` peeled:${peeledId}` : ''
    yield `${objectId} refs/tags/${name}${peeled}\n`
  }
}

/** Sorted, without prefixes that start with another one; a single empty prefix if there are none. */
function withoutCovered(prefixes: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const prefix of [...prefixes].sort(compareUtf8)) {
    const last = kept.at(-1)
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix)
  }
  return kept.length === 0 ? [''] : kept
}

interface NamedList<Item extends { readonly name: string }> {
  readonly length: number
  at(index: number): Item
}

/** The refs of a sorted list whose full names start with one of the prefixes, none of which starts with another. */
function* select<Item extends { readonly name: string }>(
  list: NamedList<Item>,
  folder: string,
  prefixes: readonly string[],
): Generator<Item> {
  for (const prefix of prefixes) {
    let low = 0
    for (let high = list.length; low < high;) {
      const middle = (low + high) >>> 1
      if (compareUtf8(folder + list.at(middle).name, prefix) < 0) low = middle + 1
      else high = middle
    }
    for (; low < list.length; low += 1) {
      const item = list.at(low)
      if (!`${folder}${item.name}`.startsWith(prefix)) break
      yield item
    }
  }
}

/** Used for indexes outside of a list. */
const noTag = { name: '', objectId: '', peeledId: null }

/** Encodes lines as packets followed by a flush, in chunks of about 64 KB. */
function* encodeLines(lines: Iterable<string>): Generator<Uint8Array> {
  let text = ''
  for (const line of lines) {
    text += encodeLength(Buffer.byteLength(line)) + line
    if (text.length < pieceLength) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}0000`)
}

/** Four hex digits, which are included in the length. Most lines of a list have one of a few lengths. */
function encodeLength(bytes: number): string {
  const known = encodedLengths[bytes]
  if (known !== undefined) return known
  const encoded = (bytes + 4).toString(16).padStart(4, '0')
  if (bytes < encodedLengths.length) encodedLengths[bytes] = encoded
  return encoded
}

const encodedLengths: (string | undefined)[] = Array.from({ length: 512 })
const pieceLength = 64 * 1024
