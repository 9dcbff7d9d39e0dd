/**
 * The part of the line that TeX had read when it stopped, from the context of an error: TeX prints `l.4 \hspace{99999cm}`
 * and the rest below. Null if the context does not show it.
 */
export function readUpperLine(context: string): string | null {
  const upper = context.split('\n').findLast((line) => /^l\.\d+(?: |$)/.test(line))
  return upper?.replace(/^l\.\d+ ?/, '') ?? null
}
