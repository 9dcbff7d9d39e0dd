/** Braces, environments, formulas and arguments that do not end. */
import type { LatexError, LatexWarning } from '../../base/types.ts'
import { closest } from '../closest.ts'
import {
  DEFINED_TABLE_NOTE,
  EMPTY_FILE_NOTE,
  HIDDEN_BRACE_NOTE,
  MISSPELLED_END_NOTE,
  OLD_MATRIX_NOTE,
  OPEN_BRACE_NOTE,
} from '../mistake-notes.ts'
import { readUpperLine } from '../read-upper-line.ts'
import type { Explanation, Finding, Rule } from '../types.ts'
import { isInternal, endsUpperLine, hasNote, doubledBackslash } from './shared.ts'

export const UNCLOSED_RULES: readonly Rule[] = [
  [
    'no-pages',
    /no legal \\end found/,
    () => ({
      summary: 'The document is empty: it has no \\documentclass and no pages.',
      remedy: 'Begin with \\documentclass{article}, and write the text between \\begin{document} and \\end{document}.',
    }),
    (diagnostic) => hasNote(diagnostic, EMPTY_FILE_NOTE),
  ],
  [
    'missing-end-document',
    /no legal \\end found|[Ff]ile ended before \\end\{document\}/,
    ({ line }) =>
      line === null
        ? {
            summary: 'The document has no \\end{document}.',
            remedy:
              'Add \\end{document} as the last line. If it is there, an unclosed "{" or a verbatim environment hides it.',
          }
        : {
            summary: 'What begins on this line is not closed, so TeX does not find \\end{document}.',
            remedy:
              'Close the environment or the brace that begins here. A listing does not work in the argument of a command.',
          },
  ],
  [
    // LaTeX reads the bytes of a character as the arguments of this command.
    'invalid-encoding',
    /^File ended while scanning use of \\UTFviii@/,
    () => ({
      summary: 'The file is not valid UTF-8: it ends inside a character.',
      remedy: 'Save it as UTF-8 in your editor. An older file in Latin-1 needs \\usepackage[latin1]{inputenc}.',
    }),
  ],
  [
    'unmatched-environment',
    /File ended while scanning use of \\(?:@?x?verbatim|@x?verbatim|FV@\S*|lst@\S*)\W/,
    () => ({
      summary: 'The verbatim text that begins here does not end.',
      remedy: 'Add its \\end{…}. In a frame of beamer, add the option fragile to the frame.',
    }),
  ],
  [
    'unmatched-environment',
    /File ended while scanning use of \\TX@get@body/,
    () => ({
      summary: '\\begin{tabularx} does not work in the definition of an environment.',
      remedy: 'Write \\tabularx{…}{…} and \\endtabularx in the definition instead of \\begin and \\end.',
    }),
    (diagnostic) => hasNote(diagnostic, DEFINED_TABLE_NOTE),
  ],
  [
    'unmatched-environment',
    /^File ended while scanning use of/,
    ({ context }) => {
      const [, begun = '', ended = ''] = /"(.+?)", "(.+?)"/.exec(context) ?? []
      return {
        summary: `\\begin{${begun}} ends with \\end{${ended}}.`,
        remedy: `Write the same name in both: \\end{${begun}}.`,
      }
    },
    (diagnostic) => hasNote(diagnostic, MISSPELLED_END_NOTE),
  ],
  [
    'unmatched-environment',
    /File ended while scanning use of \\(?:next\b|TX@get@body|collect@\S*body|beamer@collect@@body|\S*collect@body\S*)/,
    ({ line }) =>
      line === null
        ? {
            summary: 'An environment has no \\end{…}, or its \\begin{…} and \\end{…} are not on lines of their own.',
            remedy: 'Write each on its own line, and close every environment inside it before.',
          }
        : {
            summary: 'The environment that begins here has no \\end{…}.',
            remedy: 'Add its \\end{…}, and close every environment inside it before.',
          },
  ],
  [
    'unclosed-brace',
    /\\end occurred inside a group at level \d+/,
    ({ line }) => ({
      summary: `A "{" or \\begingroup ${line === null ? '' : 'that opens here '}is never closed.`,
      remedy: 'Close it where its effect should end.',
    }),
    ({ message }) => !message.includes('semi simple'),
  ],
  [
    'definition-mismatch',
    /File ended while scanning use of \\@cline/,
    () => ({
      summary: '\\cline has no range of columns.',
      remedy: 'Write \\cline{1-1} for one column, \\cline{2-3} for two.',
    }),
  ],
  [
    'unclosed-brace',
    /(?:File ended while scanning use of|Paragraph ended before) \\(\w+\*?)/,
    ({ match }) => ({
      summary: `A "{" in the environment "${match[1] ?? ''}" is not closed.`,
      remedy: 'Add the "}" where the argument ends.',
    }),
    (diagnostic) => hasNote(diagnostic, OPEN_BRACE_NOTE),
  ],
  [
    'unclosed-brace',
    /(?:File ended while scanning use of|Paragraph ended before) \\|^Missing \} inserted/,
    () => ({
      summary: '"%" begins a comment, which hides the "}" at the end of the argument.',
      remedy: 'Write \\% for the character itself.',
    }),
    (diagnostic) => hasNote(diagnostic, HIDDEN_BRACE_NOTE),
  ],
  [
    'runaway-argument',
    /^(?:File ended while scanning use of|Paragraph ended before) \\(?:@item|lstenv@testopt@|tcb@@icolorbox|CF_analyseoptarg)(?: was complete)?\W?/,
    ({ match }) => {
      const owner = match[0].includes('@item')
        ? '\\item'
        : match[0].includes('lstenv')
          ? '\\begin{lstlisting}'
          : match[0].includes('CF_')
            ? 'a bond of \\chemfig'
            : '\\begin{tcolorbox}'
      return {
        summary: `The "[" of ${owner} has no "]".`,
        remedy: match[0].includes('@item')
          ? 'Add the "]" after the label. For a text that begins with "[", write \\item {}[.'
          : 'Add the "]" after the options.',
      }
    },
  ],
  ['unclosed-brace', /(?:never closed|File ended while scanning use of (\\[^\s.]+))/, unclosed],
  [
    'verb-in-argument',
    /\\verb illegal in (?:command )?argument|\\verb ended by end of line/,
    ({ match }) =>
      match[0].includes('end of line')
        ? {
            summary: '\\verb is not closed on its line.',
            remedy: 'End it with the character that follows \\verb, on the same line.',
          }
        : {
            summary: '\\verb does not work in the argument of another command.',
            remedy: 'Use \\texttt{…} there, or load the package cprotect and put \\cprotect before the outer command.',
          },
  ],
  [
    'verb-in-argument',
    /Paragraph ended before \\@?x?(?:verbatim|FV@\S*|lst@\S*) /,
    () => ({
      summary: 'A verbatim environment does not work in the argument of another command.',
      remedy: 'Move it out of the argument. In a footnote or caption, use \\texttt{…} instead.',
    }),
  ],
  [
    'blank-line-in-math',
    /^(?:Missing \$ inserted|Paragraph ended before \\(?:align|alignat|flalign|gather|multline|equation|eqnarray|split)\*? was complete)/,
    () => ({
      summary: 'A formula contains a blank line, or is not closed before it.',
      remedy: 'Remove the blank line, or close the formula before it.',
    }),
    isAtBlankLine,
  ],
  [
    'runaway-argument',
    /^Missing \\endcsname inserted/,
    () => ({
      summary: '\\qty has no unit, so TeX reads "&" as the unit.',
      remedy: 'Write the unit after the number: \\qty{5}{\\metre}. For a number without a unit, use \\num.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\qty\{[^{}]{0,100}\} ?&$/),
  ],
  [
    'runaway-argument',
    /^(?:Argument of|Paragraph ended before) \\algocf@/,
    () => ({
      summary: 'A command of algorithm2e has too few arguments.',
      remedy:
        '\\If, \\For and \\While have two: \\If{condition}{block}. \\eIf has three: \\eIf{condition}{block}{else}.',
    }),
  ],
  [
    'runaway-argument',
    /^Paragraph ended before \\(?:addcontentsline|@caption|caption@\S+) was complete/,
    () => ({
      summary: 'A \\caption contains a blank line, or its "}" is missing.',
      remedy:
        'Remove the blank line. For a caption with paragraphs, give the list of figures a short text: \\caption[Short]{Long}.',
    }),
  ],
  ['runaway-argument', /Paragraph ended before (\\\S+) was complete/, endedArgument],
  ['unmatched-environment', /\\begin\{(.+?)\}.* ended by \\end\{(.+?)\}/, unmatchedEnvironment],
  [
    'undefined-environment',
    /Misplaced alignment tab character &/,
    ({ context }) => ({
      summary: `The environment "${/"(\w+)"/.exec(context)?.[1] ?? ''}" is not defined: only its old command exists.`,
      remedy: 'Load its package: \\usepackage{amsmath}.',
    }),
    (diagnostic) => hasNote(diagnostic, OLD_MATRIX_NOTE),
  ],
]

function endedArgument({ match, context }: Finding): Explanation {
  const own = match[1]?.replace(/^\\\\/, '\\')
  const read = commandOfReader.get(own ?? '') ?? own
  const command = isInternal(read) ? undefined : read
  // TeX prints what it has read of the argument: nothing if the argument does not begin.
  if (/^Runaway argument\?\n<to be read again>/m.test(context))
    return {
      summary: `An argument${command === undefined ? '' : ` of ${command}`} is missing before the blank line.`,
      remedy:
        command === '\\SI' || command === '\\qty'
          ? `Write the unit after the number: ${command}{5}{\\metre}. For a number without a unit, use \\num.`
          : 'Add the argument, or remove the blank line before it.',
    }
  if (BRACKET_READERS.has(match[1] ?? '') && /^Runaway argument\?\n(?!\{)/m.test(context))
    return {
      summary: `The "["${command === undefined ? ' of a heading' : ` of ${command}`} has no "]" before the blank line.`,
      remedy: 'Add the "]" where the option ends.',
    }
  return {
    summary: `${command === undefined ? 'An argument' : `The argument of ${command}`} does not end before the blank line.`,
    remedy: 'Close its brace "}", or remove the blank line.',
  }
}

/** Internal commands that read an option of \section and \sqrt. */
const BRACKET_READERS: ReadonlySet<string> = new Set(['\\@sect', '\\@sqrt', '\\@readpoints'])

/** TeX ended a formula at a blank line: the line where it stopped is empty up to there. */
function isAtBlankLine(diagnostic: LatexError | LatexWarning): boolean {
  if (diagnostic.type !== 'error') return false
  if (diagnostic.message.startsWith('Paragraph ended')) return true
  return readUpperLine(diagnostic.context ?? '')?.trim() === ''
}

/** Internal commands that read the argument of a public command. */
const commandOfReader = new Map([
  ['\\@footnotetext', '\\footnote'],
  ['\\@argdef', '\\newcommand'],
  ['\\qopname', '\\operatorname'],
  ['\\@kernel@ref', '\\ref'],
  ['\\href@split', '\\href'],
  ['\\@sqrt', '\\sqrt'],
  ['\\@readpoints', '\\question'],
])

function unclosed({ match }: Finding): Explanation {
  // TeX shows the part of a command that reads its option with two backslashes.
  const name = match[1]?.replace(/^\\\\/, '\\')
  const command = commandOfReader.get(name ?? '') ?? name
  const isNamed = command !== undefined && !isInternal(command)
  return {
    summary: `A "{"${isNamed ? ` of ${command}` : ''} is never closed.`,
    remedy: 'Close it where the argument ends. TeX noticed it only at the end of the file.',
  }
}

function unmatchedEnvironment({ match, context }: Finding): Explanation {
  const [, begun = '', ended = ''] = match
  if (context.includes('written with two backslashes'))
    return doubledBackslash(begun === 'document' ? '\\begin' : '\\end')
  if (closest(ended, new Set([begun])) !== null)
    return {
      summary: `\\begin{${begun}} ends with \\end{${ended}}.`,
      remedy: `Write the same name in both: \\end{${begun}}.`,
    }
  // The document environment is always open: the other \begin is missing.
  if (begun === 'document')
    return {
      summary: `\\end{${ended}} has no \\begin{${ended}}.`,
      remedy: `Add \\begin{${ended}}, or remove \\end{${ended}}.`,
    }
  return {
    summary: `\\begin{${begun}} has no \\end{${begun}}.`,
    remedy: `Add \\end{${begun}} before \\end{${ended}}.`,
  }
}
