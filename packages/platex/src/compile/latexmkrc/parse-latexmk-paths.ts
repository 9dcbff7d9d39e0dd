/**
 * Reads the search paths of a latexmkrc without running it: the file is Perl.
 *
 * Understood are `ensure_path('TEXINPUTS', './sty//')` and assignments to `$ENV{'TEXINPUTS'}`. All other code is ignored.
 */
import { tokenizePerl, type Token } from './tokenize-perl.ts'

/** Variables of programs that a document may set, and whose folders can be in a project. */
export const PATH_VARIABLES = ['TEXINPUTS', 'BIBINPUTS', 'BSTINPUTS', 'INDEXSTYLE'] as const
export type PathVariable = (typeof PATH_VARIABLES)[number]

/** One folder of a search path, as written: may end in `//`, and may begin with a Perl variable. */
export interface PathEntry {
  readonly variable: PathVariable
  readonly path: string
}

/** More than any project needs; together they bound the time. */
const MAX_STATEMENT_TOKENS = 200
const MAX_ENTRIES = 60

export function parseLatexmkPaths(source: string): readonly PathEntry[] {
  const tokens = tokenizePerl(source)
  const entries: PathEntry[] = []
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'word') continue
    if (entries.length >= MAX_ENTRIES) break
    if (text === 'ensure_path') entries.push(...readEnsurePath(tokens, at + 1))
    if (text === '$ENV') entries.push(...readAssignment(tokens, at + 1))
  }
  return entries.slice(0, MAX_ENTRIES)
}

/** `('TEXINPUTS', './sty//', './tex//')` */
function readEnsurePath(tokens: readonly Token[], start: number): readonly PathEntry[] {
  const end = findSign(tokens, start, [')', ';'])
  const [name, ...paths] = tokens.slice(start, end).filter(({ kind }) => kind === 'string')
  return name === undefined ? [] : entriesOf(name.text, paths)
}

/** `{'TEXINPUTS'} = './sty//:' . $ENV{'TEXINPUTS'};` */
function readAssignment(tokens: readonly Token[], start: number): readonly PathEntry[] {
  const [open, name, close, ...signs] = tokens.slice(start, start + 5)
  const isSet = signs[0]?.text === '=' || (signs[0]?.text === '.' && signs[1]?.text === '=')
  if (open?.text !== '{' || close?.text !== '}' || name === undefined || !isSet) return []
  const end = findSign(tokens, start + 4, [';'])
  return entriesOf(
    name.text,
    tokens.slice(start + 4, end).filter(({ kind }) => kind === 'string'),
  )
}

/** Where a statement ends, which is long enough for any list of folders. */
function findSign(tokens: readonly Token[], start: number, signs: readonly string[]): number {
  const statement = tokens.slice(start, start + MAX_STATEMENT_TOKENS)
  const length = statement.findIndex(({ kind, text }) => kind === 'sign' && signs.includes(text))
  return start + (length === -1 ? statement.length : length)
}

function entriesOf(name: string, strings: readonly Token[]): readonly PathEntry[] {
  const variable = PATH_VARIABLES.find((one) => one === name)
  if (variable === undefined) return []
  const paths = strings.flatMap(({ text }) => text.split(/[:;]/)).filter((path) => path !== '')
  return paths.map((path) => ({ variable, path }))
}
