/**
 * What TeX had read of the line where it stopped, from the context of an error: it prints `l.4 \hspace{99999cm}` and
 * below that the rest. Null when the context does not show it.
 */
export function readUpperLine(context: string): string | null {
  const upper = context.split('\n').findLast((line) => /^l\.\d+(?: |$)/.test(line))
  return upper?.replace(/^l\.\d+ ?/, '') ?? null
}
