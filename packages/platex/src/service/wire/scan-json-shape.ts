/**
 * Counts the structure of JSON before `JSON.parse` sees it.
 *
 * A body of two million keys parses for seconds and nothing else runs meanwhile. A compile request needs two levels
 * and a handful of keys whatever its size, so anything far beyond is refused by one walk that skips over strings with
 * native searches. It does not validate: broken JSON is left for the parser to name.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c

export interface JsonShape {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number
  /** Braces, brackets, colons and commas outside strings. */
  readonly structuralTokens: number
}

export interface JsonShapeLimits {
  readonly maxDepth: number
  readonly maxStructuralTokens: number
}

/** Measures UTF-8 JSON in linear time; stops as soon as one limit is passed. */
export function scanJsonShape(json: Uint8Array, limits: JsonShapeLimits): JsonShape {
  let depth = 0
  let deepest = 0
  let structuralTokens = 0
  for (let index = 0; index < json.length; index += 1) {
    switch (json[index]) {
      case QUOTE:
        index = findStringEnd(json, index + 1)
        break
      case 0x7b: // {
      case 0x5b: // [
        depth += 1
        structuralTokens += 1
        deepest = Math.max(deepest, depth)
        break
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1
        structuralTokens += 1
        break
      case 0x2c: // ,
      case 0x3a: // :
        structuralTokens += 1
        break
    }
    if (deepest > limits.maxDepth || structuralTokens > limits.maxStructuralTokens) break
  }
  return { depth: deepest, structuralTokens }
}

/** Index of the quote that closes a string, or the end of the input. */
function findStringEnd(json: Uint8Array, start: number): number {
  let quote = json.indexOf(QUOTE, start)
  while (quote !== -1 && isEscaped(json, quote, start)) quote = json.indexOf(QUOTE, quote + 1)
  return quote === -1 ? json.length : quote
}

/** True after an odd run of backslashes. A run ends at its quote, so no backslash is ever counted twice. */
function isEscaped(json: Uint8Array, quote: number, start: number): boolean {
  let index = quote - 1
  while (index >= start && json[index] === BACKSLASH) index -= 1
  return (quote - 1 - index) % 2 === 1
}
