/**
 * Splits a TeX source into commands, comments and verbatim material, so that an export changes only what TeX would read
 * as commands. The parts joined are the source, byte for byte.
 *
 * Changed catcodes cannot be followed without running TeX: `changesComments` reports them, and such files stay as they
 * are. The rebuild of the package finds what is left.
 */

/** A part of a source. `code` includes text. `after` = behind `\end{document}`. */
export interface SourcePart {
  readonly kind: 'code' | 'comment' | 'verbatim' | 'after'
  readonly text: string
  /** Offset in the source. */
  readonly start: number
}

const VERBATIM_ENVIRONMENTS = [
  'verbatim',
  'Verbatim',
  'BVerbatim',
  'LVerbatim',
  'lstlisting',
  'minted',
  'comment',
  'alltt',
  'filecontents',
]
const INLINE_VERBATIM = new Set(['verb', 'lstinline', 'mintinline', 'Verb'])
/** Commands with a percent sign in their argument. */
const ADDRESSES = new Set(['url', 'href', 'path', 'nolinkurl'])
const DEFINES_ENVIRONMENT =
  /\\(?:lstnewenvironment|newtcblisting|NewTCBListing|DefineVerbatimEnvironment|newminted|newverbatim)\s{0,9}\{([A-Za-z*]{1,60})\}/g

/** Names of the verbatim environments that sources define. */
export function findVerbatimEnvironments(sources: Iterable<string>): ReadonlySet<string> {
  const names = new Set(VERBATIM_ENVIRONMENTS)
  for (const source of sources)
    for (const [, name = ''] of source.matchAll(DEFINES_ENVIRONMENT)) names.add(name.replace(/\*$/, ''))
  return names
}

/** Whether a source changes what a percent sign means. */
export function changesComments(source: string): boolean {
  return /\\catcode\s{0,9}(?:`\\?%|37\b)|\\char_set_catcode|\\MakePercentOther|\\@makeother\s{0,9}\\%/.test(source)
}

/** Splits a source. Linear in its length. */
export function splitSource(source: string, verbatimEnvironments: ReadonlySet<string>): readonly SourcePart[] {
  const parts: SourcePart[] = []
  let codeStart = 0
  const push = (kind: SourcePart['kind'], start: number, end: number): void => {
    if (start > codeStart) parts.push({ kind: 'code', text: source.slice(codeStart, start), start: codeStart })
    if (end > start) parts.push({ kind, text: source.slice(start, end), start })
    codeStart = end
  }
  const special = /[\\%]/g
  for (let found = special.exec(source); found !== null; found = special.exec(source)) {
    const at = found.index
    if (found[0] === '%') {
      const lineEnd = source.indexOf('\n', at)
      push('comment', at, lineEnd === -1 ? source.length : lineEnd)
      special.lastIndex = codeStart
      continue
    }
    const verbatimEnd = findVerbatimEnd(source, at, verbatimEnvironments)
    if (verbatimEnd !== null) push('verbatim', at, verbatimEnd)
    else if (source.startsWith('\\end{document}', at)) {
      push('after', at + '\\end{document}'.length, source.length)
      break
    }
    // An escaped character is never special.
    special.lastIndex = verbatimEnd ?? at + 2
  }
  push('code', source.length, source.length)
  return parts
}

/** Rewrites the parts of a source that TeX reads as commands. */
export function mapCode(
  source: string,
  verbatimEnvironments: ReadonlySet<string>,
  map: (code: string) => string,
): string {
  return splitSource(source, verbatimEnvironments)
    .map(({ kind, text }) => (kind === 'code' ? map(text) : text))
    .join('')
}

/** The end of the verbatim material that the command at `at` starts; null if it starts none. */
function findVerbatimEnd(source: string, at: number, environments: ReadonlySet<string>): number | null {
  const head = source.slice(at, at + 80)
  const environment = /^\\begin\{([A-Za-z]{1,60})(\*?)\}/.exec(head)
  if (environment !== null) {
    const [, name = '', star = ''] = environment
    if (!environments.has(name)) return null
    const end = `\\end{${name}${star}}`
    const found = source.indexOf(end, at)
    return found === -1 ? source.length : found + end.length
  }
  const command = /^\\([A-Za-z]{1,20})\*?/.exec(head)
  const name = command?.[1] ?? ''
  const after = at + (command?.[0].length ?? 0)
  if (INLINE_VERBATIM.has(name)) return findInlineEnd(source, after)
  return ADDRESSES.has(name) && source[after] === '{' ? findGroupEnd(source, after) : null
}

/** `|…|`, `[options]|…|`, `{language}|…|` or `{…}`; ends in the same line. */
function findInlineEnd(source: string, start: number): number | null {
  const lineEnd = source.indexOf('\n', start)
  const line = source.slice(start, lineEnd === -1 ? undefined : lineEnd)
  const prefix = /^(?:\[[^\]]{0,400}\])?/.exec(line)?.[0].length ?? 0
  const mark = line[prefix]
  if (mark === undefined || /[\sA-Za-z0-9*]/.test(mark)) return null
  if (mark === '{') {
    const end = findGroupEnd(source, start + prefix)
    return end !== null && source[end] === '{' ? findGroupEnd(source, end) : end
  }
  const close = line.indexOf(mark, prefix + 1)
  return close === -1 ? null : start + close + 1
}

/** The offset behind the group that opens at `open`; null if it does not close. Escaped braces do not count. */
export function findGroupEnd(source: string, open: number): number | null {
  let depth = 0
  const marks = /\\[^]|[{}]/g
  marks.lastIndex = open
  for (let found = marks.exec(source); found !== null; found = marks.exec(source)) {
    if (found[0] === '{') depth += 1
    if (found[0] === '}') depth -= 1
    if (depth === 0 && found[0] === '}') return found.index + 1
    // A group of the document's size is a missing brace.
    if (found.index - open > 100_000) return null
  }
  return null
}

/** 1-based line of an offset. */
export function lineAt(source: string, offset: number): number {
  let line = 1
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line += 1
  return line
}
