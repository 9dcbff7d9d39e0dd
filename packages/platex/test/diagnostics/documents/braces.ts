import type { BrokenDocument } from '../document.ts'

/** Braces, environments, formulas and conditionals that are opened and not closed, or closed and not opened. */
export const braceDocuments: readonly BrokenDocument[] = [
  {
    title: 'a brace that is never closed',
    files: {
      'main.tex':
        '\\documentclass{article}\n\\begin{document}\nHi \\textbf{bold never closed.\n\nMore.\n\\end{document}\n',
    },
    errors: [['main.tex', 3, 'File ended while scanning use of \\textbf .']],
  },
  {
    title: 'a heading that is never closed',
    files: {
      'main.tex':
        '\\documentclass{article}\n\\begin{document}\nText.\n\\section{Results of the\nText of the section.\n\nMore.\n\\end{document}\n',
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\@xdblarg.']],
  },
  {
    title: 'arguments that a paragraph ends',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{amsmath}
\newcommand*\short[1]{[#1]}
\begin{document}
Some \short{text that goes
on and on

and} ends.
\end{document}
`,
    },
    errors: [
      ['main.tex', 5, 'Paragraph ended before \\short was complete.'],
      ['main.tex', 8, "Too many }'s."],
    ],
  },
  {
    title: 'a closing brace too many',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
One } two.

$a + b}$
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, "Too many }'s."],
      ['main.tex', 5, 'Extra }, or forgotten $.'],
    ],
  },
  {
    title: 'an inner environment that is not ended',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{quote}
\begin{center}
text
\end{quote}
\end{document}
`,
    },
    errors: [
      ['main.tex', 4, 'LaTeX Error: \\begin{center} on input line 4 ended by \\end{quote}.'],
      ['main.tex', 3, 'LaTeX Error: \\begin{quote} on input line 3 ended by \\end{document}.'],
    ],
    warnings: [['other', 'main.tex', 3]],
  },
  {
    title: 'a list that is not ended',
    files: { 'main.tex': '\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item x\n\\end{document}\n' },
    errors: [['main.tex', 3, 'LaTeX Error: \\begin{itemize} on input line 3 ended by \\end{document}.']],
    warnings: [['other', 'main.tex', 3]],
  },
  {
    title: 'a misspelt end and an end without a begin',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{center}
text
\end{centre}

\end{nothing}
\begin{nosuchenvironment}
\end{nosuchenvironment}
\end{document}
`,
    },
    errors: [
      ['main.tex', 5, 'LaTeX Error: \\begin{center} on input line 3 ended by \\end{centre}.'],
      ['main.tex', 7, 'LaTeX Error: \\begin{document} ended by \\end{nothing}.'],
      ['main.tex', 7, 'Extra \\endgroup.'],
      ['main.tex', 8, 'LaTeX Error: Environment nosuchenvironment undefined.'],
      ['main.tex', 9, 'LaTeX Error: \\begin{document} ended by \\end{nosuchenvironment}.'],
    ],
  },
  {
    title: 'verbatim text that is not ended',
    files: {
      'main.tex':
        '\\documentclass{article}\n\\begin{document}\nText.\n\\begin{verbatim}\nlet x = 1\n\nlet y = 2\n\\end{document}\n',
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\@xverbatim.']],
  },
  {
    title: 'mathematics in text, formulas that are not closed, and scripts twice',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
The value a_1 in text.

Open $x + y in a
paragraph of two lines.

$x^a^b$ and $x_a_b$.

$$ a + b $ c

\( x \( y \)
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'Missing $ inserted.'],
      ['main.tex', 5, 'Missing $ inserted.'],
      ['main.tex', 8, 'Double superscript.'],
      ['main.tex', 8, 'Double subscript.'],
      ['main.tex', 10, 'Display math should end with $$.'],
      ['main.tex', 12, 'LaTeX Error: Bad math environment delimiter.'],
    ],
  },
  {
    title: 'a misplaced ampersand and a hash',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
Johnson & Johnson

Number #1 here.

\begin{equation}
a & b
\end{equation}
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'Misplaced alignment tab character &.'],
      ['main.tex', 5, "You can't use `macro parameter character #' in horizontal mode."],
      ['main.tex', 8, 'Misplaced alignment tab character &.'],
    ],
  },
  {
    title: 'a delimiter without its partner',
    engines: ['pdflatex', 'xelatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
$\left( a$

\[ b \right) \]

$\left. c \right$
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'Missing \\right. inserted.'],
      ['main.tex', 5, 'Extra \\right.'],
      ['main.tex', 7, 'Missing delimiter (. inserted).'],
    ],
  },
  {
    title: 'conditionals',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\fi

\else

\iffalse never
ended
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'Extra \\fi.'],
      ['main.tex', 5, 'Extra \\else.'],
      ['main.tex', 7, 'Incomplete \\iffalse; all text was ignored after line 7.'],
    ],
  },
  {
    title: 'a document without an end',
    files: { 'main.tex': '\\documentclass{article}\n\\begin{document}\ntext\n' },
    errors: [['main.tex', null, 'Emergency stop: job aborted, no legal \\end found']],
  },
  {
    title: 'text before the document',
    files: {
      'main.tex':
        '\\documentclass{article}\n\\usepackage{amsmath}\nStray text.\n\\begin{document}\nx\n\\end{document}\n',
    },
    errors: [['main.tex', 3, 'LaTeX Error: Missing \\begin{document}.']],
  },
]
