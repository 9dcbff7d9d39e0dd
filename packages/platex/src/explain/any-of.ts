/**
 * One pattern that matches where any of the patterns does, so that long alternatives can be a commented list.
 *
 * Only for patterns without flags: one expression is tested for each pair of errors, which is faster than a loop.
 */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}
