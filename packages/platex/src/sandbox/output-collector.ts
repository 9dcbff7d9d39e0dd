/** Keeps the first bytes of a stream and counts all of them. */
export class OutputCollector {
  readonly #maxKeptBytes: number
  readonly #chunks: Uint8Array[] = []
  #keptBytes = 0
  #totalBytes = 0

  constructor(maxKeptBytes: number) {
    this.#maxKeptBytes = maxKeptBytes
  }

  get totalBytes(): number {
    return this.#totalBytes
  }

  add(chunk: Uint8Array): void {
    this.#totalBytes += chunk.length
    const kept = chunk.subarray(0, this.#maxKeptBytes - this.#keptBytes)
    if (kept.length === 0) return
    this.#keptBytes += kept.length
    this.#chunks.push(kept)
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
