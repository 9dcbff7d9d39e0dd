/** Cells, rules, columns and lines. */
import type { Rule } from '../types.ts'
import { doubledBackslash } from './shared.ts'

export const TABLE_RULES: readonly Rule[] = [
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
    /Illegal (?:character in array arg|pream-token)|Missing (p-arg) in array arg/,
    ({ match }) =>
      match[1] === undefined
        ? {
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
