import { squeezeLines, type Squeezed } from './squeeze.ts'

/** The user's files as lines, split on demand, to look up places that TeX does not report. */
export interface SourceTexts {
  /** Lines of a file without comments, verbatim text and what `\iffalse` hides, their numbers kept; empty for an unknown file. */
  readonly code: (file: string) => readonly string[]
  /** Lines as they are; empty for an unknown file. */
  readonly lines: (file: string) => readonly string[]
  /** All code of a file without white space. */
  readonly squeezed: (file: string) => Squeezed
  readonly has: (file: string) => boolean
  readonly files: readonly string[]
}

/** Wraps the user's files; each is split at most once. */
export function createSourceTexts(sources: ReadonlyMap<string, string>): SourceTexts {
  const linesByFile = new Map<string, readonly string[]>()
  const squeezedByFile = new Map<string, Squeezed>()
  const codeByFile = new Map<string, readonly string[]>()

  function lines(file: string): readonly string[] {
    return remember(linesByFile, file, () => (sources.get(file) ?? '').split(/\r\n|\n|\r/))
  }

  function code(file: string): readonly string[] {
    return remember(codeByFile, file, () => withoutVerbatim(lines(file)))
  }

  function squeezed(file: string): Squeezed {
    return remember(squeezedByFile, file, () => squeezeLines(code(file), 1, Infinity))
  }

  return { code, lines, squeezed, has: (file) => sources.has(file), files: [...sources.keys()] }
}

function remember<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const found = values.get(key)
  if (found !== undefined) return found
  const made = make()
  values.set(key, made)
  return made
}

/** Beginning of a skipped part. Matched at the start of a line only: `\let\ifdraft\iffalse` skips nothing. */
const HIDDEN = /^\s*\\iffalse(?![A-Za-z@])/
/** An inner condition may end first: its end is the safe one. */
const END_OF_HIDDEN = /\\(?:fi|else)(?![A-Za-z@])/

function withoutVerbatim(lines: readonly string[]): readonly string[] {
  let environment: string | null = null
  let isHidden = false
  return lines.map((line) => {
    if (environment !== null) {
      if (!line.includes(`\\end{${environment}}`)) return ''
      environment = null
      return line
    }
    const text = withoutComment(line)
    if (isHidden) {
      const end = text.search(END_OF_HIDDEN)
      isHidden = end === -1
      return isHidden ? '' : text.slice(end)
    }
    isHidden = HIDDEN.test(text) && !END_OF_HIDDEN.test(text)
    const opened = /\\begin\{((?:verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?)\}/.exec(text)?.[1]
    if (opened !== undefined && !text.includes(`\\end{${opened}}`)) environment = opened
    return text
  })
}

function withoutComment(line: string): string {
  const comment = /(?<!\\)(?:\\\\)*%/.exec(line)
  return comment === null ? line : line.slice(0, comment.index + comment[0].length - 1)
}
