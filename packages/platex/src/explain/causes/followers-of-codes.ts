/** Messages that follow from any cause with a certain code, on its line or in its file. */
import type { LatexError } from '../../base/types.ts'
import { anyOf } from '../any-of.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { isSoonAfter } from './places.ts'

/** `line`: on the line of the cause. `near`: there and in the next lines. `file`: anywhere in its file. */
type Extent = 'line' | 'near' | 'file'

const FOLLOWERS: readonly (readonly [code: string, extent: Extent, messages: RegExp])[] = [
  // Formulas and numbers.
  ['display-math-end', 'file', /^You can't use `\\eqno'/],
  ['display-math-end', 'line', /^File ended while/],
  ['missing-number', 'line', /^LaTeX Error: Unicode character [−–—] /],
  ['invalid-number', 'file', /^Forbidden control sequence found while scanning use of \\_/],
  ['undefined-command', 'line', /^Package siunitx Error: Found (?:prefix|per) part with no unit/],

  // Definitions and names.
  ['missing-command-name', 'line', /^You already have nine parameters/],
  ['command-in-name', 'line', /^TeX capacity exceeded/],

  // Arguments that are not closed.
  ['runaway-argument', 'line', /^(?:Incomplete \\if|Extra (?:alignment tab|\\(?:else|fi|or)))/],
  ['runaway-argument', 'line', /no legal \\end found/],
  ['unclosed-brace', 'line', /no legal \\end found/],
  ['runaway-argument', 'near', /^(?:Too many }'s|Extra \}, or forgotten \\endgroup)/],
  ['verb-in-argument', 'file', /^Extra \}|^You can't use `\\end'|no legal \\end found/],

  // Characters and encodings. TeX reads the other bytes of a character on their own.
  ['invalid-encoding', 'file', /Invalid UTF-8 byte|invalid utf-8 sequence|use of \\UTFviii@|no legal \\end found/],
  ['unicode-character', 'line', /^LaTeX Error: Invalid UTF-8 byte/],
  ['unicode-in-listing', 'line', /^LaTeX Error: Invalid UTF-8 byte/],

  // Pictures and plots.
  ['unknown-function', 'line', /^Package PGF Math Error: Unknown (?:function|operator)/],
  ['tikz-syntax', 'line', /^Package tikz Error: (?:Giving up on this path|A node must have)/],
  ['tikz-semicolon', 'file', /^Package PGF Math Error: /],
  ['unknown-option', 'line', /know the key '\/tikz\/decoration'|No shape named `intersection-/],
  [
    'missing-column',
    'line',
    /^Package pgfplots Error: Sorry, (?:the requested column number|could not retrieve column)/,
  ],
  ['number-too-large', 'line', /^Arithmetic overflow/],
  ['undefined-color', 'line', /^Package pgf Error: Unsupported color model|^Incomplete \\if/],

  // Algorithms, frames and tables.
  ['unmatched-environment', 'near', /^Package algorithmicx Error: Some blocks/],
  ['unmatched-environment', 'file', /^LaTeX Error: \\begin\{beamer@frame\w*\} on/],
  ['unknown-column-type', 'line', /^Missing # inserted in alignment preamble/],

  // Files and fonts. An undefined command can be part of a path of Windows, such as C:\pictures.
  ['missing-file', 'line', /There's no line here to end|^LaTeX Error: \\begin\{document\} ended by/],
  ['missing-file', 'line', /^Package animate Error: None of the files|Unknown graphics extension: \.mkii/],
  ['undefined-command', 'line', /Package pdftex\.def Error: File `[A-Z]:/i],
  ['file-not-writable', 'line', /^Emergency stop: job aborted, file error/],
  ['missing-font', 'near', /luaotfload-auxiliary|^Missing number/],

  // Packages, options and entries. The class of slides that selects dvips also draws with PostScript.
  ['wrong-driver', 'line', /^LaTeX Error: Unknown graphics extension: \.e?ps/],
  ['wrong-driver', 'file', /^Undefined control sequence: \\(?:pdfmark|PSTricks)$/],
  ['incompatible-packages', 'file', /^Emergency stop: job aborted, no legal/],
  ['incompatible-packages', 'line', /^LaTeX Error: Command \S+ already defined/],
  ['unknown-option', 'line', /Error: \S+ key required|^Package acro Error: You forgot to set the mandatory/],
  ['parameter-number', 'line', /Undefined color [`']#/],
  ['unicode-character', 'line', /^Package soul Error/],
  ['missing-glossary-field', 'file', /key required in/],

  // LaTeX has no place for another float, and stops in the middle of its own code.
  [
    'too-many-floats',
    'file',
    anyOf(
      /Too many unprocessed floats/,
      /This may be a LaTeX bug/,
      /^Extra \\(?:else|or|fi)/,
      /^Incomplete \\if/,
      /^Missing = inserted/,
      /^Forbidden control sequence/,
    ),
  ],
]

/** Whether the code of the cause has this follow-up error here. */
export function isFollowerOfCode(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file) return false
  const code = codeOf(cause)
  return FOLLOWERS.some(
    ([kind, extent, messages]) => kind === code && isWithin(extent, error, cause) && messages.test(error.message),
  )
}

function isWithin(extent: Extent, error: LatexError, cause: LatexError): boolean {
  if (extent === 'file' || error.line === cause.line) return true
  return extent === 'near' && isSoonAfter(error, cause)
}
