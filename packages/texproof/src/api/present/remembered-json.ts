/**
 * JSON texts of things that do not change. The store and the git store answer the same object for as long as its state
 * is the same, so the text is kept with the object and goes when it goes.
 */
const textsOf = new WeakMap<object, Map<string, string>>()

/** The JSON text of what `present` makes of a thing; `variant` names everything else that the text depends on. */
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
