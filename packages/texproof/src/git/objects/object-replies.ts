/**
 * Reads the output of `git cat-file --batch-command` as it arrives.
 *
 * Each command is answered in order, by `{id} {type} {size}` and, for `contents`, the bytes and a newline, or by
 * `{query} missing`. A reader out of step would return another user's file, so each header is compared with its query,
 * and unexpected output ends the process.
 */

/** One query for one object. */
export interface ObjectQuery {
  readonly command: 'info' | 'contents'
  /** A full object id, or a prefix with `info` and `peelTo`. */
  readonly objectId: string
  /** Follow tags and commits to an object of this type, or to an object that is not a tag; null = do not peel. */
  readonly peelTo: 'commit' | 'tree' | 'no-tag' | null
}

/** git's answer about one object. */
export type ObjectReply =
  | {
      readonly kind: 'object'
      readonly objectId: string
      readonly type: string
      readonly size: number
      readonly bytes: Buffer
    }
  | { readonly kind: 'missing' }
  /** The object exists but cannot be read. */
  | { readonly kind: 'damaged' }

/** Encodes a query as a line for git. */
export function encodeObjectQuery(query: ObjectQuery): string {
  return `${query.command} ${revisionOf(query)}\n`
}

/** Reads replies; `push` returns false if the output does not match the query. */
export interface ReplyReader {
  push(chunk: Buffer): boolean
}

/** Creates a reader that takes the current query from `nextQuery` and passes each reply to `onReply`. */
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
  /** Size in bytes. */
  readonly size: number
}

/** The header that answers this query, or null if it does not match. */
function parseHeader(line: string, query: ObjectQuery): Header | 'missing' | null {
  // An ambiguous prefix matches no object.
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
