/**
 * The head of a push: which refs the client wants to move. It stands before the pack, so it can be judged before git
 * sees a byte. `parseReceivePackCommands` is pure; `read-push-commands.ts` brings it to a stream.
 * Source: gitprotocol-pack(5), "Reference Update Request and Packfile Transfer".
 */
import { readPktLine } from './pkt-line.ts'
import type { SideBand } from './side-band.ts'
import type { RefUpdate } from './types.ts'

/** The head of a push, read. */
export interface PushCommands {
  readonly updates: readonly RefUpdate[]
  readonly capabilities: ReadonlySet<string>
  readonly sideBand: SideBand
  /** The bytes that the commands take, the flush behind them included. */
  readonly byteLength: number
}

/** The outcome of reading the head of a push; `incomplete` asks for more bytes. */
export type PushCommandsRead =
  | { readonly kind: 'commands'; readonly commands: PushCommands }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }

/**
 * Reads the commands of a push from the first bytes of a receive-pack request.
 *
 * A lone flush is a request without commands: clients send it to try their credentials. Signed pushes are malformed
 * here, since the house never offers them.
 */
export function parseReceivePackCommands(bytes: Uint8Array): PushCommandsRead {
  const updates: RefUpdate[] = []
  let capabilities: ReadonlySet<string> | null = null
  for (let offset = 0; ;) {
    const packet = readPktLine(bytes, offset)
    if (packet.kind === 'incomplete') return packet
    if (packet.kind === 'flush') {
      const known = capabilities ?? new Set<string>()
      const commands = { updates, capabilities: known, sideBand: sideBandOf(known), byteLength: packet.end }
      return { kind: 'commands', commands }
    }
    if (packet.kind !== 'data') return { kind: 'malformed' }
    offset = packet.end
    const line = decodeLine(packet.payload)
    if (line === null) return { kind: 'malformed' }
    if (shallowLine.test(line)) continue
    const nul = line.indexOf('\0')
    if (nul !== -1 && capabilities !== null) return { kind: 'malformed' }
    const update = parseUpdate(nul === -1 ? line : line.slice(0, nul))
    if (update === null) return { kind: 'malformed' }
    capabilities ??= new Set(
      nul === -1
        ? []
        : line
            .slice(nul + 1)
            .split(' ')
            .filter((word) => word !== ''),
    )
    updates.push(update)
  }
}

/** The line's text without its newline; null when it is not UTF-8, for such a name could be shown nowhere. */
function decodeLine(payload: Uint8Array): string | null {
  try {
    return utf8.decode(payload).replace(/\n$/, '')
  } catch {
    return null // not UTF-8: the caller calls the request malformed
  }
}

function parseUpdate(line: string): RefUpdate | null {
  const [, oldId, newId, ref] = commandLine.exec(line) ?? []
  if (oldId === undefined || newId === undefined || ref === undefined || oldId.length !== newId.length) return null
  return { ref, oldCommitId: idOrNull(oldId), newCommitId: idOrNull(newId) }
}

function idOrNull(id: string): string | null {
  return /^0+$/.test(id) ? null : id
}

function sideBandOf(capabilities: ReadonlySet<string>): SideBand {
  if (capabilities.has('side-band-64k')) return 'side-band-64k'
  return capabilities.has('side-band') ? 'side-band' : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const commandLine = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) (.+)$/s
const shallowLine = /^shallow (?:[0-9a-f]{40}|[0-9a-f]{64})$/
