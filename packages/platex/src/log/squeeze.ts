/**
 * Text without white space, with the line of each character.
 *
 * TeX prints tokens: it adds a space after each control word and drops or merges the spaces of the source, so text of a log
 * and of a source are compared without white space.
 */
export interface Squeezed {
  readonly text: string
  /** 1-based line of the character at `index`. */
  readonly lineAt: (index: number) => number
  /** Index of the first character of a line, or of the text's end. */
  readonly startOf: (line: number) => number
}

/** Squeezes lines `from` to `to`, both 1-based and inclusive. */
export function squeezeLines(lines: readonly string[], from: number, to: number): Squeezed {
  const starts: number[] = []
  const parts: string[] = []
  let length = 0
  for (let line = from; line <= Math.min(to, lines.length); line += 1) {
    const text = squeeze(lines[line - 1] ?? '')
    starts.push(length)
    parts.push(text)
    length += text.length
  }
  const text = parts.join('')
  return {
    text,
    lineAt: (index) => from + starts.findLastIndex((start) => start <= index),
    startOf: (line) => starts[line - from] ?? text.length,
  }
}

/** Removes white space, and the `\par` that TeX makes of empty lines. */
export function squeeze(text: string): string {
  return text.replace(/\s+|\^\^[IM]/g, '')
}
