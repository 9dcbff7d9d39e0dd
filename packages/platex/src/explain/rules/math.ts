/** Items of lists, scripts, delimiters, braces and units. */
import { findCommandOutside } from '../algorithm-commands.ts'
import { beginsListInOneLine } from '../lists-in-one-line.ts'
import { ABSENT_ARGUMENT_NOTE, DOLLAR_NOTE } from '../mistake-notes.ts'
import { readUpperLine } from '../read-upper-line.ts'
import type { Explanation, Finding, Rule } from '../types.ts'
import { endsUpperLine, hasNote } from './shared.ts'

export const MATH_RULES: readonly Rule[] = [
  [
    'missing-item',
    /Something's wrong--perhaps a missing \\item/,
    ({ context }) => {
      if (/^l\.\d+ \\bibitem/m.test(context))
        return {
          summary: 'The environment thebibliography has no argument with its widest label.',
          remedy: 'Write \\begin{thebibliography}{99}.',
        }
      if (beginsListInOneLine(context))
        return {
          summary: 'A list, center or verbatim environment cannot begin here: only one line of text is allowed.',
          remedy: 'In a table, use a column of type p{…}; elsewhere, put it into a minipage.',
        }
      return {
        summary: 'This list has text before its first \\item.',
        remedy: 'Start the list with \\item. Options in brackets require \\usepackage{enumitem}.',
      }
    },
  ],
  [
    'wrong-mode',
    /^/,
    ({ message, context }) => ({
      summary: `${findCommandOutside(message, context) ?? ''} works only in the environment algorithmic.`,
      remedy: 'Put the algorithm between \\begin{algorithmic} and \\end{algorithmic}.',
    }),
    (diagnostic) =>
      diagnostic.type === 'error' && findCommandOutside(diagnostic.message, diagnostic.context ?? '') !== null,
  ],
  [
    'lonely-item',
    /Lonely \\item/,
    () => ({ summary: '\\item is outside of a list.', remedy: 'Put it in an itemize or enumerate environment.' }),
  ],
  [
    'double-script',
    /Double (superscript|subscript)/,
    ({ match }) => ({
      summary: `A symbol has two ${match[1] ?? ''}s.`,
      remedy: 'Group them with braces: a^{b^c}, a_{b_c}.',
    }),
  ],
  [
    'unpaired-delimiter',
    /Missing delimiter/,
    () => ({
      summary: 'A brace after \\left or \\right has no backslash.',
      remedy: 'Write \\left\\{ … \\right\\}.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\(?:left|right) ?[{}]$/),
  ],
  [
    'unpaired-delimiter',
    /Missing (?:\\right|delimiter)|Extra \\right|Extra \}, or forgotten \\right/,
    () => ({
      summary: '\\left and \\right do not match in this formula.',
      remedy:
        'Every \\left needs a \\right on the same line of the formula and in the same cell. Use \\right. for an invisible one.',
    }),
  ],
  [
    'runaway-argument',
    /Missing \} inserted/,
    () => ({
      summary: '\\multicolumn has no text, so TeX reads "&" as its text.',
      remedy: 'Write its third argument: \\multicolumn{2}{c}{Text}.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\multicolumn\{[^{}]{0,20}\}\{[^{}]{0,50}\} ?&$/),
  ],
  [
    'caption-outside-float',
    /^Missing \\endgroup inserted/,
    () => ({
      summary: '\\caption is inside the rows of a table.',
      remedy: 'Move it before \\begin{tabular} or after \\end{tabular}, inside a table environment.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /^\s*\\caption\{.{0,500}\}$/),
  ],
  [
    'runaway-argument',
    /^(?:Missing (?:\\endcsname|number)|Extra \}|Illegal unit|Argument of \\end )/,
    absentArgument,
    (diagnostic) => hasNote(diagnostic, ABSENT_ARGUMENT_NOTE),
  ],
  [
    'extra-closing-brace',
    /^Argument of \\@caption has an extra \}/,
    () => ({
      summary: '\\footnote does not work in \\caption.',
      remedy:
        'Write \\footnotemark in it, as \\caption[Short]{Long\\footnotemark}, and \\footnotetext{…} after the float.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\footnote\{.{0,500}$/),
  ],
  [
    'extra-closing-brace',
    /^Argument of \\(?:@(?:x?sect|ssect|chapter|schapter|part|spart)|ttl@\S*) has an extra \}/,
    () => ({
      summary: '\\footnote does not work in a heading.',
      remedy: 'Write the heading without it in brackets before: \\section[Title]{Title\\footnote{…}}.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\footnote\{.{0,500}$/),
  ],
  [
    'extra-closing-brace',
    /^Argument of \\@caption has an extra \}/,
    () => ({
      summary: 'A list or another environment does not work in \\caption.',
      remedy: 'Write it as text of the figure or table, below \\caption.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\begin\{.{0,500}$/),
  ],
  [
    'extra-closing-brace',
    /^Argument of \\enit@refstar\S* has an extra \}/,
    () => ({
      summary: 'A label of this list uses a counter without its star.',
      remedy: 'Write \\arabic*, \\alph*, \\Alph*, \\roman* or \\Roman* in label=….',
    }),
  ],
  [
    'definition-mismatch',
    /^Argument of \\@item has an extra \}/,
    () => ({
      summary: 'The "[" of an \\item before this position has no "]".',
      remedy: 'Add the "]" after the label. Put a label that contains "]" in braces: \\item[{[1]}].',
    }),
  ],
  [
    'extra-closing-brace',
    /Extra \}, or forgotten|has an extra \}/,
    () => ({
      summary: 'A "}" has no matching "{", or a "$" before it is missing.',
      remedy: 'Remove the "}", add its "{", or close the formula before it with a second "$".',
    }),
  ],
  [
    'unmatched-closing-brace',
    /Too many \}'s/,
    () => ({ summary: 'This "}" has no matching "{".', remedy: 'Remove it, or add the missing "{".' }),
  ],
  [
    'display-math-end',
    /Missing \} inserted|Display math should end with \$\$/,
    () => ({
      summary: 'A "$" is inside a displayed formula.',
      remedy: 'Remove it: the whole environment is a formula. For words in it, use \\text{…}.',
    }),
    (diagnostic) => hasNote(diagnostic, DOLLAR_NOTE),
  ],
  [
    'missing-closing-brace',
    /Missing \} inserted/,
    () => ({ summary: 'A "}" or an argument is missing before this position.', remedy: null }),
  ],
  [
    'display-math-end',
    /Display math should end with \$\$/,
    () => ({ summary: 'A displayed formula ends with a single "$".', remedy: 'Write \\[ … \\].' }),
  ],
  [
    'math-delimiter',
    /Bad math environment delimiter|Erroneous nesting of equation structures/,
    ({ match, context }) => {
      const edge = match[0].startsWith('Bad') ? 'begin' : 'end'
      const name = new RegExp(`^l\\.\\d+ .*\\\\${edge}\\{(\\w+\\*?)\\}`, 'm').exec(context)?.[1]
      if (name === undefined)
        return {
          summary: 'Math starts inside math, or ends outside of it.',
          remedy: 'Look for a \\(, \\[ or $ that is not closed.',
        }
      return {
        summary: `"${name}" is inside another formula.`,
        remedy: 'Remove the outer formula, or use aligned or gathered inside it.',
      }
    },
  ],
  [
    'runaway-argument',
    /^Missing number/,
    () => ({
      summary: '\\multirow has too few arguments, so TeX reads the text of the cell as its width.',
      remedy: 'Write the rows, the width and the text: \\multirow{2}{*}{Text}.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\multirow\{[^{}]{0,20}\}\{[^{}]{0,200}\} ?&$/),
  ],
  [
    'missing-unit',
    /Illegal unit of measure/,
    () => ({ summary: 'A length has no unit.', remedy: 'Write a unit after the number: 2cm, 12pt, 1em.' }),
  ],
  [
    'missing-number',
    /Missing number, treated as zero/,
    ({ context }) => {
      const name = BARE_COLUMNS.exec(readUpperLine(context) ?? '')?.[1] ?? 'tabularx'
      return {
        summary: `\\begin{${name}} has no width before its columns.`,
        remedy: `Write it first: \\begin{${name}}{\\textwidth}{…}.`,
      }
    },
    (diagnostic) => endsUpperLine(diagnostic, BARE_COLUMNS),
  ],
  [
    'missing-number',
    /Missing number, treated as zero/,
    ({ context }) =>
      DASH_BEFORE_NUMBER.test(context)
        ? {
            summary: `"${DASH_BEFORE_NUMBER.exec(context)?.[1] ?? ''}" is not a minus sign in TeX numbers.`,
            remedy: 'Use an ASCII hyphen: -5mm.',
          }
        : /^l\.\d+ .*\\begin\{(?:enumerate|itemize|description)\}\[[^\]]*$/m.test(context)
          ? {
              summary: 'The options of this list require a package.',
              remedy: 'Load it: \\usepackage{enumitem}.',
            }
          : { summary: 'A number or a length is missing here.', remedy: 'Write one: 2cm, 12pt, 1em.' },
  ],
  [
    'dimension-too-large',
    /Dimension too large/,
    () => ({
      summary: 'A length is larger than TeX supports, about 5.7 m (16383 pt).',
      remedy: 'Check the number and its unit. In a plot, scale the data or limit its range.',
    }),
  ],
]

/** Signs that word processors and web pages have before a number. */
const DASH_BEFORE_NUMBER = /^l\.\d+ .*([−–—])\s*[\d.]/m

/** The missing argument, and an example. */
const ABSENT_ARGUMENTS: Readonly<Record<string, readonly [noun: string, example: string]>> = {
  multicols: ['number of columns', '\\begin{multicols}{2}'],
  'multicols*': ['number of columns', '\\begin{multicols*}{2}'],
  column: ['width', '\\begin{column}{0.5\\textwidth}'],
  minipage: ['width', '\\begin{minipage}{0.45\\textwidth}'],
  subfigure: ['width', '\\begin{subfigure}{0.45\\textwidth}'],
  subtable: ['width', '\\begin{subtable}{0.45\\textwidth}'],
  wrapfigure: ['position and width', '\\begin{wrapfigure}{r}{0.4\\textwidth}'],
  wraptable: ['position and width', '\\begin{wraptable}{r}{0.4\\textwidth}'],
}

function absentArgument({ context }: Finding): Explanation {
  const name = /"(.+?)"/.exec(context)?.[1] ?? ''
  const [noun, example] = ABSENT_ARGUMENTS[name] ?? []
  if (noun !== undefined) return { summary: `\\begin{${name}} has no ${noun}.`, remedy: `Write: ${example ?? ''}.` }
  if (name.startsWith('\\'))
    return {
      summary: `An argument of ${name} is missing, so TeX reads the \\end after it as the argument.`,
      remedy: `Write all its arguments in braces, or remove ${name}.`,
    }
  return {
    summary: '\\resizebox has only one length before the box.',
    remedy: 'Write width and height, with "!" for the one to calculate: \\resizebox{\\textwidth}{!}{…}.',
  }
}

/** Columns in place of the width. */
const BARE_COLUMNS = /\\begin\{(tabularx|tabulary|tabular\*)\}\{[lcrXLCRJ|]{1,60}\}?$/
