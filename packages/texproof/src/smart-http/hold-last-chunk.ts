/**
 * Passes a body on but keeps its last chunk back until `check` has passed.
 * When `check` throws, the body fails with that.
 *
 * Git moves refs as soon as it has seen the end of the pack, and a large push may take longer than the token that began
 * it is valid. The end of the pack lies in the last chunk, so nothing can move before the second look.
 */
export function holdLastChunk(check: () => Promise<void>): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array | null = null
  return new TransformStream({
    transform(chunk, controller) {
      if (chunk.byteLength === 0) return
      if (held !== null) controller.enqueue(held)
      held = chunk
    },
    async flush(controller) {
      if (held === null) return
      await check()
      controller.enqueue(held)
    },
  })
}
