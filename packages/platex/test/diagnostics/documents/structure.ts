import type { BrokenDocument } from '../document.ts'

/** Whole papers with the faults that people make in them: floats, tables of contents, indexes, many small mistakes. */
export const structureDocuments: readonly BrokenDocument[] = [
  {
    title: 'a table with faults inside',
    engines: ['pdflatex', 'xelatex'],
    files: {
      'main.tex': String.raw`\documentclass[a4paper,11pt]{article}
\usepackage{booktabs,graphicx,array}
\begin{document}
\begin{table}[htbp]
  \centering
  \begin{tabular}{lrr}
    \toprule
    Name & One & Two \\
    \midrule
    alice & 1 & 2 & 3 \\
    bob & \undefinedincell & 4 \\
    50% & 1 & 2 \\
    \bottomrule
  \end{tabular}
  \caption{A caption}
\end{table}
Text.
\end{document}
`,
    },
    errors: [
      ['main.tex', 10, 'Extra alignment tab has been changed to \\cr.'],
      ['main.tex', 11, 'Undefined control sequence: \\undefinedincell'],
      ['main.tex', 13, 'Misplaced \\noalign.'],
      ['main.tex', 14, 'Missing } inserted.'],
      ['main.tex', 14, 'Missing \\endgroup inserted.'],
      ['main.tex', 14, 'Missing \\cr inserted.'],
      ['main.tex', 14, 'Misplaced \\cr.'],
    ],
  },
  {
    title: 'a fault that comes back from the table of contents',
    passes: 2,
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\tableofcontents

\section{Plain}
Text.

\section{With \protect\undefinedintoc{} inside}
Text.
\end{document}
`,
    },
    errors: [['main.tex', 8, 'Undefined control sequence: \\undefinedintoc']],
  },
  {
    title: 'a float that is too large and one that is lost',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{figure}
\rule{1cm}{30cm}
\end{figure}

\parbox{5cm}{\begin{figure}x\end{figure}}

Text.
\end{document}
`,
    },
    errors: [
      ['main.tex', 7, 'LaTeX Error: Not in outer par mode.'],
      ['main.tex', 7, 'Undefined control sequence: \\@currbox'],
      ['main.tex', 7, 'Missing number, treated as zero.'],
    ],
    warnings: [['other', 'main.tex', 5]],
  },
  {
    title: 'theorems, counters, lengths and boxes',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{amsthm}
\newtheorem{theorem}{Theorem}
\newtheorem{theorem}{Again}
\newcounter{page}
\newlength{\parindent}
\setlength{\nosuchlength}{1cm}
\begin{document}
\begin{lemma}
text
\end{lemma}
\usebox{\nosuchbox}
\begin{minipage}
text
\end{minipage}
\end{document}
`,
    },
    errors: [
      [
        'main.tex',
        4,
        'LaTeX Error: Command \\theorem already defined. Or name \\end... illegal, see p.192 of the manual.',
      ],
      ['main.tex', 4, 'LaTeX Error: Missing \\begin{document}.'],
      [
        'main.tex',
        5,
        'LaTeX Error: Command \\c@page already defined. Or name \\end... illegal, see p.192 of the manual.',
      ],
      [
        'main.tex',
        6,
        'LaTeX Error: Command \\parindent already defined. Or name \\end... illegal, see p.192 of the manual.',
      ],
      ['main.tex', 7, 'Undefined control sequence: \\nosuchlength'],
      ['main.tex', 9, 'LaTeX Error: Environment lemma undefined.'],
      ['main.tex', 11, 'LaTeX Error: \\begin{document} ended by \\end{lemma}.'],
      ['main.tex', 12, 'Undefined control sequence: \\nosuchbox'],
      ['main.tex', 12, 'Missing number, treated as zero.'],
      ['main.tex', 14, 'Missing number, treated as zero.'],
      ['main.tex', 14, 'Illegal unit of measure (pt inserted).'],
      ['main.tex', 15, 'Missing number, treated as zero.'],
      ['main.tex', 15, 'Illegal unit of measure (pt inserted).'],
    ],
  },
  {
    title: 'commands where they must not be',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\usepackage{amsmath}
\documentclass{report}
$\section{In a formula}$

\begin{tabbing}
a \= b \kill
a \> b \> c \> d \\
\end{tabbing}

\pagestyle{nosuchstyle}
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'LaTeX Error: Can be used only in preamble.'],
      ['main.tex', 4, 'LaTeX Error: Can be used only in preamble.'],
      ['main.tex', 5, 'Missing $ inserted.'],
      ['main.tex', 9, 'LaTeX Error: Undefined tab position.'],
      ['main.tex', 12, 'Undefined control sequence: \\undefinedpagestyle'],
    ],
  },
  {
    title: 'text in Koma-Script and in a language that is not there',
    files: {
      'main.tex': String.raw`\documentclass{scrartcl}
\usepackage[nosuchlanguage]{babel}
\begin{document}
\selectlanguage{english}
Text \foreignlanguage{klingon}{words}.
\end{document}
`,
    },
    errors: [
      [
        'main.tex',
        2,
        "Package babel Error: Unknown option 'nosuchlanguage'. Either you misspelled it or the language definition file nosuchlanguage.ldf was not found.",
      ],
      [
        'main.tex',
        5,
        "Package babel Error: You haven't defined the language 'klingon' yet. Perhaps you misspelled it or your installation is not complete.",
      ],
    ],
  },
  {
    title: 'natbib citations',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{natbib}
\begin{document}
See \citet{nobody} and
\citep[see][p.~3]{noone,
  another}.
\end{document}
`,
    },
    errors: [],
    warnings: [
      ['undefined-citation', 'main.tex', 4],
      ['undefined-citation', 'main.tex', 6],
      ['undefined-citation', 'main.tex', 6],
    ],
  },
  {
    title: 'biblatex citations',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{biblatex}
\addbibresource{refs.bib}
\begin{document}
See \autocite{nobody}.
\printbibliography
\end{document}
`,
      'refs.bib': '@book{some, title={T}}\n',
    },
    errors: [],
    warnings: [
      ['undefined-citation', 'main.tex', 5],
      ['other', 'main.tex', 6],
    ],
  },
  {
    title: 'listings, and a file that is not there to be listed',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{listings}
\begin{document}
\begin{lstlisting}[language=NoSuchLanguage]
x = 1 # ! not an error
\end{lstlisting}
\lstinputlisting{nosuch.py}
\end{document}
`,
    },
    errors: [
      ['main.tex', 4, "Package Listings Error: Couldn't load requested language."],
      ['main.tex', 4, 'Package Listings Error: language nosuchlanguage undefined.'],
      ['main.tex', 7, "Package Listings Error: File `nosuch(.py)' not found."],
    ],
  },
]
