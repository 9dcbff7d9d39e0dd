import type { Readable } from 'node:stream'

import { parsePushLine, type PushCommand } from './parse-push-line.ts'
import { encodePktLine, flushPkt, readPktLine } from './pkt-line.ts'
import { putBack } from './put-back.ts'
import type { SideBand } from './side-band.ts'

/** The parsed command list of a push. */
export interface PushCommands {
  readonly commands: readonly PushCommand[]
  readonly capabilities: ReadonlySet<string>
  readonly sideBand: SideBand
  /** The boundaries of a shallow clone, as sent. */
  readonly shallowLines: readonly Uint8Array[]
}

/** The outcome. `body` is what follows the command list: the pack. */
export type PushRead =
  | { readonly kind: 'commands'; readonly push: PushCommands; readonly body: Readable }
  /** The command list exceeds the limit of this host: `push` is its beginning. */
  | { readonly kind: 'too-long'; readonly push: PushCommands; readonly body: Readable }
  /** The request ended early or is not a push. */
  | { readonly kind: 'malformed' }

/**
 * Reads the commands from the start of a receive-pack request.
 *
 * Each packet is parsed as it arrives, so that a long list does not delay other requests. A single flush is a request
 * without commands: clients send it to test their credentials.
 *
 * Push options are dropped: they have no effect here, and git would pass them to its hook as environment variables, which
 * fails if there are many.
 */
export async function readPushCommands(request: Readable): Promise<PushRead> {
  const head = createHeadParser()
  const unread = createByteQueue()
  const chunks: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of chunks) {
    unread.add(chunk)
    const { state, end } = head.read(unread.bytes())
    if (state === 'malformed') return { kind: 'malformed' }
    unread.drop(end)
    if (state === 'incomplete') continue
    const body = putBack(unread.bytes().slice(), request)
    return { kind: state === 'too-long' ? 'too-long' : 'commands', push: head.push(), body }
  }
  return { kind: 'malformed' }
}

/** Encodes the command list again, with some of its commands only and without push options, for git. */
export function encodePushCommands(push: PushCommands, commands: readonly PushCommand[]): Uint8Array {
  const capabilities = Buffer.from(`\0${[...push.capabilities].filter((word) => word !== PUSH_OPTIONS).join(' ')}`)
  const lines = commands.map(({ bytes }, at) => (at === 0 ? Buffer.concat([bytes, capabilities]) : bytes))
  return Buffer.concat([...[...push.shallowLines, ...lines].map(encodePktLine), flushPkt])
}

/** Reads packets until the flush that ends the command list, or the push options after it. */
function createHeadParser() {
  const commands: PushCommand[] = []
  const shallowLines: Uint8Array[] = []
  let capabilities: ReadonlySet<string> | null = null
  let listBytes = 0
  let isInOptions = false

  /** Reads the complete packets at the start of `bytes`; `end` is the offset after them. */
  function read(bytes: Uint8Array): { state: 'complete' | 'too-long' | 'incomplete' | 'malformed'; end: number } {
    for (let end = 0; ;) {
      const packet = readPktLine(bytes, end)
      if (packet.kind === 'incomplete') return { state: 'incomplete', end }
      if (packet.kind === 'flush') {
        if (isInOptions || capabilities?.has(PUSH_OPTIONS) !== true) return { state: 'complete', end: packet.end }
        isInOptions = true
      } else if (packet.kind !== 'data' || !(isInOptions || take(packet.payload.slice()))) {
        return { state: 'malformed', end }
      }
      if (!isInOptions) listBytes += packet.end - end
      end = packet.end
      if (listBytes > maxListBytes) return { state: 'too-long', end }
    }
  }

  function take(payload: Uint8Array): boolean {
    const line = parsePushLine(payload)
    if (line.kind === 'malformed') return false
    if (line.kind === 'shallow') {
      shallowLines.push(payload)
      return true
    }
    if (line.capabilities !== null && capabilities !== null) return false
    capabilities ??= new Set((line.capabilities ?? '').split(' ').filter((word) => word !== ''))
    commands.push(line.command)
    return true
  }

  function push(): PushCommands {
    const known = capabilities ?? new Set<string>()
    return { commands, capabilities: known, sideBand: sideBandOf(known), shallowLines }
  }

  return { read, push }
}

/**
 * A buffer of unread bytes. Its capacity doubles as needed, so that chunks of one byte cost no more than large ones.
 */
function createByteQueue() {
  let room = Buffer.alloc(16 * 1024)
  let start = 0
  let end = 0

  function add(chunk: Uint8Array): void {
    if (end + chunk.length > room.length) {
      const unread = room.subarray(start, end)
      const needed = unread.length + chunk.length
      const isRoomy = 2 * needed <= room.length
      room = Buffer.concat([unread], isRoomy ? room.length : 2 * needed)
      start = 0
      end = unread.length
    }
    room.set(chunk, end)
    end += chunk.length
  }

  return {
    add,
    bytes: (): Uint8Array => room.subarray(start, end),
    drop(count: number): void {
      start += count
    },
  }
}

function sideBandOf(capabilities: ReadonlySet<string>): SideBand {
  if (capabilities.has('side-band-64k')) return 'side-band-64k'
  return capabilities.has('side-band') ? 'side-band' : null
}

/** The capability of a request that has push options. */
const PUSH_OPTIONS = 'push-options'

/** About 80,000 refs with short names. A longer list gets one answer for all refs. */
const maxListBytes = 8 * 1024 * 1024
