import type { BrokenDocument } from '../document.ts'

/** Undefined, misspelt and misused commands. */
export const macroDocuments: readonly BrokenDocument[] = [
  {
    title: 'undefined commands in text, a heading, a footnote over lines and a macro of the paper',
    files: {
      'main.tex': String.raw`\documentclass{article}
\newcommand\broken{\nosuchinner}
\begin{document}
Hello \undefinedone world.

\section{A \undefinedtwo heading}
Text\footnote{a note
over several lines with \undefinedthree{} inside
and an end} goes on.

\broken
\emph{words \undefinedfour words}
\end{document}
`,
    },
    errors: [
      ['main.tex', 4, 'Undefined control sequence: \\undefinedone'],
      ['main.tex', 6, 'Undefined control sequence: \\undefinedtwo'],
      ['main.tex', 8, 'Undefined control sequence: \\undefinedthree'],
      ['main.tex', 11, 'Undefined control sequence: \\nosuchinner'],
      ['main.tex', 12, 'Undefined control sequence: \\undefinedfour'],
    ],
  },
  {
    title: 'undefined commands inside displays that are read whole',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{amsmath}
\begin{document}
\begin{align}
  a &= b \\
  c &= \undefinedalpha \\
  d &= e
\end{align}
\begin{gather*}
  x \\
  \undefinedbeta + y
\end{gather*}
\begin{equation}
  z = \undefinedgamma
\end{equation}
\begin{multline}
  p + q \\
  + \undefineddelta
\end{multline}
\end{document}
`,
    },
    errors: [
      ['main.tex', 6, 'Undefined control sequence: \\undefinedalpha'],
      ['main.tex', 11, 'Undefined control sequence: \\undefinedbeta'],
      ['main.tex', 14, 'Undefined control sequence: \\undefinedgamma'],
      ['main.tex', 18, 'Undefined control sequence: \\undefineddelta'],
    ],
  },
  {
    title: 'an undefined command inside a beamer frame, a list and a block',
    files: {
      'main.tex': String.raw`\documentclass{beamer}
\begin{document}
\begin{frame}{Title}
  \begin{itemize}
    \item first
    \item second \undefinedinframe
  \end{itemize}
\end{frame}
\begin{frame}
  \begin{block}{Block}
    Some a_1 text
  \end{block}
\end{frame}
\end{document}
`,
    },
    errors: [
      ['main.tex', 6, 'Undefined control sequence: \\undefinedinframe'],
      ['main.tex', 11, 'Missing $ inserted.'],
    ],
  },
  {
    title: 'commands defined twice, redefined without a first definition, and with a bad name',
    files: {
      'main.tex': String.raw`\documentclass{article}
\newcommand{\mine}{1}
\newcommand{\mine}{2}
\renewcommand{\nothere}{3}
\newcommand{\section}{4}
\newenvironment{quote}{}{}
\newcommand{\nine}[10]{5}
\begin{document}
text
\end{document}
`,
    },
    errors: [
      [
        'main.tex',
        3,
        'LaTeX Error: Command \\mine already defined. Or name \\end... illegal, see p.192 of the manual.',
      ],
      ['main.tex', 4, 'LaTeX Error: Command \\nothere undefined.'],
      [
        'main.tex',
        5,
        'LaTeX Error: Command \\section already defined. Or name \\end... illegal, see p.192 of the manual.',
      ],
      [
        'main.tex',
        6,
        'LaTeX Error: Command \\quote already defined. Or name \\end... illegal, see p.192 of the manual.',
      ],
      ['main.tex', 7, 'You already have nine parameters.'],
    ],
  },
  {
    title: 'missing arguments, numbers and units',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\hspace{wide}

\setcounter{nosuchcounter}{1}

\vspace{3}

\rule{1cm}{}

\addtocounter{page}{x}

\the\inputlineno\ \romannumeral x
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'Missing number, treated as zero.'],
      ['main.tex', 3, 'Illegal unit of measure (pt inserted).'],
      ['main.tex', 5, "LaTeX Error: No counter 'nosuchcounter' defined."],
      ['main.tex', 7, 'Illegal unit of measure (pt inserted).'],
      ['main.tex', 9, 'Missing number, treated as zero.'],
      ['main.tex', 9, 'Illegal unit of measure (pt inserted).'],
      ['main.tex', 11, 'Missing number, treated as zero.'],
      ['main.tex', 13, 'Missing number, treated as zero.'],
    ],
  },
  {
    title: 'an item outside of a list, text before the first item, a caption outside of a float',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\item lonely

\begin{itemize}
text before
\item one
\end{itemize}

\caption{outside}

\\

text \verb|unfinished
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'LaTeX Error: Lonely \\item--perhaps a missing list environment.'],
      ['main.tex', 7, "LaTeX Error: Something's wrong--perhaps a missing \\item."],
      ['main.tex', 8, "LaTeX Error: Something's wrong--perhaps a missing \\item."],
      ['main.tex', 10, 'LaTeX Error: \\caption outside float.'],
      ['main.tex', 12, "LaTeX Error: There's no line here to end."],
      ['main.tex', 14, 'LaTeX Error: \\verb ended by end of line.'],
    ],
  },
  {
    title: 'arguments of tabular, a bad column, and too many columns',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{tabular}{lq}
a & b \\
\end{tabular}

\begin{tabular}{ll}
a & b \\
c & d & e \\
\end{tabular}

\begin{tabular}{ll}
a & b \\ \hline
x \hline
\end{tabular}
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'LaTeX Error: Illegal character in array arg.'],
      ['main.tex', 9, 'Extra alignment tab has been changed to \\cr.'],
      ['main.tex', 14, 'Misplaced \\noalign.'],
      ['main.tex', 14, "You can't use `\\hrule' here except with leaders."],
      ['main.tex', 14, 'Missing number, treated as zero.'],
      ['main.tex', 14, 'Illegal unit of measure (pt inserted).'],
    ],
  },
]
