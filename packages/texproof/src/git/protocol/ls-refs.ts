/** The `ls-refs` command of protocol version 2. Source: gitprotocol-v2(5). */
import { readPktLine } from './pkt-line.ts'

/** The arguments of a request. */
export interface LsRefs {
  /** Include the targets of annotated tags. */
  readonly peel: boolean
  /** Include the branch that HEAD points to. */
  readonly symrefs: boolean
  /** Include HEAD even if its branch does not exist yet. */
  readonly unborn: boolean
  /** Prefixes of the full names of the refs to list; empty for all refs. */
  readonly prefixes: readonly string[]
}

/** `other` = requests that git answers: other commands, unknown lines, unusual framing. */
export type LsRefsRead =
  | { readonly kind: 'ls-refs'; readonly request: LsRefs }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'other' }

/**
 * Creates a parser of one request. It is called with the whole request as far as it has arrived, and looks at each packet
 * once, because a request may arrive byte by byte.
 */
export function createLsRefsParser(): (bytes: Uint8Array) => LsRefsRead {
  const lines: string[] = []
  let offset = 0
  return (bytes) => {
    for (;;) {
      const packet = readPktLine(bytes, offset)
      if (packet.kind === 'incomplete') return { kind: bytes.length > maxRequestBytes ? 'other' : 'incomplete' }
      if (packet.kind === 'flush') return parseLines(lines)
      if (packet.kind === 'data') lines.push(Buffer.from(packet.payload).toString().replace(/\n$/, ''))
      else if (packet.kind === 'delimiter') lines.push(delimiter)
      else return { kind: 'other' }
      if (lines[0] !== 'command=ls-refs') return { kind: 'other' }
      offset = packet.end
    }
  }
}

function parseLines(lines: readonly string[]): LsRefsRead {
  const at = lines.indexOf(delimiter)
  const [capabilities, wanted] = [lines.slice(1, at), lines.slice(at + 1)]
  if (at === -1 || !capabilities.every((line) => /^(?:agent=.*|object-format=sha1)$/.test(line)))
    return { kind: 'other' }
  const prefixes: string[] = []
  const flags = new Set<string>()
  for (const line of wanted) {
    // Invalid UTF-8 is decoded ambiguously.
    if (line.includes('\ufffd') || prefixes.length > maxPrefixes) return { kind: 'other' }
    if (line.startsWith('ref-prefix ')) prefixes.push(line.slice('ref-prefix '.length))
    else if (['peel', 'symrefs', 'unborn'].includes(line)) flags.add(line)
    else return { kind: 'other' }
  }
  const [peel, symrefs, unborn] = [flags.has('peel'), flags.has('symrefs'), flags.has('unborn')]
  return { kind: 'ls-refs', request: { peel, symrefs, unborn, prefixes } }
}

/** No line of a request equals this. */
const delimiter = '\0'
const maxPrefixes = 1_000
const maxRequestBytes = 64 * 1024
