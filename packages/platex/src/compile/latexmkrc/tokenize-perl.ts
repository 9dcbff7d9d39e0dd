/** More than any project needs; together they bound the time. */
export const MAX_CHARACTERS = 64 * 1024
const MAX_TOKENS = 20_000

/** A word of Perl, a string without its quotes, or one other character. */
export interface Token {
  readonly kind: 'string' | 'word' | 'sign'
  readonly text: string
}

/** Comments are left out. The last alternative takes any character, so that every text is read to its end. */
export function tokenizePerl(source: string): readonly Token[] {
  const pattern = /'((?:[^'\\]|\\.){0,500})'|"((?:[^"\\]|\\.){0,500})"|(\$#|[$@%]?\w+)|#[^\n]*|\s+|(.)/gs
  const tokens: Token[] = []
  for (const [, single, double, word, sign] of source.slice(0, MAX_CHARACTERS).matchAll(pattern)) {
    const string = single ?? double
    if (string !== undefined) tokens.push({ kind: 'string', text: string })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    if (tokens.length >= MAX_TOKENS) break
  }
  return tokens
}
