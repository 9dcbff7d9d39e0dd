import type { BrokenDocument } from '../document.ts'

/** Errors and warnings of packages, of LaTeX3, of fonts and of the engines themselves. */
export const packageDocuments: readonly BrokenDocument[] = [
  {
    title: 'options that a package does not know, and that clash',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage[nosuchoption]{geometry}
\usepackage{xcolor}
\usepackage[table]{xcolor}
\begin{document}
\textcolor{nosuchcolour}{text}
\end{document}
`,
    },
    errors: [
      ['main.tex', 2, 'Package keyval Error: nosuchoption undefined.'],
      ['main.tex', 4, 'LaTeX Error: Option clash for package xcolor.'],
      ['main.tex', 6, "Package xcolor Error: Undefined color `nosuchcolour'."],
    ],
  },
  {
    title: 'messages of LaTeX3',
    files: {
      'main.tex': String.raw`\documentclass{article}
\ExplSyntaxOn
\msg_new:nnnn { demo } { bad } { Something~was~bad:~#1. \\ A~second~line. } { Help~text. }
\cs_new:Npn \demo #1 { \msg_error:nnn { demo } { bad } {#1} }
\cs_new:Npn \demow #1 { \msg_warning:nnn { demo } { bad } {#1} }
\ExplSyntaxOff
\begin{document}
\demo{first}

\demow{second}
\end{document}
`,
    },
    errors: [['main.tex', 8, 'Package demo Error: Something was bad: first. A second line.']],
    warnings: [['package-warning', 'main.tex', null]],
  },
  {
    title: 'units and numbers of siunitx',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{siunitx}
\begin{document}
\qty{12}{\meterx}

\num{1..2x}
\end{document}
`,
    },
    errors: [
      ['main.tex', 4, 'Undefined control sequence: \\meterx'],
      ['main.tex', 6, "Package siunitx Error: Invalid number '1..2x'."],
    ],
  },
  {
    title: 'pictures of TikZ',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{tikz}
\usetikzlibrary{nosuchlibrary}
\begin{document}
\begin{tikzpicture}
  \draw (0,0) -- (1,1)
  \node at (0,0) {x};
\end{tikzpicture}

\begin{tikzpicture}
  \draw[nosuchkey] (0,0) -- (1,1);
  \node at (nosuchnode) {y};
\end{tikzpicture}
\end{document}
`,
    },
    errors: [
      [
        'main.tex',
        3,
        "Package tikz Error: I did not find the tikz library 'nosuchlibrary'. I looked for files named tikzlibrarynosuchlibrary.code.tex and pgflibrarynosuchlibrary.code.tex, but neither could be found in the current texmf trees..",
      ],
      ['main.tex', 6, 'Package tikz Error: Giving up on this path. Did you forget a semicolon?.'],
      [
        'main.tex',
        11,
        "Package pgfkeys Error: I do not know the key '/tikz/nosuchkey' and I am going to ignore it. Perhaps you misspelled it.",
      ],
      ['main.tex', 12, "Package pgf Error: No shape named `nosuchnode' is known."],
    ],
  },
  {
    title: 'references, citations and labels',
    passes: 2,
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\section{One}\label{sec:one}
See \ref{nowhere} and \cite{nobody,noone}.

\section{Two}\label{sec:one}
On \pageref{sec:missing}.
\end{document}
`,
    },
    errors: [],
    warnings: [
      ['multiply-defined-label', 'main.tex', 6],
      ['undefined-reference', 'main.tex', 4],
      ['undefined-citation', 'main.tex', 4],
      ['undefined-citation', 'main.tex', 4],
      ['undefined-reference', 'main.tex', 7],
    ],
  },
  {
    title: 'boxes too wide, too empty and too high',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\hbox to 3cm{text that is much too wide for three centimetres}

\noindent\rule{20cm}{1pt}

short\linebreak line

\vbox to 1cm{\hbox{a}\hbox{b}\hbox{c}\hbox{d}\hbox{e}\hbox{f}}
\end{document}
`,
    },
    errors: [],
    warnings: [
      ['overfull-hbox', 'main.tex', 3],
      ['overfull-hbox', 'main.tex', 5],
      ['underfull-hbox', 'main.tex', 7],
      ['overfull-vbox', 'main.tex', 9],
    ],
  },
  {
    title: 'fonts that do not exist',
    files: {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
{\fontfamily{zzz}\selectfont text}
\end{document}
`,
    },
    errors: [],
    warnings: [
      ['font-warning', 'main.tex', 3],
      ['font-warning', 'main.tex', null],
    ],
  },
  {
    title: 'characters that pdfLaTeX has not',
    engines: ['pdflatex'],
    files: {
      'main.tex': '\\documentclass{article}\n\\begin{document}\nAn α here.\n\nΩ\n\\end{document}\n',
    },
    errors: [
      ['main.tex', 3, 'LaTeX Error: Unicode character α (U+03B1) not set up for use with LaTeX.'],
      ['main.tex', 5, 'LaTeX Error: Unicode character Ω (U+03A9) not set up for use with LaTeX.'],
    ],
  },
  {
    title: 'characters that a font has not',
    engines: ['xelatex', 'lualatex'],
    files: { 'main.tex': '\\documentclass{article}\n\\begin{document}\nText.\n\nA 漢 here.\n\\end{document}\n' },
    errors: [],
    warnings: [['font-warning', 'main.tex', 5]],
  },
  {
    title: 'fontspec without its engine',
    engines: ['pdflatex'],
    files: {
      'main.tex':
        '\\documentclass{article}\n\\usepackage{amsmath}\n\\usepackage{fontspec}\n\\begin{document}\nx\n\\end{document}\n',
    },
    errors: [['main.tex', 3, 'Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX.']],
  },
  {
    title: 'a font that is not installed',
    engines: ['xelatex'],
    files: {
      'main.tex':
        '\\documentclass{article}\n\\usepackage{fontspec}\n\\setmainfont{No Such Font}\n\n\\begin{document}\nx\n\\end{document}\n',
    },
    errors: [
      ['main.tex', 3, 'Package fontspec Error: The font "No Such Font" cannot be found.'],
      [
        'main.tex',
        3,
        'Font TU/NoSuchFont(0)/m/n/10="No Such Font" at 10.0pt not loadable: Metric (TFM) file or installed font not found.',
      ],
    ],
    warnings: [
      ['font-warning', 'main.tex', null],
      ['font-warning', 'main.tex', null],
    ],
  },
  {
    title: 'faults of Lua',
    engines: ['lualatex'],
    files: {
      'main.tex':
        '\\documentclass{article}\n\\begin{document}\n\\directlua{error("boom")}\n\n\\directlua{local x = nil; x.y = 1}\n\n\\directlua{if}\n\\end{document}\n',
    },
    errors: [
      ['main.tex', 3, '[\\directlua]:1: boom'],
      ['main.tex', 5, "[\\directlua]:1: attempt to index a nil value (local 'x')"],
      ['main.tex', 7, '[\\directlua]:1: unexpected symbol near <eof>.'],
    ],
  },
  {
    title: 'warnings of hyperref and of a package over several lines',
    files: {
      'main.tex': String.raw`\documentclass{article}
\usepackage{hyperref}
\begin{document}
\section{$\alpha$ decay}

\hyperref[nowhere]{text}

\makeatletter
\PackageWarning{demo}{First line\MessageBreak second line}
\PackageWarningNoLine{demo}{Without a line}
\ClassWarning{demo}{Of a class}
\GenericWarning{(demo) }{Demo Warning: generic}
\@latex@warning{Of LaTeX}
\makeatother
\end{document}
`,
    },
    errors: [],
    warnings: [
      ['package-warning', 'main.tex', 4],
      ['package-warning', 'main.tex', 4],
      ['undefined-reference', 'main.tex', 6],
      ['package-warning', 'main.tex', 9],
      ['package-warning', 'main.tex', null],
      ['package-warning', 'main.tex', 11],
      ['other', 'main.tex', 13],
    ],
  },
  {
    title: 'a document without a page',
    files: { 'main.tex': '\\documentclass{article}\n\\begin{document}\n\\end{document}\n' },
    errors: [['main.tex', null, 'No pages of output.']],
  },
  {
    title: 'an endless recursion',
    engines: ['pdflatex', 'xelatex'],
    files: {
      'main.tex':
        '\\documentclass{article}\n\\begin{document}\n\\def\\x{\\x y}\n\\def\\y{z\\y}\n\\edef\\w{\\y}\n\\end{document}\n',
    },
    errors: [['main.tex', 5, 'TeX capacity exceeded, sorry [main memory size=5000000].']],
  },
  {
    title: 'a fault in a bibliography that TeX reads',
    files: {
      'main.tex':
        '\\documentclass{article}\n\\begin{document}\n\\cite{a}\n\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n',
      'main.bbl':
        '\\begin{thebibliography}{1}\n\\bibitem{a} Title with $a_1$ and a_1 or\n\n\\undefinedinbbl\n\\end{thebibliography}\n',
    },
    errors: [
      ['main.bbl', 2, 'Missing $ inserted.'],
      ['main.bbl', 2, 'Missing } inserted.'],
      ['main.bbl', 2, 'Extra }, or forgotten \\endgroup.'],
      ['main.bbl', 4, 'Undefined control sequence: \\undefinedinbbl'],
    ],
    warnings: [['undefined-citation', 'main.tex', 3]],
  },
]
