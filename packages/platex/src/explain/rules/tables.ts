/** Cells, rules, columns and lines. */
import { AUTHORS_NOTE, FORMULA_CELL_NOTE, HIDDEN_ROW_NOTE } from '../mistake-notes.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { hasNote } from './shared.ts'
import type { Rule } from '../types.ts'
import { doubledBackslash } from './shared.ts'

export const TABLE_RULES: readonly Rule[] = [
  [
    'ampersand-in-text',
    /^/,
    ({ context }) => ({
      summary: `"&" separates columns, which ${/: "(.+?)"/.exec(context)?.[1] ?? 'equation'} does not have.`,
      remedy: 'Use align with the package amsmath, or put \\begin{aligned} and \\end{aligned} into the formula.',
    }),
    (diagnostic) => hasNote(diagnostic, FORMULA_CELL_NOTE),
  ],
  [
    'ampersand-in-text',
    /^/,
    () => ({
      summary: '"&" separates table cells, and \\maketitle prints the authors as a table.',
      remedy: 'Write \\and between two authors, or \\& for the character itself.',
    }),
    (diagnostic) => hasNote(diagnostic, AUTHORS_NOTE),
  ],
  [
    'ampersand-in-text',
    /Misplaced alignment tab character &/,
    () => ({
      summary: '"&" separates table cells.',
      remedy: 'Write \\& for the character itself.',
    }),
  ],
  [
    'extra-cell',
    /^/,
    () => ({
      summary: '"%" begins a comment, which hides the "\\\\" at the end of this row.',
      remedy: 'Write \\% for the character itself.',
    }),
    (diagnostic) => hasNote(diagnostic, HIDDEN_ROW_NOTE),
  ],
  [
    'extra-cell',
    /Extra alignment tab has been changed to \\cr|Too many columns in eqnarray environment/,
    () => ({
      summary: 'This row has more cells than the table has columns.',
      remedy: 'Add a column to the table, or end the row earlier with \\\\.',
    }),
  ],
  [
    'misplaced-rule',
    /Misplaced \\(?:noalign|omit)/,
    () => ({
      summary: 'A rule or \\multicolumn is not at the beginning of a row or cell.',
      remedy: 'End the row before it with \\\\.',
    }),
  ],
  [
    'unknown-column-type',
    /^Package array Error: Missing arg: token ignored/,
    () => ({
      summary: 'A column type of this table has no argument, for example p, m or b without a width.',
      remedy: 'Write the width in braces: p{3cm}.',
    }),
  ],
  [
    'unknown-column-type',
    /Illegal (?:character in array arg|pream-token)|Missing (p-arg) in array arg/,
    ({ match, context }) =>
      match[1] === undefined
        ? BARE_CELL.test(readUpperLine(context) ?? '')
          ? {
              summary: '\\multicolumn has only two arguments.',
              remedy: 'Write the number of columns, their type and the text: \\multicolumn{2}{c}{Text}.',
            }
          : {
              summary: 'The table has no column types, or one that is not defined.',
              remedy: 'Write them after \\begin{tabular}: l, c, r or p{3cm}. Other types require a package.',
            }
        : { summary: 'A column of type p has no width.', remedy: 'Write it in braces: p{3cm}.' },
  ],
  [
    'hash-in-text',
    /You can't use `macro parameter character #'/,
    () => ({ summary: '"#" works only in definitions.', remedy: 'Write \\# for the character itself.' }),
  ],
  [
    'no-line-to-end',
    /There's no line here to end/,
    ({ context }) => {
      const name = /^l\.\d+ .*\\\\[be]\s*\n\s*(egin|nd)\{/m.exec(context)?.[1]
      if (name !== undefined) return doubledBackslash(name === 'egin' ? '\\begin' : '\\end')
      return {
        summary: '\\\\ or \\newline is used where no line has begun.',
        remedy: 'Remove it. For space between paragraphs, use \\vspace or \\bigskip.',
      }
    },
  ],
]

/** The number of columns and the text, without the type between them. */
const BARE_CELL = /\\multicolumn\{\d{1,2}\}\{[^{}]{1,200}\}\s*(?:&|\\\\|\\)?$/
