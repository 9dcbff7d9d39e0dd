/**
 * JSON texts of immutable objects. The store and the git store return the same object while its state is unchanged, so a
 * text is valid as long as its object is in use. The cache contains a number instead of the object, so that a text does
 * not keep its object in memory.
 */
import { createIdleCache } from '../../base/idle-cache.ts'

const maxBytes = 16 * 1_048_576
const texts = createIdleCache<string>({ maxSize: maxBytes, sizeOf: (text) => 200 + 2 * text.length })
const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** The JSON text of `present()`, which depends on `thing` and `variant` only. */
export function rememberedJson(thing: object, variant: string, present: () => unknown): string {
  const key = `${numberOf(thing)} ${variant}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = JSON.stringify(present())
  texts.set(key, text)
  return text
}

function numberOf(thing: object): number {
  const known = numbers.get(thing)
  if (known !== undefined) return known
  lastNumber += 1
  numbers.set(thing, lastNumber)
  return lastNumber
}
