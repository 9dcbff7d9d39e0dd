/** One server-sent event. */
export interface ServerSentEvent {
  readonly name: string
  readonly text: string
}

/**
 * Reads a stream of server-sent events; an incomplete last event is dropped.
 *
 * Source: HTML standard, section 9.2.6, without `id` and `retry`.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let name = 'message'
  let text: string[] = []
  for await (const line of readLines(body)) {
    const { field, value } = splitField(line)
    if (field === 'event') name = value
    if (field === 'data') text.push(value)
    if (line !== '') continue
    if (text.length > 0) yield { name, text: text.join('\n') }
    name = 'message'
    text = []
  }
}

/** A line may contain a whole PDF, so its chunks are joined once. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pieces: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const [first = '', ...rest] = decoder.decode(value, { stream: true }).split('\n')
      pieces.push(first)
      for (const next of rest) {
        yield pieces.join('').replace(/\r$/, '')
        pieces = [next]
      }
    }
  } finally {
    await reader.cancel().catch(() => {}) // The connection is already broken.
  }
}

function splitField(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(':')
  if (colon === -1) return { field: line, value: '' }
  return { field: line.slice(0, colon), value: line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1) }
}
