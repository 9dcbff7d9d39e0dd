import type { Fault, Place } from './places.ts'

/** The beginning of an amsmath environment inside another formula: amsmath collects it and complains at its end. */
export function findNestedFormula({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.includes('Erroneous nesting of equation structures')) return null
  const code = sources.code(file)
  const name = /\\end\{([^{}]+)\}/.exec(code[line - 1] ?? '')?.[1]
  if (name === undefined) return null
  const found = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  return found === -1 ? null : { file, line: found + 1 }
}
