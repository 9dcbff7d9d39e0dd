/**
 * Parses commit and tag objects: header lines, an empty line, the message. The content is untrusted, so every field has a
 * fallback; only the tree is required. Source: the format of commit objects as written by commit.c and read by ident.c
 * (`split_ident_line`).
 */
import { TextDecoder } from 'node:util'

import { isObjectId } from '../is-object-id.ts'
import type { Commit, GitPerson, TagNote } from '../types.ts'

/** Parses the bytes of a commit object; null if they are invalid. */
export function parseCommit(commitId: string, bytes: Uint8Array): Commit | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = buffer.indexOf('\n\n')
  const headers = readHeaders(buffer.subarray(0, end === -1 ? buffer.length : end))
  const treeId = headers.find(({ key }) => key === 'tree')?.value.toString('latin1')
  if (treeId === undefined || !isObjectId(treeId)) return null
  const find = (key: string): Buffer => headers.find((header) => header.key === key)?.value ?? Buffer.alloc(0)
  const decode = createDecoder(find('encoding').toString('latin1'))
  const author = parsePerson(decode(find('author')))
  return {
    commitId,
    treeId,
    parentIds: headers
      .filter(({ key }) => key === 'parent')
      .map(({ value }) => value.toString('latin1'))
      .filter(isObjectId),
    author,
    committer: parsePerson(decode(find('committer'))),
    message: trimLineEnds(cutAtNul(decode(end === -1 ? Buffer.alloc(0) : buffer.subarray(end + 2)))),
  }
}

/** The signature at the end of the message, which is not shown. */
const SIGNATURE = /(?:^|\n)-----BEGIN (?:PGP|SSH|SIGNED)[\s\S]*$/

/** Parses any bytes of a tag object. Source: git-mktag(1). */
export function parseTagNote(bytes: Uint8Array): TagNote {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = buffer.indexOf('\n\n')
  const headers = readHeaders(buffer.subarray(0, end === -1 ? buffer.length : end))
  const find = (key: string): Buffer | null => headers.find((header) => header.key === key)?.value ?? null
  const decode = createDecoder(find('encoding')?.toString('latin1') ?? '')
  const tagger = find('tagger')
  const message = end === -1 ? '' : cutAtNul(decode(buffer.subarray(end + 2)))
  return {
    message: trimLineEnds(message.replace(SIGNATURE, '')),
    tagger: tagger === null ? null : parsePerson(decode(tagger)),
  }
}

/** A header line of a commit or a tag, with its value undecoded. */
interface Header {
  readonly key: string
  readonly value: Buffer
}

const knownKeys: ReadonlySet<string> = new Set(['tree', 'parent', 'author', 'committer', 'encoding', 'tagger'])
const maxKeyLength = 9

/**
 * Continuation lines (of signatures and merge tags) begin with a space and belong to headers that are not used here.
 */
function readHeaders(bytes: Buffer): readonly Header[] {
  const headers: Header[] = []
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start)
    const line = bytes.subarray(start, newline === -1 ? bytes.length : newline)
    const space = line.indexOf(0x20)
    // The keys used here are short; a malicious object may have half a million other lines.
    const key = space > 0 && space <= maxKeyLength ? line.toString('latin1', 0, space) : ''
    if (knownKeys.has(key)) headers.push({ key, value: line.subarray(space + 1) })
    start += line.length + 1
  }
  return headers
}

/**
 * Decodes the text of a commit by its `encoding` header. Without one, as UTF-8, and if that fails, as Windows-1252, the
 * usual encoding of old commits without a header.
 */
function createDecoder(encoding: string): (bytes: Buffer) => string {
  const declared = findDecoder(encoding)
  return (bytes) => {
    if (declared !== null) return declared.decode(bytes)
    try {
      return utf8.decode(bytes)
    } catch {
      return windows1252.decode(bytes) // accepts every byte
    }
  }
}

function findDecoder(label: string): TextDecoder | null {
  if (label === '' || /^utf-?8$/i.test(label)) return null
  try {
    const decoder = new TextDecoder(labelsOfIconv.get(label.toLowerCase()) ?? label)
    // Every commit contains ASCII, such as its dates, so none is UTF-16.
    return decoder.encoding.startsWith('utf-16') ? null : decoder
  } catch {
    return null // an unknown label counts as absent
  }
}

/** Names of encodings that git takes from iconv, and that the Encoding Standard lacks, with its own names. */
const labelsOfIconv: ReadonlyMap<string, string> = new Map([
  ['cp932', 'shift_jis'],
  ['eucjp', 'euc-jp'],
  ['cp936', 'gbk'],
  ['euccn', 'gbk'],
  ['euc-cn', 'gbk'],
  ['cp949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['euckr', 'euc-kr'],
  ['cp950', 'big5'],
])

/** A longer name or email is cut: pages show many, and no person has one. */
const MAX_NAME_LENGTH = 1_000

/** Parses `Name <email> seconds zone`. Any part may be missing, and name or email may contain stray brackets. */
function parsePerson(line: string): GitPerson {
  const open = line.indexOf('<')
  if (open === -1) return { name: cutName(line), email: '', at: 0 }
  const close = line.indexOf('>', open)
  const email = line.slice(open + 1, close === -1 ? line.length : close)
  const seconds = Number(/^\s*(-?\d+)/.exec(line.slice(line.lastIndexOf('>') + 1))?.[1] ?? 0)
  // JavaScript dates end 8.64e12 seconds from the epoch; later dates are invalid.
  const at = Math.abs(seconds) <= 8.64e12 ? seconds * 1_000 : 0
  return { name: cutName(line.slice(0, open)), email: cutName(email), at }
}

function cutName(text: string): string {
  const name = cutAtNul(text).trim()
  // A copy, because a part of a string keeps all of it in memory.
  return name.length <= MAX_NAME_LENGTH ? name : Buffer.from(name.slice(0, MAX_NAME_LENGTH)).toString()
}

/** A regular expression would try each line end of a long run inside the message, in the square of their number. */
function trimLineEnds(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1
  return text.slice(0, end)
}

/** git also ignores text after a NUL. */
function cutAtNul(text: string): string {
  const nul = text.indexOf('\0')
  return nul === -1 ? text : text.slice(0, nul)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const windows1252 = new TextDecoder('windows-1252')
