/** A grammar rule of the highlighter. */
interface Rule {
  readonly scope?: string
  readonly begin: RegExp | readonly RegExp[]
  readonly beginScope?: Readonly<Record<number, string>>
  readonly end?: RegExp | readonly RegExp[]
  readonly endScope?: Readonly<Record<number, string>>
  readonly contains?: readonly (Rule | 'self')[]
}

/** A blank line ends a title and a formula in TeX too, so an unclosed one affects only its paragraph. */
const BLANK_LINE = '^[ \\t]*$'
const VERBATIM = /(?:verbatim|Verbatim|lstlisting|minted|filecontents)\*?/
const MATH = /(?:equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|math)\*?/
const named = { 1: 'keyword', 3: 'title' } as const

const comment: Rule = { scope: 'comment', begin: /%/, end: /$/ }
const verbatim: Rule = {
  begin: [/\\begin/, /\s{0,20}\{/, VERBATIM, /\}/],
  beginScope: named,
  end: [/\\end/, /\s{0,20}\{/, VERBATIM, /\}/],
  endScope: named,
}
const verb: Rule = { begin: [/\\verb\*?/, /([^A-Za-z\s*])[^\n]{0,500}?\1/], beginScope: { 1: 'keyword', 2: 'code' } }
/** Names: of a label, a source, a file, a package. Bounded to avoid quadratic scans. */
const key: Rule = {
  begin: [
    /\\(?:label|[a-zA-Z]{0,20}ref|[a-zA-Z]{0,20}cite[a-zA-Z]{0,20}|bibitem|input|include|includegraphics|bibliography|addbibresource|usepackage|documentclass)\*?/,
    /(?:\s{0,20}\[[^\]\n]{0,200}\]){0,2}\s{0,20}\{/,
    /[^{}\n%]{1,500}/,
  ],
  beginScope: { 1: 'keyword', 3: 'string' },
}
const environment: Rule = { begin: [/\\(?:begin|end)/, /\s{0,20}\{/, /[^{}\n%]{1,100}/], beginScope: named }
const command: Rule = { scope: 'keyword', begin: /\\(?:[a-zA-Z@]+\*?|[^a-zA-Z])/ }
/** Does not end the surrounding formula. */
const innerEnvironment: Rule = {
  ...environment,
  begin: [/\\(?:begin|end)/, /\s{0,20}\{/, new RegExp(`(?!${MATH.source}\\})[^{}\\n%]{1,100}`)],
}
const innerCommand: Rule = { ...command, begin: /\\(?:(?!end\s{0,20}\{)[a-zA-Z@]+\*?|[^a-zA-Z)\]])/ }
const inFormula: readonly Rule[] = [comment, key, innerEnvironment, innerCommand]
const formulas: readonly Rule[] = [
  { scope: 'formula', begin: /\$\$/, end: new RegExp(`\\$\\$|${BLANK_LINE}`), contains: inFormula },
  { scope: 'formula', begin: /\$/, end: new RegExp(`\\$|${BLANK_LINE}`), contains: inFormula },
  { scope: 'formula', begin: /\\\(/, end: new RegExp(`\\\\\\)|${BLANK_LINE}`), contains: inFormula },
  { scope: 'formula', begin: /\\\[/, end: new RegExp(`\\\\\\]|${BLANK_LINE}`), contains: inFormula },
  {
    scope: 'formula',
    begin: [/\\begin/, /\s{0,20}\{/, MATH, /\}/],
    beginScope: named,
    end: [/\\end/, /\s{0,20}\{/, MATH, /\}/],
    endScope: named,
    contains: inFormula,
  },
]
const group: Rule = { begin: /\{/, end: /\}/, contains: [comment, verb, ...formulas, key, command, 'self'] }
const title: Rule = {
  scope: 'section',
  begin: [
    /\\(?:part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|title)\*?/,
    /(?:\s{0,20}\[[^\]\n]{0,200}\])?\s{0,20}\{/,
  ],
  beginScope: { 1: 'keyword' },
  end: new RegExp(`\\}|${BLANK_LINE}`),
  contains: [comment, verb, ...formulas, key, command, group],
}

/** The highlighter's grammar of LaTeX: environments, formulas, comments, keys and titles of sections. */
export function latex(): { readonly name: string; readonly contains: readonly Rule[] } {
  return { name: 'LaTeX', contains: [comment, verbatim, verb, ...formulas, title, key, environment, command] }
}
