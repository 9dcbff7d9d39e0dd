/**
 * The output of `git cat-file --batch-command`, read as it arrives.
 *
 * Each command is answered in order, by `{id} {type} {size}` and for `contents` the bytes and a newline, or by
 * `{what was asked} missing`. A reader that loses count returns another user's file, so each header
 * is compared with its query, and anything unexpected ends the process.
 */

/** One question to git about one object. */
export interface ObjectQuery {
  readonly command: 'info' | 'contents'
  /** A full object id, or the beginning of one with `info` and `peelTo`. */
  readonly objectId: string
  /** Follow tags and commits to an object of this type, or to one that is no tag; null takes the object as it is. */
  readonly peelTo: 'commit' | 'tree' | 'no-tag' | null
}

/** What git says about one object. */
export type ObjectReply =
  | {
      readonly kind: 'object'
      readonly objectId: string
      readonly type: string
      readonly size: number
      readonly bytes: Buffer
    }
  | { readonly kind: 'missing' }
  /** The object is there and cannot be read. */
  | { readonly kind: 'damaged' }

/** The line that asks git. */
export function encodeObjectQuery(query: ObjectQuery): string {
  return `${query.command} ${revisionOf(query)}\n`
}

/** Reads replies; `push` returns false when the output is not what was asked for. */
export interface ReplyReader {
  push(chunk: Buffer): boolean
}

/** Makes a reader that takes the question due next from `nextQuery` and hands each reply to `onReply`. */
export function createReplyReader(options: {
  readonly nextQuery: () => ObjectQuery | null
  readonly onReply: (reply: ObjectReply) => void
}): ReplyReader {
  let line: Buffer = Buffer.alloc(0)
  let body: { readonly header: Header; readonly bytes: Buffer; length: number } | null = null

  function push(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length;) {
      if (body !== null) {
        const taken = chunk.copy(body.bytes, body.length, at)
        body.length += taken
        at += taken
        if (body.length < body.bytes.length) return true
        if (body.bytes.at(-1) !== newline) return false
        const { header, bytes } = body
        body = null
        options.onReply({ kind: 'object', ...header, bytes: bytes.subarray(0, -1) })
        continue
      }
      const end = chunk.indexOf(newline, at)
      line = Buffer.concat([line, chunk.subarray(at, end === -1 ? chunk.length : end)])
      if (line.length > maxHeaderBytes) return false
      if (end === -1) return true
      at = end + 1
      const query = options.nextQuery()
      const header = query === null ? null : parseHeader(line.toString('latin1'), query)
      line = Buffer.alloc(0)
      if (query === null || header === null) return false
      if (header === 'missing') options.onReply({ kind: 'missing' })
      else if (query.command === 'info') options.onReply({ kind: 'object', ...header, bytes: Buffer.alloc(0) })
      else body = { header, bytes: Buffer.allocUnsafe(header.size + 1), length: 0 }
    }
    return true
  }

  return { push }
}

interface Header {
  readonly objectId: string
  readonly type: string
  /** Bytes. */
  readonly size: number
}

/** The header that answers this question, or null for one that answers another. */
function parseHeader(line: string, query: ObjectQuery): Header | 'missing' | null {
  // A short id that begins several objects names none of them.
  if (line === `${revisionOf(query)} missing` || line === `${revisionOf(query)} ambiguous`) return 'missing'
  const [, objectId, type, size] = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? []
  if (objectId === undefined || type === undefined || size === undefined) return null
  return isAnswer(query, { objectId, type }) ? { objectId, type, size: Number(size) } : null
}

function isAnswer(query: ObjectQuery, { objectId, type }: Pick<Header, 'objectId' | 'type'>): boolean {
  if (query.peelTo === null) return objectId === query.objectId
  return query.peelTo === 'no-tag' ? type !== 'tag' : type === query.peelTo
}

function revisionOf({ objectId, peelTo }: ObjectQuery): string {
  if (peelTo === null) return objectId
  return peelTo === 'no-tag' ? `${objectId}^{}` : `${objectId}^{${peelTo}}`
}

const newline = 0x0a
const maxHeaderBytes = 256
