/**
 * Colors LaTeX: environments, formulas, comments, keys and titles of sections. The general highlighter took four times as long,
 * which was most of the first view of a long file.
 */
import { escapeHtml } from '../escape-html.ts'

/** The elements of `highlight-lines.ts`; null = no color. */
type Color = 'b' | 'em' | 'i' | 'strong' | 'u' | 'var' | null

/** A rule for one kind of token. */
interface Rule {
  /** One capturing group for each color: together they are the whole match. */
  readonly groups: readonly string[]
  readonly colors: readonly Color[]
  /** Further groups of the pattern, for back references. */
  readonly hiddenGroups?: number
  /** The part that begins with the match. @default the match is complete */
  readonly begins?: Part
  /** Whether the match ends the part. */
  readonly isEnd?: true
}

/** A part of the source with rules of its own. */
interface Part {
  readonly color: Color
  /** The first rule in this list wins where several match. */
  readonly rules: () => readonly Rule[]
}

const VERBATIM = String.raw`(?:verbatim|Verbatim|lstlisting|minted|filecontents)\*?`
const MATH = String.raw`(?:equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|math)\*?`
const OPEN = String.raw`\s{0,20}\{`

const rule = (groups: readonly string[], colors: readonly Color[], more: Partial<Rule> = {}): Rule => ({
  groups,
  colors,
  ...more,
})
const end = (groups: readonly string[], colors: readonly Color[]): Rule => rule(groups, colors, { isEnd: true })
/** `\begin{name}` or `\end{name}` of some environments. */
const named = (command: string, names: string): readonly string[] => [
  String.raw`\\${command}`,
  OPEN,
  names,
  String.raw`\}`,
]
const NAMED_COLORS = ['b', null, 'var', null] as const

/** A blank line ends a title and a formula in TeX too, so an unclosed one affects only its paragraph. */
const blankLine = end(['^[ \\t]*$'], [null])
const comment = rule(['%.*'], ['i'])
const verb = rule([String.raw`\\verb\*?`, String.raw`([^A-Za-z\s*])[^\n]{0,500}?\HIDDEN`], ['b', 'em'], {
  hiddenGroups: 1,
})
/** Names: of a label, a source, a file, a package. Bounded to avoid quadratic scans. */
const key = rule(
  [
    String.raw`\\(?:label|[a-zA-Z]{0,20}ref|[a-zA-Z]{0,20}cite[a-zA-Z]{0,20}|bibitem|input|include|includegraphics|bibliography|addbibresource|usepackage|documentclass)\*?`,
    String.raw`(?:\s{0,20}\[[^\]\n]{0,200}\]){0,2}${OPEN}`,
    String.raw`[^{}\n%]{1,500}`,
  ],
  ['b', null, 'em'],
)
const ENVIRONMENT = [String.raw`\\(?:begin|end)`, OPEN] as const
const environment = rule([...ENVIRONMENT, String.raw`[^{}\n%]{1,100}`], ['b', null, 'var'])
const command = rule([String.raw`\\(?:[a-zA-Z@]+\*?|[^a-zA-Z])`], ['b'])
/** Neither ends the surrounding formula. */
const innerEnvironment = rule([...ENVIRONMENT, String.raw`(?!${MATH}\})[^{}\n%]{1,100}`], ['b', null, 'var'])
const innerCommand = rule([String.raw`\\(?:(?!end${OPEN})[a-zA-Z@]+\*?|[^a-zA-Z)\]])`], ['b'])

const listing: Part = { color: null, rules: () => [end(named('end', VERBATIM), NAMED_COLORS)] }
const verbatim = rule(named('begin', VERBATIM), NAMED_COLORS, { begins: listing })

const formulaUntil = (...ends: readonly Rule[]): Part => ({
  color: 'u',
  rules: () => [comment, key, innerEnvironment, innerCommand, ...ends],
})
const formulas: readonly Rule[] = [
  ...[
    ['\\$\\$', '\\$\\$'],
    ['\\$', '\\$'],
    ['\\\\\\(', '\\\\\\)'],
    ['\\\\\\[', '\\\\\\]'],
  ].map(([from = '', to = '']) => rule([from], [null], { begins: formulaUntil(end([to], [null]), blankLine) })),
  rule(named('begin', MATH), NAMED_COLORS, { begins: formulaUntil(end(named('end', MATH), NAMED_COLORS)) }),
]

const closing = end(['\\}'], [null])
const group: Part = {
  color: null,
  rules: () => [comment, verb, ...formulas, key, command, rule(['\\{'], [null], { begins: group }), closing],
}
const heading: Part = {
  color: 'strong',
  rules: () => [comment, verb, ...formulas, key, command, rule(['\\{'], [null], { begins: group }), closing, blankLine],
}
const title = rule(
  [
    String.raw`\\(?:part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|title)\*?`,
    String.raw`(?:\s{0,20}\[[^\]\n]{0,200}\])?${OPEN}`,
  ],
  ['b', null],
  { begins: heading },
)
const text: Part = {
  color: null,
  rules: () => [comment, verbatim, verb, ...formulas, title, key, environment, command],
}

/** A part with the pattern of its rules. */
interface Lexer {
  readonly color: Color
  readonly pattern: RegExp
  /** Rule by the number of its first group. */
  readonly rules: readonly { readonly rule: Rule; readonly firstGroup: number }[]
}

const lexers = new Map<Part, Lexer>()

function lexerOf(part: Part): Lexer {
  const known = lexers.get(part)
  if (known !== undefined) return known
  const rules: { readonly rule: Rule; readonly firstGroup: number }[] = []
  const sources: string[] = []
  let next = 1
  for (const each of part.rules()) {
    const hidden = String(next + each.groups.length)
    rules.push({ rule: each, firstGroup: next })
    sources.push(
      each.groups
        .map((source) => `(${source})`)
        .join('')
        .replace('HIDDEN', hidden),
    )
    next += each.groups.length + (each.hiddenGroups ?? 0)
  }
  const lexer = { color: part.color, pattern: new RegExp(sources.join('|'), 'gm'), rules }
  lexers.set(part, lexer)
  return lexer
}

/** Returns the source as HTML with the elements of `highlight-lines.ts`, which may go over several lines. */
export function markLatex(source: string): string {
  const open: Lexer[] = []
  let lexer = lexerOf(text)
  let marked = ''
  let at = 0
  for (;;) {
    lexer.pattern.lastIndex = at
    const match = lexer.pattern.exec(source)
    marked += escape(source.slice(at, match?.index))
    if (match === null) break
    const found = lexer.rules.find(({ firstGroup }) => match[firstGroup] !== undefined)
    if (found === undefined) break
    const { begins, isEnd } = found.rule
    const inner = begins === undefined ? null : lexerOf(begins)
    if (inner !== null) marked += openTag(inner.color)
    marked += markGroups(match, found)
    at = match.index + match[0].length
    if (inner !== null) {
      open.push(lexer)
      lexer = inner
    } else if (isEnd === true) {
      marked += closeTag(lexer.color)
      lexer = open.pop() ?? lexerOf(text)
    }
  }
  for (const { color } of [lexer, ...open.toReversed()]) marked += closeTag(color)
  // Merges adjacent elements of one color.
  return marked.replaceAll(/<\/(\w+)><\1>/g, '')
}

function markGroups(match: RegExpExecArray, { rule: { colors }, firstGroup }: Lexer['rules'][number]): string {
  let marked = ''
  for (let index = 0; index < colors.length; index += 1) {
    const color = colors[index] ?? null
    marked += openTag(color) + escape(match[firstGroup + index] ?? '') + closeTag(color)
  }
  return marked
}

const openTag = (color: Color): string => (color === null ? '' : `<${color}>`)
const closeTag = (color: Color): string => (color === null ? '' : `</${color}>`)

function escape(plain: string): string {
  return /[&<>"']/.test(plain) ? escapeHtml(plain) : plain
}
