import type { LatexError } from '../base/types.ts'

/** A definition that uses its own name. */
export interface Recursion {
  readonly file: string
  readonly line: number
  /** A command, or an environment. */
  readonly name: string
}

const SOURCE = /\.(?:tex|sty|cls|ltx|def)$/i
const COMMAND = /\\(?:(?:re)?newcommand|[eg]?def|(?:Re)?[nN]ewDocumentCommand)\*?\s*\{?(\\[A-Za-z]+)\}?/
const ENVIRONMENT = /\\(?:re)?newenvironment\*?\s*\{([^{}]{1,60})\}/
const MAX_LINE_LENGTH = 2_000

/** The first definition whose text, on the same line, repeats it in any case. */
export function findRecursion(
  paths: readonly string[],
  readText: (path: string) => string | undefined,
): Recursion | null {
  for (const file of paths.filter((path) => SOURCE.test(path))) {
    for (const [index, text] of (readText(file) ?? '').split('\n').entries()) {
      const name = text.length > MAX_LINE_LENGTH ? null : recursiveName(text.replace(/(?<!\\)%.*/, ''))
      if (name !== null) return { file, line: index + 1, name }
    }
  }
  return null
}

function recursiveName(text: string): string | null {
  const match = COMMAND.exec(text) ?? ENVIRONMENT.exec(text)
  const name = match?.[1]
  if (match === null || name === undefined) return null
  const body = text.slice(match.index + match[0].length)
  // A condition can end the repetition.
  if (/\\if|\\let\b/.test(body)) return null
  const isCommand = name.startsWith('\\')
  const at = body.indexOf(isCommand ? name : `\\begin{${name}}`)
  return at === -1 || (isCommand && /^[A-Za-z]/.test(body.slice(at + name.length))) ? null : name
}

/** True for errors of commands that repeat without end. */
export function isEndless({ message }: LatexError): boolean {
  return /^Compilation timed out|^TeX capacity exceeded.*\[(?:main memory|grouping levels|input stack|parameter stack|save|expansion)/.test(
    message.replaceAll('\n', ' '),
  )
}

/** In plain words. */
export function explainRecursion({ name }: Recursion): { readonly summary: string; readonly remedy: string } {
  const isCommand = name.startsWith('\\')
  const old = isCommand ? `\\old${name.slice(1)}` : null
  return {
    summary: `The definition of ${isCommand ? name : `the environment "${name}"`} uses ${isCommand ? name : 'the environment'} itself, which never ends.`,
    remedy:
      old === null
        ? 'Choose another name for your environment.'
        : `Choose another name, or save the old command first: \\let${old}${name}. Then write ${old} in the definition.`,
  }
}
