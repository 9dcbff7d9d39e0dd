/**
 * Room for words at the end of a push.
 *
 * `git receive-pack` ends its answer with a flush, and a client stops listening there. In between everything it says
 * stands in side-band packets: the report (`unpack ok`, `ok refs/heads/main`) is wrapped in band 1, its own flush
 * inside that packet. So the last flush on the outer level can be held back, band 2 packets can follow for as long as
 * we have something to say, and then the flush goes out. The client prints them as `remote:` lines.
 */
import { flushPkt, readPktLine } from './pkt-line.ts'

/**
 * Passes the answer of receive-pack on and puts `beforeFlush` in front of its last flush.
 *
 * `beforeFlush` is started only when the answer does end in a flush; a failure in it cuts the words short, never the
 * push. Bytes that are not pkt-lines pass unchanged.
 */
export function withholdFinalFlush(
  beforeFlush: () => AsyncIterable<Uint8Array>,
): TransformStream<Uint8Array, Uint8Array> {
  const splitter = createSplitter()
  return new TransformStream({
    transform(chunk, controller) {
      const passed = splitter.push(chunk)
      if (passed.length > 0) controller.enqueue(passed)
    },
    async flush(controller) {
      const rest = splitter.end()
      if (rest.bytes.length > 0) controller.enqueue(rest.bytes)
      if (!rest.isFlushHeld) return
      try {
        for await (const words of beforeFlush()) if (words.length > 0) controller.enqueue(words)
      } catch {
        // The push has succeeded and the client must learn it: say no more and close the answer as git would have.
      }
      controller.enqueue(flushPkt)
    },
  })
}

/** Cuts the stream at packet borders and keeps a flush until something follows it. */
function createSplitter() {
  let pending: Uint8Array = new Uint8Array()
  let isFlushHeld = false
  let isRaw = false

  function push(chunk: Uint8Array): Uint8Array {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const passed: Uint8Array[] = []
    let offset = 0
    while (!isRaw) {
      const packet = readPktLine(bytes, offset)
      if (packet.kind === 'incomplete') break
      if (isFlushHeld) passed.push(flushPkt)
      isFlushHeld = packet.kind === 'flush'
      isRaw = packet.kind === 'malformed'
      if (packet.kind === 'malformed') break
      if (!isFlushHeld) passed.push(bytes.subarray(offset, packet.end))
      offset = packet.end
    }
    pending = isRaw ? new Uint8Array() : bytes.slice(offset)
    if (isRaw) passed.push(bytes.subarray(offset))
    return Buffer.concat(passed)
  }

  function end(): { readonly bytes: Uint8Array; readonly isFlushHeld: boolean } {
    if (pending.length === 0) return { bytes: pending, isFlushHeld }
    return { bytes: isFlushHeld ? Buffer.concat([flushPkt, pending]) : pending, isFlushHeld: false }
  }

  return { push, end }
}
