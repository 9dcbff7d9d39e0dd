/**
 * Measures the structure of JSON before `JSON.parse`.
 *
 * Parsing a body with two million keys blocks the thread for seconds. A compile request has few keys, whatever its size,
 * so anything far beyond is rejected after one pass that skips strings with native searches. It does not validate:
 * `JSON.parse` reports invalid JSON.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Counts braces, brackets, colons and commas outside of strings, in linear time; stops at the first above `max`. */
export function countJsonTokens(json: Uint8Array, max: number): number {
  let tokens = 0
  for (let index = 0; index < json.length && tokens <= max; index += 1) {
    switch (json[index]) {
      case QUOTE:
        index = findStringEnd(json, index + 1)
        break
      case 0x7b: // {
      case 0x5b: // [
      case 0x7d: // }
      case 0x5d: // ]
      case 0x2c: // ,
      case 0x3a: // :
        tokens += 1
        break
    }
  }
  return tokens
}

/** Index of the quote that closes a string, or the end of the input. */
function findStringEnd(json: Uint8Array, start: number): number {
  let quote = json.indexOf(QUOTE, start)
  while (quote !== -1 && isEscaped(json, quote, start)) quote = json.indexOf(QUOTE, quote + 1)
  return quote === -1 ? json.length : quote
}

/** True after an odd number of backslashes. Each run of backslashes ends at a quote, so none is counted twice. */
function isEscaped(json: Uint8Array, quote: number, start: number): boolean {
  let index = quote - 1
  while (index >= start && json[index] === BACKSLASH) index -= 1
  return (quote - 1 - index) % 2 === 1
}
