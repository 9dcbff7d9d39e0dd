/**
 * Sorts the entries of one raw index that serves several indexes: `\indexentry[people]{Bob}{1}`.
 *
 * Name → raw index of that name alone, in order; null stands for entries without a name. Null when no entry has one.
 * Does what `splitindex` does, without Perl.
 */
export function splitIndexEntries(text: string): ReadonlyMap<string | null, string> | null {
  if (!/^\\indexentry\s*\[/m.test(text)) return null
  const parts = new Map<string | null, string>()
  for (const line of text.split('\n')) {
    const [, name, rest] = /^\\indexentry\s*\[([\w-]+)\](.*)$/.exec(line) ?? []
    const entry = rest === undefined ? line : `\\indexentry${rest}`
    if (entry === '') continue
    parts.set(name ?? null, `${parts.get(name ?? null) ?? ''}${entry}\n`)
  }
  return parts
}
