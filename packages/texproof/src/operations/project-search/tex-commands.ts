/**
 * Commands and their arguments in a TeX source, outside of comments and verbatim text. Every pattern is bounded, so the
 * time is linear in the size of the source.
 */

/** A command, an option `label=…`, or the options of a verbatim environment. */
export type TexToken =
  | { readonly kind: 'command'; readonly name: string; readonly end: number }
  | { readonly kind: 'label-option'; readonly value: string; readonly at: number }
  | { readonly kind: 'verbatim'; readonly options: string; readonly at: number }

/** `open` = the opening bracket. `at` = where the content starts. */
export interface TexArgument {
  readonly open: '{' | '[' | '('
  readonly content: string
  readonly at: number
}

const VERBATIM = 'verbatim|Verbatim|BVerbatim|lstlisting|minted|comment|filecontents'
/** Comments, escaped characters and verbatim text are consumed. */
const TOKEN = new RegExp(
  [
    String.raw`%[^\n]*`,
    String.raw`\\begin\{(?<verbatim>${VERBATIM})(?<star>\*?)\}(?<options>\[[^\]]{0,1000}\])?`,
    String.raw`\\(?:verb|lstinline)\*?(?<mark>[^A-Za-z0-9\s*{[])[^\n]{0,500}?\k<mark>`,
    String.raw`\\(?<command>[a-zA-Z@]{1,60})\*?`,
    String.raw`\\[^]`,
    // Options such as `label=lst:tides`.
    String.raw`(?<=[[,\s])label\s{0,9}=\s{0,9}\{?(?<option>[^{}\[\],\\%\s]{1,200})`,
  ].join('|'),
  'g',
)
const CLOSE = { '{': '}', '[': ']', '(': ')' } as const
const MAX_ARGUMENT = 4_000
const MAX_ARGUMENTS = 20

/** The commands of a source, in order. */
export function* scanCommands(text: string): Generator<TexToken> {
  const pattern = new RegExp(TOKEN)
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { index, 0: token, groups = {} } = found
    const { command, option, verbatim, star = '', options = '' } = groups
    const end = index + token.length
    if (option !== undefined) yield { kind: 'label-option', value: option, at: end - option.length }
    if (command !== undefined) yield { kind: 'command', name: command, end }
    if (verbatim === undefined) continue
    yield { kind: 'verbatim', options, at: end - options.length }
    const close = text.indexOf(`\\end{${verbatim}${star}}`, pattern.lastIndex)
    pattern.lastIndex = close === -1 ? text.length : close
  }
}

/** The arguments that begin at a position. Braces within an argument are not supported: names contain none. */
export function* readArguments(text: string, start: number): Generator<TexArgument> {
  let at = start
  for (let read = 0; read < MAX_ARGUMENTS; read += 1) {
    const [blank = ''] = /^[ \t]*(?:\n[ \t]*)?/.exec(text.slice(at, at + 200)) ?? []
    at += blank.length
    const open = text[at]
    if (open !== '{' && open !== '[' && open !== '(') return
    const length = text.slice(at + 1, at + MAX_ARGUMENT).indexOf(CLOSE[open])
    if (length === -1) return
    yield { open, content: text.slice(at + 1, at + 1 + length), at: at + 1 }
    at += length + 2
  }
}
