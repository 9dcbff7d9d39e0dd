import type { BrokenDocument } from '../document.ts'

/** The mistakes of an ordinary day: a brace forgotten, a bracket for a brace, an empty line where none may be. */
export const everydayDocuments: readonly BrokenDocument[] = [
  {
    title: 'an empty line in an aligned formula',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{amsmath}
\begin{document}
\begin{align}
a &= b \\

c &= d
\end{align}
more
\end{document}
`,
    },
    errors: [
      ['main.tex', 6, 'Paragraph ended before \\align was complete.'],
      ['main.tex', 6, 'Missing $ inserted.'],
      ['main.tex', 6, 'Missing \\endgroup inserted.'],
      ['main.tex', 6, 'Display math should end with $$.'],
      ['main.tex', 7, 'Misplaced alignment tab character &.'],
      ['main.tex', 8, 'Misplaced \\cr.'],
      ['main.tex', 8, 'Misplaced \\noalign.'],
      ['main.tex', 8, 'Extra }, or forgotten \\endgroup.'],
      ['main.tex', 8, 'Missing $ inserted.'],
      ['main.tex', 8, 'Display math should end with $$.'],
    ],
  },
  {
    title: 'a list that is not ended in a frame',
    files: {
      'main.tex': String.raw`\documentclass{beamer}
\begin{document}
\begin{frame}
\begin{itemize}
\item a
\end{frame}
\begin{frame}x\end{frame}
\end{document}
`,
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\beamer@collect@@body.']],
  },
  {
    title: 'verbatim text in a frame that is not fragile',
    files: {
      'main.tex': String.raw`\documentclass{beamer}
\begin{document}
\begin{frame}
\begin{verbatim}
x
\end{verbatim}
\end{frame}
\end{document}
`,
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\@xverbatim.']],
  },
  {
    title: 'a picture that is none',
    engines: ['pdflatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{graphicx}
\begin{document}
x

\includegraphics{img.png}

\includegraphics{doc.pdf}
\end{document}
`,
      'img.png': String.raw`not a png`,
      'doc.pdf': String.raw`not a pdf`,
    },
    errors: [['main.tex', 6, 'pdfTeX error: pdflatex (file ./img.png): libpng: internal error']],
  },
  {
    title: 'a picture that is none',
    engines: ['xelatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{graphicx}
\begin{document}
x

\includegraphics{img.png}

\includegraphics{doc.pdf}
\end{document}
`,
      'img.png': String.raw`not a png`,
      'doc.pdf': String.raw`not a pdf`,
    },
    errors: [
      ['main.tex', 6, "Unable to load picture or PDF file 'img.png'."],
      ['main.tex', 8, "Unable to load picture or PDF file 'doc.pdf'."],
    ],
  },
  {
    title: 'a picture that is none',
    engines: ['lualatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{graphicx}
\begin{document}
x

\includegraphics{img.png}

\includegraphics{doc.pdf}
\end{document}
`,
      'img.png': String.raw`not a png`,
      'doc.pdf': String.raw`not a pdf`,
    },
    errors: [['main.tex', 6, 'error: (file img.png) (readpng): internal error']],
  },
  {
    title: 'a file that inputs itself',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x
\input{part}
\end{document}
`,
      'part.tex': String.raw`y
\input{part}
`,
    },
    errors: [['part.tex', 2, 'TeX capacity exceeded, sorry [text input levels=15].']],
  },
  {
    title: 'a document without a class',
    files: {
      'main.tex': String.raw`\begin{document}
x
\end{document}
`,
    },
    errors: [
      [
        'main.tex',
        1,
        'LaTeX Error: The font size command \\normalsize is not defined: there is probably something wrong with the class file.',
      ],
      [
        'main.tex',
        3,
        'LaTeX Error: The font size command \\normalsize is not defined: there is probably something wrong with the class file.',
      ],
    ],
  },
  {
    title: 'a document that begins twice',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x
\begin{document}
y
\end{document}
`,
    },
    errors: [['main.tex', 4, 'LaTeX Error: Can be used only in preamble.']],
    warnings: [['other', 'main.tex', 4]],
  },
  {
    title: 'a root with a wrong bracket',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x
$\sqrt[3}{x}$

y
\end{document}
`,
    },
    errors: [
      ['main.tex', 4, 'Argument of \\@sqrt has an extra }.'],
      ['main.tex', 4, 'Paragraph ended before \\@sqrt was complete.'],
      ['main.tex', 4, 'Missing $ inserted.'],
      ['main.tex', 4, "Too many }'s."],
    ],
  },
  {
    title: 'a fraction that is not closed',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x
$\frac{1}{2$

y
\end{document}
`,
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\frac .']],
  },
  {
    title: 'a begin without its closing brace',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x
\begin{itemize
\item a
\end{itemize}
\end{document}
`,
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\begin .']],
  },
  {
    title: 'a class without its closing brace',
    files: {
      'main.tex': String.raw`\documentclass{article
\begin{document}
x
\end{document}
`,
    },
    errors: [['main.tex', 1, 'File ended while scanning use of \\@fileswith@ptions.']],
  },
  {
    title: 'a package without its closing brace',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{amsmath
\usepackage{xcolor}
\begin{document}
x
\end{document}
`,
    },
    errors: [['main.tex', 2, 'File ended while scanning use of \\@fileswith@ptions.']],
  },
  {
    title: 'an end of the document without its closing brace',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x
\end{document
`,
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\end .']],
  },
  {
    title: 'a heading that is not closed before other braces',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\section{A

Text {with} braces.

\section{B}
\end{document}
`,
    },
    errors: [['main.tex', 3, 'File ended while scanning use of \\@xdblarg.']],
  },
  {
    title: 'a label without its closing brace',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x \label{a

y \ref{b}
\end{document}
`,
    },
    errors: [['main.tex', 3, 'Paragraph ended before \\label was complete.']],
    warnings: [['undefined-reference', 'main.tex', 5]],
  },
  {
    title: 'a group that is not closed',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
{\bf text

more

\section{B}
\end{document}
`,
    },
    errors: [],
    warnings: [['other', 'main.tex', 3]],
  },
  {
    title: 'a key that a picture does not know',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{graphicx}
\begin{document}
\includegraphics[widht=3cm]{example-image}
\end{document}
`,
    },
    errors: [['main.tex', 4, 'Package keyval Error: widht undefined.']],
  },
  {
    title: 'a row of a table without its end',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{tabular}{ll}
a & b
c & d \\
\end{tabular}
\end{document}
`,
    },
    errors: [['main.tex', 5, 'Extra alignment tab has been changed to \\cr.']],
  },
  {
    title: 'a rule outside of a table',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x \hline y
\end{document}
`,
    },
    errors: [['main.tex', 3, 'Misplaced \\noalign.']],
  },
  {
    title: 'a path without its semicolon at the end of a picture',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{tikz}
\begin{document}
\begin{tikzpicture}
\draw (0,0) -- (1,1)
\end{tikzpicture}
\end{document}
`,
    },
    errors: [['main.tex', 5, 'Package tikz Error: Giving up on this path. Did you forget a semicolon?.']],
  },
  {
    title: 'a misspelt path and a bad coordinate',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{tikz}
\begin{document}
\begin{tikzpicture}
\drew (0,0) -- (1,1);
\draw (0,0) -- (1,a);
\end{tikzpicture}
\end{document}
`,
    },
    errors: [
      ['main.tex', 5, 'Undefined control sequence: \\drew'],
      ['main.tex', 6, "Package PGF Math Error: Unknown function `a' (in 'a')."],
    ],
    warnings: [
      ['font-warning', 'main.tex', null],
      ['font-warning', 'main.tex', null],
      ['font-warning', 'main.tex', null],
      ['font-warning', 'main.tex', null],
      ['font-warning', 'main.tex', null],
      ['font-warning', 'main.tex', null],
      ['font-warning', 'main.tex', null],
    ],
  },
  {
    title: 'a definition that is not closed',
    files: {
      'main.tex': String.raw`\documentclass{article}
\newcommand{\foo}[1]{\textbf{#1}
\begin{document}
\foo{x}
\end{document}
`,
    },
    errors: [['main.tex', 2, 'File ended while scanning use of \\@argdef.']],
  },
  {
    title: 'a definition with an argument too many',
    files: {
      'main.tex': String.raw`\documentclass{article}
\newcommand{\foo}{#1}
\begin{document}
\foo
\end{document}
`,
    },
    errors: [
      ['main.tex', 2, 'Illegal parameter number in definition of \\foo.'],
      ['main.tex', 4, "You can't use `macro parameter character #' in vertical mode."],
    ],
  },
  {
    title: 'options that a package does not know',
    engines: ['pdflatex'],
    files: {
      'main.tex': String.raw`\documentclass[foo,12pt]{article}
\usepackage[bar]{amsmath}
\usepackage[baz]{inputenc}
\begin{document}
x
\end{document}
`,
    },
    errors: [
      ['main.tex', 2, "LaTeX Error: Unknown option `bar' for package `amsmath'."],
      ['main.tex', 3, "LaTeX Error: File `baz.def' not found."],
    ],
  },
  {
    title: 'options that a package does not know',
    engines: ['xelatex', 'lualatex'],
    files: {
      'main.tex': String.raw`\documentclass[foo,12pt]{article}
\usepackage[bar]{amsmath}
\usepackage[baz]{inputenc}
\begin{document}
x
\end{document}
`,
    },
    errors: [
      ['main.tex', 2, "LaTeX Error: Unknown option `bar' for package `amsmath'."],
      ['main.tex', 3, 'Package inputenc Error: inputenc is not designed for xetex or luatex. only UTF-8 supported.'],
    ],
    warnings: [['other', 'main.tex', 1]],
  },
  {
    title: 'an empty line in a formula',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
text
\begin{equation}
a = b

c
\end{equation}
\end{document}
`,
    },
    errors: [
      ['main.tex', 6, 'Missing $ inserted.'],
      ['main.tex', 6, 'Display math should end with $$.'],
      ['main.tex', 8, "You can't use `\\eqno' in horizontal mode."],
      ['main.tex', 8, 'Missing $ inserted.'],
      ['main.tex', 8, 'Display math should end with $$.'],
    ],
  },
  {
    title: 'mathematics in text',
    engines: ['pdflatex', 'xelatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
text \alpha text

\frac{1}{2} text

\mathbf x
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'Missing $ inserted.'],
      ['main.tex', 5, 'Missing $ inserted.'],
      ['main.tex', 5, 'Extra }, or forgotten $.'],
      ['main.tex', 7, 'LaTeX Error: \\mathbf allowed only in math mode.'],
    ],
    warnings: [['other', 'main.tex', 5]],
  },
  {
    title: 'mathematics in text',
    engines: ['lualatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
text \alpha text

\frac{1}{2} text

\mathbf x
\end{document}
`,
    },
    errors: [
      ['main.tex', 5, 'Missing $ inserted.'],
      ['main.tex', 5, 'Extra }, or forgotten $.'],
      ['main.tex', 7, 'LaTeX Error: \\mathbf allowed only in math mode.'],
    ],
    warnings: [
      ['font-warning', 'main.tex', null],
      ['other', 'main.tex', 5],
    ],
  },
  {
    title: 'a footnote that is not closed',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
x\footnote{note

more
\end{document}
`,
    },
    errors: [['main.tex', 3, 'File ended while scanning use of \\@footnotetext.']],
  },
  {
    title: 'displays inside displays',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{amsmath}
\begin{document}
\begin{equation}
\begin{align}
a
\end{align}
\end{equation}

$\begin{align}x\end{align}$
\end{document}
`,
    },
    errors: [
      [
        'main.tex',
        7,
        "Package amsmath Error: Erroneous nesting of equation structures; trying to recover with `aligned'.",
      ],
      ['main.tex', 10, 'Package amsmath Error: \\begin{align} allowed only in paragraph mode.'],
    ],
  },
  {
    title: 'a caption that is not closed',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{figure}
\caption{A caption
\end{figure}

more
\end{document}
`,
    },
    errors: [['main.tex', 4, 'File ended while scanning use of \\@xdblarg.']],
  },
  {
    title: 'a missing file in a chapter',
    files: {
      'main.tex': String.raw`\documentclass{report}
\begin{document}
\include{chap}
\end{document}
`,
      'chap.tex': String.raw`\chapter{x}
\input{gone}
`,
    },
    errors: [['chap.tex', 2, "LaTeX Error: File `gone.tex' not found."]],
  },
  {
    title: 'ideographs in pdfLaTeX',
    engines: ['pdflatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage[utf8]{inputenc}
\begin{document}
汉字
\end{document}
`,
    },
    errors: [
      ['main.tex', 4, 'LaTeX Error: Unicode character 汉 (U+6C49) not set up for use with LaTeX.'],
      ['main.tex', 4, 'LaTeX Error: Unicode character 字 (U+5B57) not set up for use with LaTeX.'],
    ],
  },
  {
    title: 'a package for another engine',
    engines: ['pdflatex', 'xelatex'],
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{luacode}
\begin{document}
x
\end{document}
`,
    },
    errors: [['main.tex', 2, 'Package luacode Error: LuaTeX is required for this package. Aborting..']],
  },
  {
    title: 'a link without its text',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{hyperref}
\begin{document}
\href{http://x_y}

\url{a%b}
\end{document}
`,
    },
    errors: [['main.tex', 4, 'Paragraph ended before \\href@split was complete.']],
    warnings: [['other', 'main.tex', 4]],
  },
  {
    title: 'a conditional that is not ended',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\ifnum1=1 a
\end{document}
`,
    },
    errors: [],
    warnings: [['other', 'main.tex', 3]],
  },
  {
    title: 'too many columns in an old display',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{eqnarray}
a & = & b & c \\
\end{eqnarray}
\end{document}
`,
    },
    errors: [['main.tex', 4, 'LaTeX Error: Too many columns in eqnarray environment.']],
  },
  {
    title: 'arrays',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
$\begin{array}{cc} a & b & c \end{array}$

\begin{array}{c}x\end{array}
\end{document}
`,
    },
    errors: [
      ['main.tex', 3, 'Extra alignment tab has been changed to \\cr.'],
      ['main.tex', 5, 'Missing $ inserted.'],
    ],
  },
  {
    title: 'a matrix without its package',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
$\begin{pmatrix} a & b \end{pmatrix}$
\end{document}
`,
    },
    errors: [['main.tex', 3, 'Misplaced alignment tab character &.']],
  },
  {
    title: 'too many columns in a long table',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{longtable}
\begin{document}
\begin{longtable}{ll}
a & b & c \\
\end{longtable}
\end{document}
`,
    },
    errors: [['main.tex', 5, 'Extra alignment tab has been changed to \\cr.']],
  },
  {
    title: 'faults in a table that is read whole',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{tabularx}
\begin{document}
\begin{tabularx}{\textwidth}{lX}
a & b \\
c & \undefd \\
\end{tabularx}

\begin{tabularx}{lX}
a & b
\end{tabularx}
\end{document}
`,
    },
    errors: [
      ['main.tex', 6, 'Undefined control sequence: \\undefd'],
      ['main.tex', 9, 'Missing number, treated as zero.'],
      ['main.tex', 9, 'Illegal unit of measure (pt inserted).'],
      ['main.tex', 11, "Package array Error: Illegal pream-token (a): `c' used."],
      ['main.tex', 11, 'Extra alignment tab has been changed to \\cr.'],
    ],
    warnings: [['package-warning', 'main.tex', 11]],
  },
  {
    title: 'a listing that is not ended',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{listings}
\begin{document}
a
\begin{lstlisting}
x
\end{document}
`,
    },
    errors: [['main.tex', 5, 'Emergency stop: job aborted, no legal \\end found']],
  },
  {
    title: 'a comment that is not ended',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{comment}
\begin{document}
a
\begin{comment}
x
\end{document}
`,
    },
    errors: [['main.tex', 5, 'File ended while scanning use of \\next.']],
  },
  {
    title: 'a package of the paper that is not closed',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{foo}
\begin{document}
\bar
\end{document}
`,
      'foo.sty': String.raw`\ProvidesPackage{foo}
\newcommand{\bar}{x
`,
    },
    errors: [
      ['foo.sty', 2, 'File ended while scanning use of \\@argdef.'],
      ['main.tex', 4, 'Missing $ inserted.'],
      ['main.tex', 5, 'Missing { inserted.'],
      ['main.tex', 5, 'Missing $ inserted.'],
      ['main.tex', 5, 'Missing } inserted.'],
    ],
  },
]
