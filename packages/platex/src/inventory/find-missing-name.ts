/**
 * The missing file, font or program that a diagnostic of TeX or its tools is about.
 *
 * Pure. If a package provides the name, it is missing on the machine, otherwise in the document.
 */
import type { LatexError, LatexWarning } from '../base/types.ts'

/** Something that was not found. */
export interface MissingName {
  /** The name as written in the document, for messages. */
  readonly provides: string
  /** Names under which packages may provide it, likeliest first: file names, or `bin/NAME` for a program. */
  readonly names: readonly string[]
  /** Font family, when a font was asked for by the name of its family. */
  readonly family: string | null
}

type Reader = (words: readonly string[]) => MissingName

/** Patterns of messages. The first match wins. */
const PATTERNS: readonly (readonly [RegExp, Reader])[] = [
  [/[Ff]ile [`'"]([^`'"/]+)['"] not found/, ([name = '']) => file(name)],
  [/I can't find file [`'"]([^`'"/]+)['"]/, ([name = '']) => file(name)],
  [/language definition file (?:\(babel\) *)?([^\s/]+\.ldf)/, ([name = '']) => file(name)],
  [/biblatex Error: Style '([^'/]+)' not found/, ([style = '']) => files(`${style}.bbx`, [`${style}.cbx`])],
  [/I couldn't open style file ([^\s/]+\.bst)/, ([name = '']) => file(name)],
  [/did not find the tikz library '([^']+)'/, ([name = '']) => library('tikz', name)],
  [/did not find the pgf ?plots library '([^']+)'/i, ([name = '']) => library('pgfplots', name)],
  [/module '([^'/\s]+)' not found/, ([name = '']) => file(`${name}.lua`)],
  [/[Tt]he font "([^"]+)" cannot be found/, ([name = '']) => font(name)],
  [/Font \S+?="?\[?([^"\]:;=]+).*? not loadable: [Mm]etric/, ([name = '']) => font(name)],
  [/\(file ([^\s()/]+\.(?:pfb|enc|ttf|otf|map))\): cannot open/, ([name = '']) => file(name)],
  [/virtual\/physical font for TFM "([^"/]+)"/, ([name = '']) => files(`${name}.pfb`, [`${name}.tfm`])],
  [
    /\b([a-z][a-z0-9-]+) (?:is not available here|is not installed|could not be started)/,
    ([name = '']) => files(name, [], [`bin/${name}`]),
  ],
]

/** The name that was not found according to a diagnostic; null for every other diagnostic. */
export function findMissingName({ message }: LatexError | LatexWarning): MissingName | null {
  const line = message.replaceAll(/\s+/g, ' ')
  for (const [pattern, read] of PATTERNS) {
    const match = pattern.exec(line)
    if (match !== null) return read(match.slice(1))
  }
  return null
}

/** A file; without an extension, TeX adds its default. */
function file(name: string): MissingName {
  return /\.\w+$/.test(name)
    ? files(name)
    : files(name, [`${name}.tex`, ...['pdf', 'png', 'jpg'].map((type) => `${name}.${type}`)])
}

function files(provides: string, others: readonly string[] = [], names: readonly string[] = [provides]): MissingName {
  return { provides, names: [...names, ...others], family: null }
}

function library(kind: string, name: string): MissingName {
  return files(`${kind}library${name}.code.tex`, [`${kind}library.${name}.code.tex`, `pgflibrary${name}.code.tex`])
}

/** Names of a font: its file, the metrics of a TeX font, or its family. `/B` and what follows selects a shape. */
function font(asked: string): MissingName {
  const name = asked.replace(/\/.*$| (?:at|scaled) .*$/, '').trim()
  if (/\.(?:otf|ttf|ttc)$/i.test(name)) return files(name)
  return { provides: name, names: [`${name}.tfm`, `${name}.otf`, `${name}.ttf`], family: name }
}
