/**
 * Encodes the objects of a repository's first commit: starting git five times for three small objects would take ten
 * times as long. The tests check the result with `git fsck --strict`.
 */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import type { InitialCommit } from '../types.ts'
import { encodePerson } from './fast-import.ts'

/** A loose object: its id, which determines its path under `objects/`, and the bytes of its file. */
export interface LooseObject {
  readonly objectId: string
  readonly bytes: Uint8Array
}

/**
 * Encodes a root commit and its files with SHA-1.
 *
 * @throws Error when git would refuse a file name in the root folder.
 */
export function encodeInitialCommit(commit: InitialCommit): {
  readonly commitId: string
  readonly objects: readonly LooseObject[]
} {
  const files = [...commit.files].sort(([left], [right]) => compareUtf8(left, right))
  const blobs = files.map(([name, bytes]) => ({ name: checkName(name), ...encodeObject('blob', bytes) }))
  const tree = encodeObject(
    'tree',
    Buffer.concat(blobs.flatMap(({ name, objectId }) => [`100644 ${name}\0`, idBytes(objectId)].map(toBuffer))),
  )
  const author = encodePerson(commit.author)
  const message = commit.message.replaceAll('\0', '').trimEnd()
  const text = `tree ${tree.objectId}\nauthor ${author}\ncommitter ${author}\n\n${message}\n`
  const head = encodeObject('commit', Buffer.from(text))
  const objects = new Map([...blobs, tree, head].map(({ objectId, bytes }) => [objectId, { objectId, bytes }]))
  return { commitId: head.objectId, objects: [...objects.values()] }
}

function encodeObject(type: 'blob' | 'tree' | 'commit', content: Uint8Array): LooseObject {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  return { objectId: createHash('sha1').update(bytes).digest('hex'), bytes: deflateSync(bytes) }
}

function checkName(name: string): string {
  const isTaken = name === '' || name === '.' || name === '..' || /[/\0]/.test(name) || /^\.git$/i.test(name)
  if (isTaken) throw new Error(`encode initial commit: ${JSON.stringify(name)} is not a file name`)
  return name
}

function idBytes(objectId: string): Buffer {
  return Buffer.from(objectId, 'hex')
}

function toBuffer(part: string | Buffer): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part
}
