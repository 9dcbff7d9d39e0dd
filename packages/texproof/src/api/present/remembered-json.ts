/**
 * JSON texts of immutable objects. The store and the git store return the same object while its state is unchanged, so
 * the text is cached as long as the object exists.
 */
const textsOf = new WeakMap<object, Map<string, string>>()

/** The JSON text of `present(thing)`; `variant` identifies everything else that the text depends on. */
export function rememberedJson(thing: object, variant: string, present: () => unknown): string {
  let texts = textsOf.get(thing)
  if (texts === undefined) {
    texts = new Map()
    textsOf.set(thing, texts)
  }
  let text = texts.get(variant)
  if (text === undefined) {
    text = JSON.stringify(present())
    texts.set(variant, text)
  }
  return text
}
