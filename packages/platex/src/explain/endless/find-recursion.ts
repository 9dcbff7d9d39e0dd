import type { LatexError } from '../../base/types.ts'

/** A definition that uses its own name. */
export interface Recursion {
  readonly file: string
  readonly line: number
  /** A command, or an environment. */
  readonly name: string
}

const SOURCE = /\.(?:tex|sty|cls|ltx|def)$/i
const COMMAND =
  /\\(?:(?:re)?newcommand|g?def|((?:Re)?[nN]ewDocumentCommand))\*?\s*(?:\{\s*)?(\\[A-Za-z]+)(?![A-Za-z@_:])\s*\}?/
const ENVIRONMENT = /\\(?:re)?newenvironment\*?\s*\{([^{}]{1,60})\}/
const MAX_LINE_LENGTH = 2_000

/**
 * Conditions and assignments can end the repetition. The others, and internal commands, can name a command without running
 * it, as in \@setfontsize\small.
 */
const CAN_END =
  /\\[A-Za-z]*(?:@|if|let|def|case|loop|noexpand|unexpanded|detokenize|protect|string|meaning|csname|expandafter|patch|command|environment|atbegin|atend|warning|error)/i
/** An argument that is run as a command, as in \loopuntil of REVTeX, can end the repetition too. */
const RUNS_ARGUMENT = /#\d\s*\{/

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
  return recursiveCommand(text) ?? recursiveEnvironment(text)
}

function recursiveCommand(text: string): string | null {
  const match = COMMAND.exec(text)
  const name = match?.[2]
  if (match === null || name === undefined) return null
  // An xparse command has its arguments in braces before its text.
  const body = readGroups(text, match.index + match[0].length, match[1] === undefined ? 1 : 2)
  // "@", and "_" and ":" of expl3, can continue a name.
  const used = new RegExp(String.raw`\\${name.slice(1)}(?![A-Za-z@:]|_\w*:)`, 'g')
  // Its own name can look like one of those that end a repetition, as \loopy does.
  const others = body.replace(used, '.')
  return others !== body && !CAN_END.test(others) && !RUNS_ARGUMENT.test(others) ? name : null
}

function recursiveEnvironment(text: string): string | null {
  const match = ENVIRONMENT.exec(text)
  const name = match?.[1]
  if (match === null || name === undefined) return null
  const body = readGroups(text, match.index + match[0].length, 2)
  return !CAN_END.test(body) && body.includes(`\\begin{${name}}`) ? name : null
}

/** The next groups in braces, up to the end of the line. What precedes them, such as `[1]` or `#1`, is skipped. */
function readGroups(text: string, from: number, count: number): string {
  let depth = 0
  let groups = 0
  let start: number | null = null
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '{') {
      start ??= at
      depth += 1
    } else if (text[at] === '}') {
      depth -= 1
      if (depth === 0) groups += 1
      if (groups === count || depth < 0) return text.slice(start ?? at, at)
    }
  }
  return text.slice(start ?? text.length)
}

/** True for errors of commands that repeat without end. */
export function isEndless({ message }: LatexError): boolean {
  return /^Compilation timed out|^TeX capacity exceeded.*\[(?:main memory|grouping levels|input stack|parameter stack|save|expansion)/.test(
    message.replaceAll('\n', ' '),
  )
}

/** Explanation of a recursion, in plain words. */
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
