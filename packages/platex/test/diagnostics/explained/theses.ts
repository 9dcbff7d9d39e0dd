import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const axis = (title: string, body: string, files: Readonly<Record<string, string>> = {}): ExplainedDocument =>
  article(
    title,
    `\\begin{tikzpicture}\\begin{axis}\n${body}\n\\end{axis}\\end{tikzpicture}`,
    '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
    { files },
  )
const picture = (title: string, body: string): ExplainedDocument =>
  article(title, `\\begin{tikzpicture}\n${body}\n\\end{tikzpicture}`, r`\usepackage{tikz}`)
const cited = (title: string, bib: string, key = 'smith'): ExplainedDocument =>
  article(title, `\\cite{${key}}\n\\bibliographystyle{plain}\n\\bibliography{refs}`, '', { files: { 'refs.bib': bib } })
const citedByBiber = (title: string, bib: string): ExplainedDocument =>
  article(title, '\\cite{smith}\n\\printbibliography', '\\usepackage{biblatex}\n\\addbibresource{refs.bib}', {
    files: { 'refs.bib': bib },
  })

/** Mistakes that people make while they write a thesis: definitions, figures, plots, bibliographies, indexes. */
export const explainedTheses: readonly ExplainedDocument[] = [
  article('a definition with an argument too few', 'Text.', r`⟦parameter-number⟧\newcommand{\depth}[1]{#1 and #2}`),
  article('an argument at the end of an environment', 'Text.', r`⟦parameter-number⟧\newenvironment{depth}[1]{#1}{#1}`),
  article(
    'a document command with an argument too few',
    'Text.',
    r`⟦parameter-number⟧\NewDocumentCommand{\depth}{m}{#2}`,
  ),
  article('a definition without its backslash', 'Text.', r`⟦missing-command-name⟧\newcommand{depth}{x}`),
  article('a definition without its text', 'Text.', r`⟦missing-begin-document⟧\newcommand{\depth}`),
  article(
    'an acronym without its long form',
    r`\gls{a}`,
    '\\usepackage{glossaries}\n⟦missing-begin-document⟧\\newacronym{a}{b}',
  ),
  article('an index without its braces', r`⟦missing-opening-brace⟧It is $a_\left( b \right)$.`),
  article('an index without its symbol', r`⟦missing-opening-brace⟧It is $x^$ here.`),
  article('a command of TeX in text', r`⟦wrong-mode⟧The tide \moveleft 3pt falls.`),
  article('a heading with an open formula', '⟦outside-math⟧\\section{The $x_i value}\nText.'),
  article('a chapter in an article', r`⟦undefined-command⟧\chapter{One}`),
  article('an unknown page style', r`⟦undefined-command⟧\pagestyle{nosuch}Text.`),
  article('a title page without a title', r`⟦missing-title⟧\maketitle`),
  cited(
    'a character of math in a short title',
    '@misc{smith,\n  author={Alice},\n⟦unicode-character⟧  title={A ≤ B}}\n',
  ),
  article('a label with a command', r`⟦command-in-name⟧\section{A}\label{\textbf{a}}`),
  article(
    'lists in lists in lists',
    `${'\\begin{itemize}\\item a\n'.repeat(4)}⟦nesting-too-deep⟧${'\\begin{itemize}\\item a\n'}${'\\end{itemize}\n'.repeat(5)}`,
  ),
  article(
    'a tab stop that is not set',
    '\\begin{tabbing}\na \\= b \\\\\n⟦undefined-tab-stop⟧c \\> d \\> e\n\\end{tabbing}',
  ),
  article('a table without columns', '⟦unknown-column-type⟧\\begin{tabular}\na\\\\\n\\end{tabular}'),
  article('a column without a width', '⟦unknown-column-type⟧\\begin{tabular}{lp}\na & b\n\\end{tabular}'),
  article(
    'a rule without its range',
    '\\begin{tabular}{ll}\n⟦definition-mismatch⟧a & b \\\\ \\cline{1}\n\\end{tabular}',
  ),
  article('two fractions with over', r`⟦ambiguous-fraction⟧It is $a \over b \over c$.`),
  article('a number that is too large', r`⟦number-too-large⟧\setcounter{page}{99999999999}Text.`),
  article('a position that needs a package', '⟦unknown-float-position⟧\\begin{figure}[H]\nText.\n\\end{figure}'),
  article(
    'a picture in another format',
    r`⟦unknown-graphics-format⟧\includegraphics{plot.gif}`,
    r`\usepackage{graphicx}`,
    {
      files: { 'plot.gif': 'GIF89a' },
    },
  ),
  article('a damaged picture', r`⟦damaged-picture⟧\includegraphics{plot.png}`, r`\usepackage{graphicx}`, {
    files: { 'plot.png': 'Not a picture.' },
  }),
  article('a damaged picture in XeLaTeX', r`⟦missing-file⟧\includegraphics{plot.png}`, r`\usepackage{graphicx}`, {
    engine: 'xelatex',
    files: { 'plot.png': 'Not a picture.' },
  }),
  picture('a node without its text', r`⟦tikz-syntax⟧\node (a) at (0,0) Text;`),
  picture('a position that needs a library', '\\node (a) {A};\n⟦unknown-function⟧\\node[right=of a] (b) {B};'),
  picture('an arrow that needs a library', r`⟦unknown-option⟧\draw[-Stealth] (0,0) -- (1,1);`),
  axis('a plot without its semicolon', '⟦tikz-semicolon⟧\\addplot {x^2}\n\\addplot {x};'),
  axis('a plot of a column that is missing', '⟦missing-column⟧\\addplot table[x=t,y=h] {data.csv};', {
    'data.csv': 't v\n1 2\n3 4\n',
  }),
  article(
    'an accent in a listing',
    '\\begin{lstlisting}\n⟦unicode-in-listing⟧int größe = 1;\n\\end{lstlisting}',
    r`\usepackage{listings}`,
  ),
  project('a listing in a frame that is not fragile', {
    'main.tex':
      '\\documentclass{beamer}\n\\usepackage{listings}\n\\begin{document}\n\\begin{frame}\n⟦unmatched-environment⟧\\begin{lstlisting}\nx_1\n\\end{lstlisting}\n\\end{frame}\n\\end{document}\n',
  }),
  project('a theme that is not installed', {
    'main.tex': '\\documentclass{beamer}\n⟦missing-package⟧\\usetheme{nosuch}\n\\begin{document}\n\\end{document}\n',
  }),
  article(
    'verbatim text in a footnote, as an environment',
    '⟦verb-in-argument⟧x\\footnote{\\begin{verbatim}\nx\n\\end{verbatim}}',
  ),
  article('Cyrillic text without its encoding', '⟦unicode-character⟧Привет'),
  article('packages in the wrong order', 'Text.', '⟦package-order⟧\\usepackage{cleveref}\n\\usepackage{hyperref}'),
  article('a driver of another program', 'Text.', r`⟦wrong-driver⟧\usepackage[dvips]{hyperref}`),
  article(
    'two packages for subfigures',
    'Text.',
    '\\usepackage{subfigure}\n⟦incompatible-packages⟧\\usepackage{subcaption}',
  ),
  article(
    'a style of BibTeX in biblatex',
    r`⟦biblatex-command⟧Text.\bibliographystyle{plain}`,
    r`\usepackage{biblatex}`,
  ),
  article('a file outside of the project', r`⟦file-not-writable⟧\immediate\openout5=/tides.txt Text.`),
  project('an include in an include', {
    'main.tex': '\\documentclass{article}\n\\begin{document}\n\\include{a}\n\\end{document}\n',
    'a.tex': 'Text.\n⟦nested-include⟧\\include{b}\n',
    'b.tex': 'More.\n',
  }),
  project('a package before the class', {
    'main.tex':
      '⟦misplaced-class⟧\\usepackage{amsmath}\n\\documentclass{article}\n\\begin{document}\nText\n\\end{document}\n',
  }),
  article(
    'an index that nothing writes',
    'Text\\index{tides}.\n⟦missing-makeindex⟧\\printindex',
    '\\usepackage{makeidx}\n%\\makeindex',
  ),
  project('an index that nothing writes, printed by another file', {
    'main.tex': '\\documentclass{memoir}\n\\begin{document}\nText\\index{tides}.\n\\input{back}\n\\end{document}\n',
    'back.tex': '% \\printindex\n\\verb|x|\n⟦missing-makeindex⟧\\printindex\n',
  }),
  article('an index without entries', 'Text.\n\\printindex', '\\usepackage{makeidx}\n\\makeindex'),
  article(
    'an index in a draft without auxiliary files',
    'Text\\index{tides}.\n\\printindex',
    '\\nofiles\n\\usepackage{makeidx}\n\\csname makeindex\\endcsname',
  ),
  article('an index of imakeidx without entries', 'Text.\n\\printindex', '\\usepackage{imakeidx}\n\\makeindex'),
  article(
    'an index of splitidx without entries',
    'Text.\n\\printindex',
    '\\usepackage[makeindex]{splitidx}\n\\newindex{idx}',
  ),
  article(
    'an index entry with four levels',
    '⟦index-syntax⟧Text\\index{a!b!c!d}.\\printindex',
    '\\usepackage{makeidx}\\makeindex',
  ),
  article(
    'an index range without its end',
    '⟦index-syntax⟧Text\\index{a|(}.\n\\printindex',
    '\\usepackage{makeidx}\\makeindex',
  ),
  article(
    'an index entry without its brace',
    '⟦runaway-argument⟧Text\\index{a.\n\nMore.\n\\printindex',
    '\\usepackage{makeidx}\\makeindex',
  ),
  cited(
    'names with too many commas',
    '⟦invalid-name⟧@book{smith,\n author={A, B, C, D},\n title={B},\n publisher={P},\n year=2020}\n',
  ),
  cited(
    'a comment in an entry',
    '@book{smith,\n author={Jones},\n⟦bibliography-syntax⟧ % title={A},\n title={B},\n year=2020}\n',
  ),
  cited(
    'an ampersand in an entry',
    '@book{smith,\n author={Jones},\n⟦ampersand-in-text⟧ title={Smith & Sons},\n publisher={P},\n year=2020}\n',
  ),
  cited(
    'an underscore in an entry',
    '@book{smith,\n author={Jones},\n⟦outside-math⟧ title={my_file},\n publisher={P},\n year=2020}\n',
  ),
  citedByBiber(
    'an ampersand in an entry, in biber',
    '@book{smith,\n author={Jones},\n⟦ampersand-in-text⟧ title={Smith & Sons},\n publisher={P},\n year=2020}\n',
  ),
  citedByBiber(
    'an underscore in an entry, in biber',
    '@book{smith,\n author={Jones},\n⟦outside-math⟧ title={my_file},\n publisher={P},\n year=2020}\n',
  ),
]
