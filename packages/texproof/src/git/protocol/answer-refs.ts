/** Advertises the refs of a repository without starting git; see ADR 29. */
import { LRUCache } from 'lru-cache'

import type { ObjectPool } from '../objects/object-pool.ts'
import type { RefReader } from '../refs/create-ref-reader.ts'
import { createAdvertisedRefReader, isPlainRepository, type AdvertisedRefs } from '../refs/read-advertised-refs.ts'
import type { AdvertiseOptions } from '../types.ts'
import { createCapabilityReader } from './capabilities.ts'
import { encodeFetchRefs, encodeLsRefs, encodePushRefs } from './encode-refs.ts'
import type { LsRefs } from './ls-refs.ts'
import { encodePktLine } from './pkt-line.ts'

/** An answer in chunks, generated while it is read; null if only git can provide it. */
type RefAnswer = Iterable<Uint8Array> | null

export interface RefAnswers {
  /** The answer to `info/refs`, to be sent after `encodeServiceHeader`. */
  advertise(gitDir: string, options: AdvertiseOptions): Promise<RefAnswer>
  /** The answer to the `ls-refs` command. */
  listRefs(gitDir: string, request: LsRefs): Promise<RefAnswer>
}

/** Creates answers for the git on a search path. */
export function createRefAnswers(options: {
  readonly refs: RefReader
  readonly pool: ObjectPool
  readonly searchPath: string
}): RefAnswers {
  const reader = createAdvertisedRefReader(options.refs, options.pool)
  const capabilities = createCapabilityReader(options)
  const remembered = new LRUCache<string, RememberedAnswer>({
    maxSize: maxRememberedBytes,
    // A request may be much longer than its answer.
    sizeCalculation: ({ pieces }, key) => pieces.reduce((total, { length }) => total + length, 2 * key.length),
  })

  /** Long lists are requested repeatedly while no ref moves. */
  function remember(key: string, refs: AdvertisedRefs, pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
    if (refs.branches.length + refs.tags.length < minRememberedRefs) return pieces
    const known = remembered.get(key)
    if (known !== undefined && isSame(known.refs, refs)) return known.pieces
    return keepPieces(pieces, (all) => remembered.set(key, { refs, pieces: all }))
  }

  return {
    async advertise(gitDir, { service, protocol }) {
      if (service === 'upload-pack' && protocol === 'version=2') {
        const answer = isPlainRepository(gitDir) ? await capabilities.findVersion2(gitDir) : null
        return answer === null ? null : [answer]
      }
      const refs = await reader.read(gitDir)
      // Versions of git differ for a fetch from an empty repository.
      if (service === 'upload-pack' && refs !== null && refs.branches.length + refs.tags.length === 0) return null
      const known = refs === null ? null : await capabilities.find(gitDir, service, refs.head)
      if (refs === null || known === null) return null
      const encode = service === 'upload-pack' ? encodeFetchRefs : encodePushRefs
      const pieces = remember(`${service} ${gitDir}`, refs, encode(refs, known))
      return protocol === 'version=1' ? prepend(encodePktLine('version 1\n'), pieces) : pieces
    },
    async listRefs(gitDir, request) {
      const refs = await reader.read(gitDir)
      return refs === null ? null : remember(`${JSON.stringify(request)} ${gitDir}`, refs, encodeLsRefs(refs, request))
    },
  }
}

interface RememberedAnswer {
  readonly refs: AdvertisedRefs
  readonly pieces: readonly Uint8Array[]
}

function isSame(left: AdvertisedRefs, right: AdvertisedRefs): boolean {
  const isSameHead = left.head.target === right.head.target && left.head.commitId === right.head.commitId
  return isSameHead && left.branches === right.branches && left.tags === right.tags
}

function* prepend(first: Uint8Array, rest: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield first
  yield* rest
}

function* keepPieces(pieces: Iterable<Uint8Array>, onEnd: (all: readonly Uint8Array[]) => void): Generator<Uint8Array> {
  const all: Uint8Array[] = []
  for (const piece of pieces) {
    all.push(piece)
    yield piece
  }
  onEnd(all)
}

/** Enough for three answers of 100,000 refs. */
const maxRememberedBytes = 24 * 1024 * 1024
const minRememberedRefs = 500
