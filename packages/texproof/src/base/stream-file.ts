import type { ReadStream } from 'node:fs'

/**
 * The content of a file as a web stream, which closes the file when it ends or is canceled. `onRead` receives the number
 * of bytes of each chunk. A listener for data beside `Readable.toWeb` would keep the file flowing: a chunk that arrives
 * after a cancellation is then thrown outside of every promise, and ends the process.
 */
export function streamFile(file: ReadStream, onRead: (bytes: number) => void = () => {}): ReadableStream<Uint8Array> {
  return ReadableStream.from<Uint8Array>(readChunks(file, onRead))
}

async function* readChunks(file: ReadStream, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of file as AsyncIterable<Uint8Array>) {
    onRead(chunk.length)
    yield chunk
  }
}
