/** Minimum bytes that are read ahead, if the stream is that long. */
const headBytes = 8_000

/** Reads the first bytes of a stream; the returned `body` contains them, too. @throws when the stream fails before that. */
export async function readAhead(
  body: ReadableStream<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly body: ReadableStream<Uint8Array> }> {
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  for (let length = 0; length < headBytes;) {
    const { value } = await reader.read()
    if (value === undefined) break
    pieces.push(value)
    length += value.byteLength
  }
  return { head: Buffer.concat(pieces), body: putBack(pieces, reader) }
}

/** The chunks that were read, followed by the rest. */
function putBack(
  pieces: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  const waiting = [...pieces]
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = waiting.shift() ?? (await reader.read()).value
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
