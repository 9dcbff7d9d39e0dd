import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Formulas, tables, lengths and signs. */
export const mathAndTablePages: readonly ErrorPage[] = [
  {
    code: 'ampersand-in-text',
    title: 'An ampersand stands in text',
    means: '& separates the cells of a table and the sides of an aligned formula. In text it has no meaning.',
    mend: 'Write \\& for the sign itself.',
    example: {
      source: article('Measured by Smith & Daughters.'),
      says: 'Misplaced alignment tab character &.',
      mended: article(r`Measured by Smith \& Daughters.`),
    },
  },
  {
    code: 'extra-cell',
    title: 'A row has more cells than the table has columns',
    means: 'The letters after \\begin{tabular} say how many columns there are. This row has more.',
    mend: 'Add a letter for the column that is missing, or end the row with \\\\ before. A forgotten \\\\ in the row above looks the same.',
    example: {
      source: article('\\begin{tabular}{ll}\n  Port & High & Low \\\\\n\\end{tabular}'),
      says: r`Extra alignment tab has been changed to \cr.`,
      mended: article('\\begin{tabular}{lll}\n  Port & High & Low \\\\\n\\end{tabular}'),
    },
  },
  {
    code: 'outside-math',
    title: 'A sign of math stands in text',
    means:
      'Indices, powers and most Greek letters exist in formulas only. TeX guesses that a $ is missing and goes on as if it were there.',
    mend: 'Put the formula between $ and $. For the sign itself write \\_ or \\textasciicircum{}. File names are safe in \\texttt with \\_, or in \\path of the package url.',
    example: {
      source: article('The range a_0 at the mouth is known.'),
      says: 'Missing $ inserted.',
      mended: article('The range $a_0$ at the mouth is known.'),
    },
  },
  {
    code: 'unicode-character',
    title: 'pdfLaTeX does not know a character',
    means:
      'pdfLaTeX knows the letters of most European languages, and few others. A character pasted from elsewhere may be one that it cannot set.',
    mend: 'Write the command for it, as $\\alpha$ for α. Or typeset with LuaLaTeX, which knows every character that its font has: % !TEX program = lualatex in the first line.',
    example: {
      source: article('The angle α is small.'),
      says: 'LaTeX Error: Unicode character α (U+03B1) not set up for use with LaTeX.',
      mended: article(r`The angle $\alpha$ is small.`),
    },
  },
  {
    code: 'missing-character',
    title: 'The font does not have a character',
    means:
      'XeLaTeX and LuaLaTeX take every character, and no font has them all. What the font lacks is left out, and nothing in the PDF tells that it was there.',
    mend: 'In a formula write the command, as $\\alpha$ for α. For text in another script load the package fontspec and choose a font that has it: \\setmainfont for the whole document, \\newfontfamily for a stretch of it.',
    example: {
      source: article('The angle α is small.'),
      says: 'Missing character: There is no α (U+03B1) in font',
      mended: article(r`The angle $\alpha$ is small.`),
      engine: 'lualatex',
    },
  },
  {
    code: 'double-script',
    title: 'Two powers or two indices on one sign',
    means: "a^b^c could mean two things, so TeX wants to be told. A prime is a power too: f'^2 has two.",
    mend: "Group with braces: a^{b^c}, or {a^b}^c. With a prime write {f'}^2.",
    example: {
      source: article('$a^b^c$'),
      says: 'Double superscript.',
      mended: article('$a^{b^c}$'),
    },
  },
  {
    code: 'unpaired-delimiter',
    title: r`\left and \right do not pair up`,
    means: 'Every \\left needs a \\right in the same formula and on the same line of it.',
    mend: 'Write the partner. Where none is to be seen, a full stop stands for it: \\right. On several lines, end each with \\right. and begin the next with \\left.',
    example: {
      source: article(r`\[ \left( \frac{a}{b} \]`),
      says: r`Missing \right. inserted.`,
      mended: article(r`\[ \left( \frac{a}{b} \right) \]`),
    },
  },
  {
    code: 'display-math-end',
    title: 'A displayed formula ends with one dollar sign',
    means: '$$ begins a formula on a line of its own, and only $$ ends it.',
    mend: 'Write \\[ and \\] instead: they cannot be mistaken for each other.',
    example: {
      source: article('$$ a = b $'),
      says: 'Display math should end with $$.',
      mended: article(r`\[ a = b \]`),
    },
  },
  {
    code: 'math-delimiter',
    title: 'Math begins within math, or ends where there is none',
    means: '\\( and \\[ begin a formula, \\) and \\] end one. Here one of them came at the wrong moment.',
    mend: 'Take the inner signs out, or end the formula before. An empty line within a formula ends it too.',
    example: {
      source: article(r`The depth \( h \( is known \).`),
      says: 'LaTeX Error: Bad math environment delimiter.',
      mended: article(r`The depth \( h \) is known.`),
    },
  },
  {
    code: 'missing-unit',
    title: 'A length has no unit',
    means: 'TeX does not know what 3 is as a length: points, centimetres or the height of a letter.',
    mend: 'Write the unit: 3cm, 12pt, 1em, 0.5\\textwidth.',
    example: {
      source: article(r`High water.\vspace{3}`),
      says: 'Illegal unit of measure (pt inserted).',
      mended: article(r`High water.\vspace{3pt}`),
    },
  },
  {
    code: 'missing-number',
    title: 'A number or a length is missing',
    means: 'A command expects a number or a length and found a word, or nothing.',
    mend: 'Look at what stands in the argument. Lengths need a number and a unit; a name of a length needs its backslash, \\textwidth.',
    example: {
      source: article(r`\hspace{textwidth}`),
      says: 'Missing number, treated as zero.',
      mended: article(r`\hspace{0.5\textwidth}`),
    },
  },
  {
    code: 'blank-line-in-math',
    title: 'A formula contains a blank line',
    means:
      'A blank line ends a paragraph, and no formula extends over two paragraphs. TeX closes the formula there and reads the rest of it as text.',
    mend: 'Remove the blank line, or put a % at its beginning. If there is none inside the formula, close the formula before the paragraph ends.',
    example: {
      source: article('The depth \\(h = 3\n\nis small.'),
      says: 'Missing $ inserted.',
      mended: article('The depth \\(h = 3\\)\n\nis small.'),
    },
  },
  {
    code: 'misplaced-rule',
    title: 'A rule or \\multicolumn is inside a row',
    means: '\\hline, the rules of booktabs and \\multicolumn are allowed only at the beginning of a row or a cell.',
    mend: 'End the row before it with \\\\. Put \\multicolumn first in its cell.',
    example: {
      source: article('\\begin{tabular}{ll}\n  Port & High\n  \\hline\n\\end{tabular}'),
      says: r`Misplaced \noalign.`,
      mended: article('\\begin{tabular}{ll}\n  Port & High \\\\\n  \\hline\n\\end{tabular}'),
    },
  },
  {
    code: 'unknown-column-type',
    title: 'A table has an unknown column type',
    means:
      'The letters after \\begin{tabular} say how each column is set. LaTeX knows l, c, r and p{width}; packages define others.',
    mend: 'Use one of these, or load the package that defines the letter: array for m and b, tabularx for X, siunitx for S.',
    example: {
      source: article('\\begin{tabular}{lz}\n  Port & High \\\\\n\\end{tabular}'),
      says: 'LaTeX Error: Illegal character in array arg.',
      mended: article('\\begin{tabular}{lr}\n  Port & High \\\\\n\\end{tabular}'),
    },
  },
  {
    code: 'hash-in-text',
    title: 'A hash sign is used in text',
    means: '# stands for an argument in the definition of a command. In text it has no meaning.',
    mend: 'Write \\# for the sign itself. In a link, \\url and \\href take it as it is.',
    example: {
      source: article('See issue #5.'),
      says: "You can't use `macro parameter character #' in horizontal mode.",
      mended: article(r`See issue \#5.`),
    },
  },
  {
    code: 'invalid-number',
    title: 'siunitx cannot read a number',
    means:
      'The package siunitx reads numbers in order to format them. It accepts digits, one decimal marker, a sign, an exponent and an uncertainty.',
    mend: 'Correct the number. For anything else, write it in text or in a formula.',
    example: {
      source: article(r`The depth is \num{1..2} m.`, r`\usepackage{siunitx}`),
      says: "Package siunitx Error: Invalid number '1..2'.",
      mended: article(r`The depth is \num{1.2} m.`, r`\usepackage{siunitx}`),
    },
  },
]
