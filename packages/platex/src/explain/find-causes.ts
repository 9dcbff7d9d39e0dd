/**
 * Which errors only follow from others.
 *
 * After an error TeX continues and reports what it then misreads. These follow-up errors disappear once the first error
 * is fixed, so authors should not start with them. Errors are linked only if real documents showed that they disappear;
 * in doubt an error has no cause.
 */
import type { LatexError } from '../base/types.ts'
import { ABSENT_ARGUMENT_NOTE, DOLLAR_NOTE, FRAGILE_END_NOTE, FRAGILE_NOTE, OPEN_BRACE_NOTE } from './mistake-notes.ts'
import { isAlgorithmCommand } from './algorithm-commands.ts'
import { isFollowUp, isOfMissingFont } from './follow-ups.ts'
import { codeOf } from './explain-diagnostic.ts'
import { readUpperLine } from './read-upper-line.ts'

/** Messages of TeX's error recovery, often with internal names. */
const RECOVERY =
  /^(?:That makes 100 errors|Missing (?:\{|\}|\$|#|\\endcsname|\\cr|\\endgroup|number|control sequence)|Extra (?:\}|\\endgroup|\\endcsname)|Too many \}'s|Display math should end|Argument of \\\S+ has an extra \}|Paragraph ended before |Illegal unit of measure|Illegal parameter number|You can't use |Misplaced |Use of \\\S+ doesn't match|Font .* not loadable|Package pdfpages Error: Page |LaTeX Error: (?:Something's wrong|Bad math|\\begin\{beamer@framepauses\}|Missing \\begin\{document\}|Environment (?:\\.{1,80} )?undefined)|Package calc Error: )/

/** Authors do not write names with an "@". */
const INTERNAL =
  /^Improper \\(?:prevdepth|spacefactor)|^(?:Undefined control sequence: |Argument of |Paragraph ended before |File ended while scanning use of )\\[A-Za-z]*[@_:]|^Package xcolor Error: Undefined color `[^']*@/

/** The text of a source; undefined if there is none. */
type ReadText = (path: string) => string | undefined

/**
 * For each error the index of its cause, or null. A cause has no cause itself.
 */
export function findCauses(errors: readonly LatexError[], readText: ReadText): readonly (number | null)[] {
  const causes: (number | null)[] = errors.map((error, at) => {
    const same = errors.slice(0, at).findIndex((earlier) => isOfSameNote(error, earlier))
    return same === -1 ? findLaterCause(errors, error, at) : same
  })
  let openFormula: number | null = null
  for (const [at, error] of errors.entries()) {
    const kind = formulaKind(error)
    if (kind === 'inside' || kind === 'end' || kind === 'group-end') causes[at] ??= openFormula
    if (kind === 'start' || (kind === 'group-end' && openFormula === null)) openFormula = at
    else if (kind === 'end' || kind === 'group-end') openFormula = null
    const isLateCause = causes.includes(at) && (isNamelessDefinition(error) || isUnendedListing(error))
    if (causes[at] !== null || isLateCause) continue
    const found = errors.slice(0, at).findLastIndex((candidate, index) => {
      return causes[index] === null ? follows(error, candidate, readText) : isRecoveryAfter(error, candidate)
    })
    causes[at] = found === -1 ? findVerb(errors, causes, at) : found
  }
  return causes.map((cause, at) => {
    const root = findRoot(causes, cause)
    return root === at ? null : root
  })
}

function findRoot(causes: readonly (number | null)[], cause: number | null): number | null {
  const passed: number[] = []
  let root = cause
  for (let next = root; next !== null; next = causes[next] ?? null) {
    // Each of several errors can be the cause of the next: the first one stands for them.
    if (passed.includes(next)) return Math.min(...passed.slice(passed.indexOf(next)))
    passed.push(next)
    root = next
  }
  return root
}

/** TeX reports some errors after their follow-up errors. */
function findLaterCause(errors: readonly LatexError[], error: LatexError, at: number): number | null {
  if (error.source !== 'latex') return null
  const later = errors.slice(at + 1, at + 12)
  const found = later.findIndex((candidate, index) => {
    if (isOfMissingFont(error, candidate)) return true
    if (candidate.file !== error.file || candidate.source !== 'latex') return false
    if (isInSameFrame(error, candidate)) return !error.context?.startsWith(FRAGILE_NOTE)
    if (isNamelessDefinition(candidate)) return candidate.line === error.line && isOfDefinition(error)
    if (isUnendedListing(candidate))
      return (candidate.line ?? Infinity) <= (error.line ?? 0) && RECOVERY.test(error.message)
    if (error.message.startsWith('Improper \\prevdepth'))
      return isUnmatched(candidate) || candidate.message.includes('no legal \\end found')
    if (error.message.startsWith('Missing $') && isUnendedFormula(candidate))
      return readReportedLine(candidate) === error.line
    if (error.message.includes('\\@@BOOKMARK')) return candidate.message.startsWith('Illegal parameter number')
    if (candidate.message.includes("can't be used in cooperation"))
      return /^LaTeX Error: Command \\(?:[cl]@)?sub\w+ already defined/.test(error.message)
    if (isVerbInArgument(candidate)) return candidate.line === error.line && RECOVERY.test(error.message)
    if (candidate.message.startsWith('Missing \\right.'))
      return candidate.line === error.line && error.message.includes('`\\eqno')
    if (candidate.message.startsWith('Extra \\right.')) return isInSameFormula(error, candidate)
    const isAgain = isUnmatchedAgain(error, candidate) && !isSwapped(error, candidate)
    if (isUnmatched(candidate) && (isAgain || isCellAtEnd(error, candidate))) return true
    if (isLonelyItem(error)) return isEndWithoutBeginning(candidate) && isBefore(candidate, error)
    if (isUnmatched(candidate) && readReportedLine(candidate) === error.line && isBefore(candidate, error))
      return error.message.includes('perhaps a missing \\item')
    if (isEndWithoutBeginning(candidate)) return index < 3 && candidate.line === error.line && isEndOfGroup(error)
    if (!error.message.startsWith('Extra }, or forgotten \\endgroup')) return isHiddenEnd(candidate, error)
    return isHiddenEnd(candidate, error) || (index === 0 && isUnmatched(candidate))
  })
  return found === -1 ? null : at + 1 + found
}

/** After a \verb in a heading or caption, TeX misreads the line that ends the argument for it: all its errors follow. */
function findVerb(errors: readonly LatexError[], causes: readonly (number | null)[], at: number): number | null {
  const error = errors[at]
  const onLine = errors.slice(0, at).findLastIndex(({ file, line }) => file === error?.file && line === error.line)
  const cause = onLine === -1 || error?.line === null ? null : findRoot(causes, causes[onLine] ?? null)
  const found = cause === null ? undefined : errors[cause]
  return found !== undefined && isVerbInArgument(found) && found.line !== error?.line ? cause : null
}

function isVerbInArgument({ message }: LatexError): boolean {
  return message.startsWith('LaTeX Error: \\verb illegal in')
}

/** Without a backslash, \newcommand takes the letters of the name for text. */
function isNamelessDefinition({ message }: LatexError): boolean {
  return message.startsWith('Missing control sequence inserted')
}

function isOfDefinition({ message }: LatexError): boolean {
  return /Missing \\begin\{document\}|^Missing number|^You already have nine/.test(message)
}

/** In a frame of beamer that is not fragile, the rest of the listing is read as text. */
function isUnendedListing({ message }: LatexError): boolean {
  return /^File ended while scanning use of \\(?:lst@|FV@|@xverbatim|@sverbatim)/.test(message)
}

/** An \end{…} without its \begin{…} first ends a group that is not open. */
function isEndOfGroup({ message }: LatexError): boolean {
  return /^(?:Too many }'s|Extra \\endgroup)/.test(message)
}

function isEndWithoutBeginning({ message }: LatexError): boolean {
  return message.includes('\\begin{document} ended by')
}

function isLonelyItem({ message }: LatexError): boolean {
  return message.startsWith('LaTeX Error: Lonely \\item')
}

function isBefore(first: LatexError, second: LatexError): boolean {
  return first.line !== null && second.line !== null && first.line < second.line
}

/** The line at which TeX stopped; null if its context does not show it. */
function readReportedLine({ context }: LatexError): number | null {
  const line = /^l\.(\d+)(?: |$)/m.exec(context ?? '')?.[1]
  return line === undefined ? null : Number(line)
}

function isUnmatched({ message }: LatexError): boolean {
  return /\\begin\{.+?\} on input line \d+ ended by \\end/.test(message) && !message.includes('\\end{document}')
}

function isUnendedFormula({ message }: LatexError): boolean {
  return /\\begin\{(?:displaymath|math|equation)\*?\} on input line \d+ ended by \\end\{document\}/.test(message)
}

/** Something that begins before the error hides the end of the document. */
function isHiddenEnd({ message, line }: LatexError, error: LatexError): boolean {
  if (!/no legal \\end found/.test(message) || line === null || error.line === null) return false
  return /^Extra \}, or|^Missing \} inserted|ended by \\end\{document\}|^You can't use `\\end'/.test(error.message)
}

/**
 * TeX inserts a `$` before a symbol that works only in math, and another one where the paragraph ends: the second one
 * follows from the first. So does a group that ends in between.
 */
function formulaKind({ message, context }: LatexError): 'start' | 'inside' | 'end' | 'group-end' | null {
  if (/^Extra \}, or forgotten \$|^LaTeX Error: Command \\item invalid in math mode/.test(message)) return 'inside'
  if (!message.startsWith('Missing $ inserted')) return null
  const upper = readUpperLine(context ?? '')?.trim() ?? ''
  if (upper === '') return 'end'
  return upper.endsWith('}') ? 'group-end' : 'start'
}

function follows(error: LatexError, cause: LatexError, readText: ReadText): boolean {
  if (error.source !== cause.source) return false
  if (error.source !== 'latex') return isWithoutDatabase(error, cause) || isInWideFile(error, cause)
  return (
    isEndOfUndefinedEnvironment(error, cause) ||
    isUnmatchedAgain(error, cause) ||
    isRepeatedPreamble(error, cause) ||
    isWithoutShell(error, cause) ||
    isAfterFault(error, cause) ||
    isInSameFrame(error, cause) ||
    isFollowUp(error, cause) ||
    isInSameTable(error, cause) ||
    isInSameFormula(error, cause) ||
    isInUnendedTable(error, cause) ||
    isInListWithOptions(error, cause) ||
    isInSameEnvironment(error, cause) ||
    isRestOfPreamble(error, cause) ||
    isInMisreadFormula(error, cause) ||
    isAfterOpenLabel(error, cause) ||
    isAfterOpenMatrix(error, cause) ||
    isAfterOpenNode(error, cause) ||
    isOfSameFont(error, cause) ||
    isEndlessTable(error, cause) ||
    isAfterOtherFormat(cause) ||
    isInSameBibliography(error, cause) ||
    isAfterPicture(error, cause) ||
    isOfSameScript(error, cause) ||
    isRecoveryAfter(error, cause) ||
    isInWideFile(error, cause) ||
    isWithoutStyle(error, cause) ||
    (error.file === cause.file &&
      (isAfterBlankLine(error, cause, readText) || isAtListCommand(error) || isInternal(error, cause)))
  )
}

/**
 * Errors with internal names are usually the recovery from another error. An argument that the author left open is a mistake
 * of its own, unless another one was open already.
 */
function isInternal(error: LatexError, cause: LatexError): boolean {
  if (!INTERNAL.test(error.message)) return false
  const isOwnMistake = OPEN_ARGUMENT.test(error.message) && isBefore(cause, error)
  return !isOwnMistake || /^(?:unclosed-\w+|unmatched-\w+)/.test(codeOf(cause) ?? '')
}

/** Internal commands that read an argument of \href, \ref, \cite, \footnote, \caption and headings. */
const OPEN_ARGUMENT =
  /^(?:Paragraph ended before|File ended while scanning use of) \\(?:href@split|hyper@normalise|@kernel@ref|@cite\w*|@footnotetext|@caption|@sect|@xdblarg|@dblarg)/

/** A file in UTF-16 is misread from its beginning. Messages may have the place of its \input. */
function isInWideFile(error: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('is encoded in UTF-16')) return false
  return error.file === cause.file || /Invalid UTF-8 byte|contains an invalid character/.test(error.message)
}

/** Without its style, biblatex defines no commands for citations. */
function isWithoutStyle(error: LatexError, cause: LatexError): boolean {
  return (
    cause.message.startsWith("Package biblatex Error: Style '") &&
    /^Package biblatex Error: Command '.*' undefined/.test(error.message)
  )
}

/** BibTeX has nothing to read because a file is missing. */
function isWithoutDatabase(error: LatexError, cause: LatexError): boolean {
  if (error.message.startsWith('I found no cite keys')) return cause.message.startsWith('White space in argument')
  return /^I found no (?:database files|style file)/.test(error.message) && cause.message.startsWith("I couldn't open")
}

/** TeX ignores an unknown \begin{…}, so its \end{…} seems to end something else. */
function isEndOfUndefinedEnvironment(error: LatexError, cause: LatexError): boolean {
  const undefinedName = /Environment (\S+) undefined/.exec(cause.message)?.[1] ?? readMisspeltBegin(cause)
  if (undefinedName === undefined) return false
  if (error.file === cause.file && isLonelyItem(error)) return true
  if (error.message.includes(`ended by \\end{${undefinedName}}`)) return true
  if (error.file !== cause.file || !FORMULA.test(undefinedName)) return false
  return /^(?:Misplaced alignment tab|Missing \$|You can't use `\\eqno')/.test(error.message)
}

const FORMULA = /align|gather|matrix|tabu|cases|split|equation|multline|eqnarray/

/** The environment of `\being{itemize}` or `\\begin{itemize}`, which TeX breaks where it stopped. */
function readMisspeltBegin({ message, context }: LatexError): string | undefined {
  if (!/^Undefined control sequence: \\b|There's no line here to end/.test(message)) return undefined
  const [, upper = '', lower = ''] = /^l\.\d+ .*?(\\b[a-z]*)\s*\n\s*(.*)/m.exec(context ?? '') ?? []
  return /^\\b[a-z]*\{(\w+\*?)\}/.exec(upper + lower)?.[1]
}

/** The \end{…} that ended the wrong environment is now missing for its own. */
function isUnmatchedAgain(error: LatexError, cause: LatexError): boolean {
  const ended = /\\begin\{(.+?)\} on input line \d+ ended by \\end\{document\}/.exec(error.message)?.[1]
  if (ended !== undefined && cause.message.includes(`ended by \\end{${ended}}`)) return true
  if (isSwapped(error, cause)) return true
  return isUnmatched(cause) && /^You can't use `\\end'|no legal \\end found/.test(error.message)
}

/** TeX reads the cells of a formula or table twice, so it reports them where the environment around them ends. */
function isCellAtEnd({ message, line }: LatexError, cause: LatexError): boolean {
  return message.startsWith('Extra alignment tab') && line === readReportedLine(cause)
}

/** Of two environments that overlap, both ends are wrong. */
function isSwapped({ message }: LatexError, cause: LatexError): boolean {
  const [, begun, ended] = /\\begin\{(.+?)\} on input line \d+ ended by \\end\{(.+?)\}/.exec(message) ?? []
  return begun !== undefined && cause.message.startsWith(`LaTeX Error: \\begin{${ended ?? ''}}`)
    ? cause.message.endsWith(`ended by \\end{${begun}}.`)
    : false
}

/** Without \begin{document} or a class every paragraph is an error, and the end of the document as well. */
function isRepeatedPreamble(error: LatexError, cause: LatexError): boolean {
  const isWithoutClass = /^Undefined control sequence: \\documentc|size command \\normalsize is not/.test(cause.message)
  if (isWithoutClass && error.message.includes('size command \\normalsize is not')) return true
  if (!cause.message.includes('Missing \\begin{document}')) return false
  return /Missing \\begin\{document\}|^I can't find file `.*\.aux'|^LaTeX Error: Environment +undefined/.test(
    error.message,
  )
}

/** A package that cannot run its program has no output to include. */
function isWithoutShell(error: LatexError, cause: LatexError): boolean {
  const isCause = /^Package minted Error: (?:You must invoke LaTeX with|Missing style definition)/.test(cause.message)
  return isCause && /^Package minted Error|`[^']*(?:_minted-|\.pyg)/.test(error.message)
}

/** A heading or caption with an error leaves a group open at the end of the table of contents or the list of figures. */
function isAtListCommand({ message, context }: LatexError): boolean {
  return RECOVERY.test(message) && /^l\.\d+ \\(?:tableofcontents|listof[a-z]+) *$/m.test(context ?? '')
}

/** An error of TeX's recovery on the line of the cause. */
function isRecoveryAfter(error: LatexError, cause: LatexError): boolean {
  const isMoved = isEndWithoutBeginning(cause) && error.line === readReportedLine(cause)
  if (error.file !== cause.file || error.line === null || (error.line !== cause.line && !isMoved)) return false
  // A missing picture does not hide a length without a unit, which is wrong in any case.
  const isHidden = error.message.startsWith('Illegal unit') && codeOf(cause) === 'missing-file'
  if (RECOVERY.test(error.message)) return !isHidden
  return /Couldn't load requested language|Cannot find file/.test(cause.message) && isOfSamePackage(error, cause)
}

function isOfSamePackage(error: LatexError, cause: LatexError): boolean {
  const name = /^Package \S+ Error/.exec(cause.message)?.[0]
  return name !== undefined && error.message.startsWith(name)
}

const MAX_LINES_OF_FORMULA = 30

function isSoonAfter({ line }: LatexError, cause: LatexError): boolean {
  return line !== null && cause.line !== null && line >= cause.line && line <= cause.line + MAX_LINES_OF_FORMULA
}

/** A blank line ends a formula, and the rest of it is read as text. */
function isAfterBlankLine(error: LatexError, cause: LatexError, readText: ReadText): boolean {
  if (!isSoonAfter(error, cause)) return false
  const text = cause.file === null ? undefined : readText(cause.file)
  if (text !== undefined && (error.line ?? 0) > findEndOfCutFormula(text.split('\n'), cause.line ?? 0)) return false
  const isText =
    /^(?:You can't use `\\eqno'|Display math should end|Missing \$|LaTeX Error: Bad math|Misplaced (?:\\cr|\\noalign|alignment tab))/.test(
      error.message,
    )
  return isText && codeOf(cause) === 'blank-line-in-math'
}

const OPENS_FORMULA = new RegExp(String.raw`\\begin\{\w*(?:${FORMULA.source})|\\\[|^\s*\$\$`)
const CLOSES_FORMULA = new RegExp(String.raw`\\end\{\w*(?:${FORMULA.source})|\\\]|\$\$`)

/**
 * The last line that TeX misreads because of a blank line in a formula: the blank line after the paragraph in which the
 * formula ends, or after the next paragraph if it has no end. `line`: of the error, counted from 1.
 */
function findEndOfCutFormula(lines: readonly string[], line: number): number {
  const isBlank = (at: number): boolean => (lines[at] ?? '').trim() === ''
  const findBlank = (from: number): number => {
    let at = from
    while (at < lines.length && !isBlank(at)) at += 1
    return at
  }
  let rest = findBlank(line - 1)
  while (rest < lines.length && isBlank(rest)) rest += 1
  for (let at = rest; at < Math.min(lines.length, rest + MAX_LINES_OF_FORMULA); at += 1) {
    if (CLOSES_FORMULA.test(lines[at] ?? '')) return findBlank(at) + 1
    if (OPENS_FORMULA.test(lines[at] ?? '')) break
  }
  return findBlank(rest) + 1
}

/** Messages that follow from a cause with a certain code, on its line or in its file. */
const FOLLOWERS: readonly (readonly [code: string, messages: RegExp, extent: 'line' | 'near' | 'file'])[] = [
  ['display-math-end', /^You can't use `\\eqno'/, 'file'],
  ['missing-command-name', /^You already have nine parameters/, 'line'],
  ['invalid-encoding', /Invalid UTF-8 byte|invalid utf-8 sequence|no legal \\end found/, 'file'],
  ['unicode-character', /^LaTeX Error: Invalid UTF-8 byte/, 'line'],
  ['missing-number', /^LaTeX Error: Unicode character [−–—] /, 'line'],
  ['unknown-function', /^Package PGF Math Error: Unknown (?:function|operator)/, 'line'],
  ['unicode-in-listing', /^LaTeX Error: Invalid UTF-8 byte/, 'line'],
  ['tikz-syntax', /^Package tikz Error: (?:Giving up on this path|A node must have)/, 'line'],
  ['unknown-option', /know the key '\/tikz\/decoration'|No shape named `intersection-/, 'line'],
  ['incompatible-packages', /^Emergency stop: job aborted, no legal/, 'file'],
  ['undefined-color', /^Package pgf Error: Unsupported color model|^Incomplete \\if/, 'line'],
  ['undefined-command', /^Package siunitx Error: Found (?:prefix|per) part with no unit/, 'line'],
  ['tikz-semicolon', /^Package PGF Math Error: /, 'file'],
  ['missing-glossary-field', /key required in/, 'file'],
  ['invalid-number', /^Forbidden control sequence found while scanning use of \\_/, 'file'],
  ['command-in-name', /^TeX capacity exceeded/, 'line'],
  ['missing-column', /^Package pgfplots Error: Sorry, the requested column number/, 'line'],
  ['unknown-option', /Error: \S+ key required/, 'line'],
  ['incompatible-packages', /^LaTeX Error: Command \S+ already defined/, 'line'],
  ['missing-file', /There's no line here to end|^LaTeX Error: \\begin\{document\} ended by/, 'line'],
  ['runaway-argument', /^(?:Incomplete \\if|Extra (?:alignment tab|\\(?:else|fi|or)))/, 'line'],
  ['display-math-end', /^File ended while/, 'line'],
  ['runaway-argument', /^Too many }'s/, 'near'],
  ['missing-font', /luaotfload-auxiliary|^Missing number/, 'near'],
  ['undefined-command', /Package pdftex\.def Error: File `[A-Z]:/i, 'line'],
  ['runaway-argument', /no legal \\end found/, 'line'],
  ['file-not-writable', /^Emergency stop: job aborted, file error/, 'line'],
  [
    'too-many-floats',
    /Too many unprocessed floats|^Extra \\(?:else|or|fi)|^Missing = inserted|This may be a LaTeX bug|^Incomplete \\if|^Forbidden control sequence/,
    'file',
  ],
  ['verb-in-argument', /^Extra \}|^You can't use `\\end'|no legal \\end found/, 'file'],
]

/** A table that TeX cannot build any more. */
const IN_TABLE =
  /^(?:Missing (?:\}|\{|\$|\\cr|\\endgroup) inserted|Misplaced \\(?:crcr|cr\b|noalign|omit)|Extra (?:\}|\\endgroup)|Too many \}'s|Undefined control sequence: \\@BTswitch|Misplaced alignment tab|Extra alignment tab|(?:LaTeX|Package array) Error: Illegal|LaTeX Error: \\begin\{document\} ended by \\end\{(?:tabular|tabularx|array|longtable)\*?\})/
const CAPTION_IN_ROWS = /\\begin\{table\*?\}.* ended by \\end\{tabular|\\begin\{document\} ended by \\end\{table\*?\}/
const MAX_LINES_OF_TABLE = 20
const LIST_OPTIONS = /^l\.\d+ .*\\begin\{(?:enumerate|itemize|description)\}\[[^\]]*$/m

function isInSameTable(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || error.line === null || cause.line === null) return false
  if (error.line < cause.line || error.line > cause.line + MAX_LINES_OF_TABLE) return false
  const context = cause.context ?? ''
  const code = codeOf(cause)
  if (code === 'caption-outside-float' && cause.message.startsWith('Missing'))
    return IN_TABLE.test(error.message) || CAPTION_IN_ROWS.test(error.message)
  if (!IN_TABLE.test(error.message)) return false
  if (code === 'runaway-argument') return context.includes('\\multicolumn')
  // Without the width, the table takes its columns for it, and its first row for the columns.
  if (code === 'missing-number')
    return /\\begin\{tabular[x*yu]\}/.test(context) && !error.message.startsWith('Too many')
  if (code === 'unknown-column-type')
    return context.includes('\\multicolumn') || error.message.startsWith('Extra alignment tab')
  return code === 'misplaced-rule' && error.line <= cause.line + 1
}

/** The end of another environment ended a table, which TeX then continues without its rows. */
function isInUnendedTable(error: LatexError, cause: LatexError): boolean {
  if (!isUnmatched(cause) || !/\\begin\{(?:tabular|tabularx|array|longtable)\*?\}/.test(cause.message)) return false
  return error.file === cause.file && isBefore(cause, error) && IN_TABLE.test(error.message)
}

/** An environment without its width reports it again where it ends. */
function isInSameEnvironment(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !cause.context?.startsWith(ABSENT_ARGUMENT_NOTE)) return false
  if (error.context?.startsWith(ABSENT_ARGUMENT_NOTE)) return error.line === cause.line
  const name = /"(.+?)"/.exec(cause.context)?.[1] ?? ''
  const isAtEnd = (readUpperLine(error.context ?? '') ?? '').includes(`\\end{${name}}`)
  return isAtEnd && /^(?:Missing number|Illegal unit)/.test(error.message) && isBefore(cause, error)
}

/** Without enumitem, `[label=…]` is a label of enumerate, and its rest is text before the first `\item`. */
function isInListWithOptions(error: LatexError, cause: LatexError): boolean {
  if (!error.message.includes('perhaps a missing \\item') || !LIST_OPTIONS.test(cause.context ?? '')) return false
  return error.file === cause.file && codeOf(cause) === 'missing-number'
}

/** All errors that TeX reports at the end of a formula whose delimiters do not match. */
function isInSameFormula(error: LatexError, cause: LatexError): boolean {
  const line = readReportedLine(error)
  if (error.file !== cause.file || line === null || line !== readReportedLine(cause)) return false
  if (codeOf(cause) !== 'unpaired-delimiter') return false
  return codeOf(error) === 'unpaired-delimiter' || /^(?:Missing (?:[{}]|\\endgroup)|Extra \})/.test(error.message)
}

const IN_FORMULA =
  /^(?:Missing (?:[{}$]|\\cr|\\endgroup)|Extra (?:\}|\\endgroup)|Paragraph ended before \\@tempb|Display math should end|LaTeX Error: Bad math)/

/** A "$" or another formula inside a formula ends it: TeX misreads the rest. */
function isInMisreadFormula(error: LatexError, cause: LatexError): boolean {
  const isNested = cause.message.includes('Bad math environment delimiter')
  const isNoted = [DOLLAR_NOTE, OPEN_BRACE_NOTE].some((note) => cause.context?.startsWith(note))
  if (error.file !== cause.file || !(isNested || isNoted)) return false
  if (IN_FORMULA.test(error.message)) return isSoonAfter(error, cause)
  const [, begun = '', ended = ''] = /\\begin\{(.+?)\}.* ended by \\end\{(.+?)\}/.exec(error.message) ?? []
  return FORMULA.test(begun) || (begun === 'document' && FORMULA.test(ended))
}

/** After an `\item[` without its bracket, the list has lost its items. */
function isAfterOpenLabel(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file) return false
  const isText = error.message.includes('perhaps a missing \\item')
  // Commands of algorithmic begin with \item.
  const command = /^Undefined control sequence: (\\\S+)$/.exec(cause.message)?.[1] ?? ''
  const isOfAlgorithm = isAlgorithmCommand(command) || /^\\end(?:if|for|while|function|procedure|loop)$/i.test(command)
  if (/^Undefined control sequence: \\[A-Z]{2,}$|invalid in math mode/.test(cause.message) || isOfAlgorithm)
    return isSoonAfter(error, cause) && (isText || (isOfAlgorithm && /Some blocks are not closed/.test(error.message)))
  return (
    /^(?:Argument of \\@item |Paragraph ended before \\@readpoints)/.test(cause.message) &&
    (isText || error.message.includes('ended by \\end{document}'))
  )
}

const TIKZ_ENDED =
  /^Undefined control sequence: \\(?:draw|node|fill|filldraw|path|coordinate|endscope|endtikzpicture|addplot)$|Giving up on this path|\\begin\{(?:tikzpicture|axis|scope)\} on/

/** A formula that is not closed in a node ends the picture. */
function isAfterOpenNode(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !cause.message.startsWith('Extra }, or forgotten $')) return false
  return TIKZ_ENDED.test(error.message)
}

/** Each use of a font that was not found is an error. */
function isOfSameFont({ message }: LatexError, cause: LatexError): boolean {
  const font = /^Package fontspec Error: The font "(.+?)" cannot be found/.exec(cause.message)?.[1]?.replaceAll(' ', '')
  if (font === undefined || codeOf(cause) !== 'missing-font') return false
  return message.includes('not loadable') && message.replaceAll(' ', '').includes(`/${font}(`)
}

/** Without `\\` before a rule of booktabs, TeX can repeat its recovery until the time is over. */
function isEndlessTable({ message }: LatexError, cause: LatexError): boolean {
  return message.startsWith('Compilation timed out') && codeOf(cause) === 'misplaced-rule'
}

/** \begin{cases} has opened a delimiter. */
function isAfterOpenMatrix(error: LatexError, cause: LatexError): boolean {
  if (!/\\begin\{(?:cases|[pbvBV]matrix)\*?\} on/.test(cause.message)) return false
  return error.file === cause.file && isSoonAfter(error, cause) && /^Missing \\right|`\\eqno'/.test(error.message)
}

/** LaTeX stops reading a class that is for another format, so the document has no class. */
function isAfterOtherFormat(cause: LatexError): boolean {
  return cause.message.includes('This file needs format')
}

/** A chapter with a preamble of its own: all its commands are errors, the first one is the cause. */
function isRestOfPreamble(error: LatexError, cause: LatexError): boolean {
  const isPreamble = codeOf(error) === 'preamble-only' && codeOf(cause) === 'preamble-only'
  return isPreamble && error.file === cause.file && /^l\.\d+ .*\\documentclass/m.test(cause.context ?? '')
}

/** beamer reads a frame as a whole, so TeX reports its end for everything in it. */
function isInSameFrame(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !cause.context?.startsWith(FRAGILE_NOTE)) return false
  return RECOVERY.test(error.message) && readReportedLine(error) === readReportedLine(cause)
}

/** Errors that TeX reports for one mistake, which was found in the source. */
function isOfSameNote(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || error.line !== cause.line) return false
  return [FRAGILE_NOTE, FRAGILE_END_NOTE].some((note) =>
    [error, cause].every(({ context }) => context?.startsWith(note)),
  )
}

function isAfterFault(error: LatexError, cause: LatexError): boolean {
  const code = codeOf(cause)
  return FOLLOWERS.some(
    ([kind, messages, extent]) =>
      kind === code &&
      messages.test(error.message) &&
      error.file === cause.file &&
      (extent === 'file' || error.line === cause.line || (extent === 'near' && isSoonAfter(error, cause))),
  )
}

/** TeX reads the bibliography as a whole, so it reports errors after the first one at the command that prints it. */
function isInSameBibliography(error: LatexError, cause: LatexError): boolean {
  return cause.file?.endsWith('.bib') === true && error.source === 'latex' && RECOVERY.test(error.message)
}

/** The driver of XeTeX fails for a picture that XeTeX could not read. */
function isAfterPicture(error: LatexError, cause: LatexError): boolean {
  const isFailure = /^xdvipdfmx:fatal: pdf_link_obj|could not be converted to PDF: Ghostscript/.test(error.message)
  return isFailure && /Unable to load picture|Cannot determine size of graphic/.test(cause.message)
}

/** Cyrillic or East Asian text without its encoding: one error for each letter. */
function isOfSameScript(error: LatexError, cause: LatexError): boolean {
  const isOf = (script: RegExp): boolean => [error, cause].every(({ message }) => script.test(message))
  return isOf(/Unicode character \S+ \(U\+0[45]/) || isOf(EAST_ASIAN)
}

const EAST_ASIAN = /Unicode character \S+ \(U\+(?:3[01]|[4-9A-D][0-9A-F]|FF)[0-9A-F]{2}\)/
