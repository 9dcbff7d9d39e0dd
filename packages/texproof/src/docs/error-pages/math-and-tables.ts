import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Formulas, tables, lengths and symbols. */
export const mathAndTablePages: readonly ErrorPage[] = [
  {
    code: 'ampersand-in-text',
    title: 'An ampersand in text',
    means: '& separates the cells of a table and the columns of an aligned formula. It is not allowed in text.',
    fix: 'To print the character, write \\&.',
    example: {
      source: article('Measured by Smith & Daughters.'),
      says: 'Misplaced alignment tab character &.',
      fixed: article(r`Measured by Smith \& Daughters.`),
    },
  },
  {
    code: 'extra-cell',
    title: 'A row has more cells than the table has columns',
    means: 'The column specification after \\begin{tabular} defines the number of columns. This row has more cells.',
    fix: 'Add a column to the specification, or end the row earlier with \\\\. A missing \\\\ in the row above has the same effect.',
    example: {
      source: article('\\begin{tabular}{ll}\n  Port & High & Low \\\\\n\\end{tabular}'),
      says: r`Extra alignment tab has been changed to \cr.`,
      fixed: article('\\begin{tabular}{lll}\n  Port & High & Low \\\\\n\\end{tabular}'),
    },
  },
  {
    code: 'outside-math',
    title: 'A math symbol in text',
    means:
      'Subscripts, superscripts and most Greek letters are allowed only in formulas. TeX assumes that a $ is missing, and continues.',
    fix: 'Write the formula between $ and $. To print the character, write \\_ or \\textasciicircum{}. Write file names in \\texttt with \\_, or in \\path from the package url.',
    example: {
      source: article('The range a_0 at the mouth is known.'),
      says: 'Missing $ inserted.',
      fixed: article('The range $a_0$ at the mouth is known.'),
    },
  },
  {
    code: 'unicode-character',
    title: 'pdfLaTeX does not support a character',
    means:
      'pdfLaTeX supports the characters of most European languages and few others. This character was probably copied from another program.',
    fix: 'Use a command, such as $\\alpha$ for α. Or compile with LuaLaTeX, which supports every character of its font: % !TEX program = lualatex in the first line.',
    example: {
      source: article('The angle α is small.'),
      says: 'LaTeX Error: Unicode character α (U+03B1) not set up for use with LaTeX.',
      fixed: article(r`The angle $\alpha$ is small.`),
    },
  },
  {
    code: 'missing-character',
    title: 'The font does not have a character',
    means:
      'XeLaTeX and LuaLaTeX accept every character, but no font has them all. Missing characters are omitted from the PDF.',
    fix: 'In a formula, use a command, such as $\\alpha$ for α. For text in another script, load the package fontspec and choose a font that supports it: \\setmainfont for the whole document, \\newfontfamily for a part of it.',
    example: {
      source: article('The angle α is small.'),
      says: 'Missing character: There is no α (U+03B1) in font',
      fixed: article(r`The angle $\alpha$ is small.`),
      engine: 'lualatex',
    },
  },
  {
    code: 'double-script',
    title: 'Two superscripts or two subscripts',
    means: "a^b^c is ambiguous. A prime is a superscript too, so f'^2 has two.",
    fix: "Add braces: a^{b^c} or {a^b}^c. With a prime, write {f'}^2.",
    example: {
      source: article('$a^b^c$'),
      says: 'Double superscript.',
      fixed: article('$a^{b^c}$'),
    },
  },
  {
    code: 'unpaired-delimiter',
    title: r`\left and \right do not match`,
    means: 'Every \\left requires a \\right in the same formula and on the same line.',
    fix: 'Add the missing one. For an invisible delimiter, use a full stop: \\right. In a formula with several lines, end each line with \\right. and start the next with \\left.',
    example: {
      source: article(r`\[ \left( \frac{a}{b} \]`),
      says: r`Missing \right. inserted.`,
      fixed: article(r`\[ \left( \frac{a}{b} \right) \]`),
    },
  },
  {
    code: 'display-math-end',
    title: 'A displayed formula ends with one dollar sign',
    means: 'A formula that starts with $$ must also end with $$.',
    fix: 'Use \\[ and \\] instead.',
    example: {
      source: article('$$ a = b $'),
      says: 'Display math should end with $$.',
      fixed: article(r`\[ a = b \]`),
    },
  },
  {
    code: 'math-delimiter',
    title: 'Nested or unmatched math delimiters',
    means: '\\( and \\[ start a formula, \\) and \\] end one. One of them is in the wrong place.',
    fix: 'Remove the inner delimiters, or end the formula first. A blank line in a formula also ends it.',
    example: {
      source: article(r`The depth \( h \( is known \).`),
      says: 'LaTeX Error: Bad math environment delimiter.',
      fixed: article(r`The depth \( h \) is known.`),
    },
  },
  {
    code: 'missing-unit',
    title: 'A length has no unit',
    means: 'A length consists of a number and a unit, such as points or centimeters.',
    fix: 'Add the unit: 3cm, 12pt, 1em, 0.5\\textwidth.',
    example: {
      source: article(r`High water.\vspace{3}`),
      says: 'Illegal unit of measure (pt inserted).',
      fixed: article(r`High water.\vspace{3pt}`),
    },
  },
  {
    code: 'missing-number',
    title: 'A number or a length is missing',
    means: 'A command expects a number or a length, but got a word or nothing.',
    fix: 'Check the argument. A length needs a number and a unit. The name of a length needs its backslash, as in \\textwidth.',
    example: {
      source: article(r`\hspace{textwidth}`),
      says: 'Missing number, treated as zero.',
      fixed: article(r`\hspace{0.5\textwidth}`),
    },
  },
  {
    code: 'blank-line-in-math',
    title: 'A formula contains a blank line',
    means:
      'A blank line ends a paragraph, and no formula extends over two paragraphs. TeX closes the formula there and reads the rest of it as text.',
    fix: 'Remove the blank line, or put a % at its beginning. If there is none inside the formula, close the formula before the paragraph ends.',
    example: {
      source: article('The depth \\(h = 3\n\nis small.'),
      says: 'Missing $ inserted.',
      context: 'l.4',
      fixed: article('The depth \\(h = 3\\)\n\nis small.'),
    },
  },
  {
    code: 'misplaced-rule',
    title: 'A rule or \\multicolumn is inside a row',
    means: '\\hline, the rules of booktabs and \\multicolumn are allowed only at the beginning of a row or a cell.',
    fix: 'End the row before it with \\\\. Put \\multicolumn first in its cell.',
    example: {
      source: article('\\begin{tabular}{ll}\n  Port & High\n  \\hline\n\\end{tabular}'),
      says: r`Misplaced \noalign.`,
      fixed: article('\\begin{tabular}{ll}\n  Port & High \\\\\n  \\hline\n\\end{tabular}'),
    },
  },
  {
    code: 'unknown-column-type',
    title: 'A table has an unknown column type',
    means:
      'The letters after \\begin{tabular} set the alignment of each column. LaTeX has l, c, r and p{width}; packages define others.',
    fix: 'Use one of these, or load the package that defines the letter: array for m and b, tabularx for X, siunitx for S.',
    example: {
      source: article('\\begin{tabular}{lz}\n  Port & High \\\\\n\\end{tabular}'),
      says: 'LaTeX Error: Illegal character in array arg.',
      fixed: article('\\begin{tabular}{lr}\n  Port & High \\\\\n\\end{tabular}'),
    },
  },
  {
    code: 'hash-in-text',
    title: 'A hash sign is used in text',
    means: '# stands for an argument in the definition of a command. In text it has no meaning.',
    fix: 'To print the character, write \\#. In links, \\url and \\href accept it unescaped.',
    example: {
      source: article('See issue #5.'),
      says: "You can't use `macro parameter character #' in horizontal mode.",
      fixed: article(r`See issue \#5.`),
    },
  },
  {
    code: 'invalid-number',
    title: 'siunitx cannot read a number',
    means:
      'The package siunitx parses numbers to format them. It accepts digits, one decimal marker, a sign, an exponent and an uncertainty.',
    fix: 'Correct the number. If it is not a plain number, write it as text or as a formula instead.',
    example: {
      source: article(r`The depth is \num{1..2} m.`, r`\usepackage{siunitx}`),
      says: "Package siunitx Error: Invalid number '1..2'.",
      fixed: article(r`The depth is \num{1.2} m.`, r`\usepackage{siunitx}`),
    },
  },
  {
    code: 'ambiguous-fraction',
    title: 'A formula has two \\over',
    means: '\\over divides everything before it by everything after it, so a second one is ambiguous.',
    fix: 'Use \\frac{…}{…}.',
    example: {
      source: article(r`It is $a \over b \over c$.`),
      says: 'Ambiguous; you need another { and }.',
      fixed: article(r`It is $\frac{a}{\frac{b}{c}}$.`),
    },
  },
  {
    code: 'two-labels',
    title: 'A line of a formula has two labels',
    means: 'Each numbered line of a formula can have only one \\label and one \\tag.',
    fix: 'Remove one of the two. In align, each line ends with \\\\ and has its own \\label before it.',
    example: {
      source: article(
        '\\begin{equation}\n  h = 2 \\label{eq:depth} \\label{eq:height}\n\\end{equation}',
        r`\usepackage{amsmath}`,
      ),
      says: r`Package amsmath Error: Multiple \label's: label 'eq:depth' will be lost.`,
      fixed: article('\\begin{equation}\n  h = 2 \\label{eq:depth}\n\\end{equation}', r`\usepackage{amsmath}`),
    },
  },
  {
    code: 'misplaced-limits',
    title: 'Limits follow something that is not an operator',
    means: '\\limits and \\nolimits position the limits of an operator such as \\sum or \\int.',
    fix: 'Put the command directly after the operator. To define an operator with limits, use \\DeclareMathOperator* from amsmath.',
    example: {
      source: article(r`It is $x\limits_a^b$.`),
      says: 'Limit controls must follow a math operator.',
      fixed: article(r`It is $\sum\limits_a^b x$.`),
    },
  },
  {
    code: 'number-too-large',
    title: 'A number is too large',
    means: 'TeX calculates with integers up to 2147483647 and lengths up to about 5.7 m, and cannot divide by zero.',
    fix: 'Check the numbers in the calculation.',
    example: {
      source: article(r`\setcounter{page}{99999999999}Text.`),
      says: 'Number too big.',
      fixed: article(r`\setcounter{page}{99}Text.`),
    },
  },
  {
    code: 'undefined-tab-stop',
    title: 'A tab stop is not defined',
    means: 'In a tabbing environment, \\> moves to the next tab stop, but there is none.',
    fix: 'Set tab stops with \\= in a line before this one.',
    example: {
      source: article('\\begin{tabbing}\nHigh \\= Low \\\\\n1 \\> 2 \\> 3\n\\end{tabbing}'),
      says: 'LaTeX Error: Undefined tab position.',
      fixed: article('\\begin{tabbing}\nHigh \\= Low \\= Mean \\\\\n1 \\> 2 \\> 3\n\\end{tabbing}'),
    },
  },
]
