/**
 * Parses one line of the command list of a push: a ref that the client wants to move, or a boundary of its shallow
 * clone. The command list precedes the pack, so a push can be checked before git reads it. Source: gitprotocol-pack(5),
 * "Reference Update Request and Packfile Transfer".
 */
import { isUtf8 } from 'node:buffer'

import type { RefUpdate } from '../types.ts'

/** One ref of a push. */
export interface PushCommand extends RefUpdate {
  /** The name as it was sent: it may not be UTF-8, and the answer must repeat its bytes. */
  readonly refBytes: Uint8Array
  /** False if `ref` is not the name that was sent but a readable form of it. */
  readonly isText: boolean
  /** `old new ref` as it was sent. */
  readonly bytes: Uint8Array
}

/** A parsed line of the command list. */
export type PushLine =
  | { readonly kind: 'shallow' }
  /** `capabilities` is null if the line has none; the first command of a push may have them. */
  | { readonly kind: 'command'; readonly command: PushCommand; readonly capabilities: string | null }
  | { readonly kind: 'malformed' }

/** Parses the payload of one packet. Signed pushes are malformed here, because this host does not advertise them. */
export function parsePushLine(payload: Uint8Array): PushLine {
  const line = payload.at(-1) === newline ? payload.subarray(0, -1) : payload
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, maxIdsLength)).toString('latin1')
  if (shallowLine.test(start)) return { kind: 'shallow' }
  const [ids, oldId, newId] = idsOfCommand.exec(start) ?? []
  if (ids === undefined || oldId === undefined || newId === undefined || oldId.length !== newId.length)
    return { kind: 'malformed' }
  const nul = line.indexOf(0)
  const bytes = nul === -1 ? line : line.subarray(0, nul)
  const refBytes = bytes.subarray(ids.length)
  if (refBytes.length === 0) return { kind: 'malformed' }
  const ref = Buffer.from(refBytes).toString('utf8')
  const ends = { oldCommitId: idOrNull(oldId), newCommitId: idOrNull(newId) }
  return {
    kind: 'command',
    command: { ref, refBytes, isText: isUtf8(refBytes), bytes, ...ends },
    capabilities: nul === -1 ? null : Buffer.from(line.subarray(nul + 1)).toString('utf8'),
  }
}

function idOrNull(id: string): string | null {
  return /^0+$/.test(id) ? null : id
}

const newline = 10
const idsOfCommand = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) /
const shallowLine = /^shallow (?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** Two SHA-256 ids and two spaces. */
const maxIdsLength = 130
