import { article, project, type ExplainedDocument } from '../explained-document.ts'

/** Files, packages, classes and fonts that are missing, and mistakes in files that the document reads. */
export const explainedFiles: readonly ExplainedDocument[] = [
  article('a package that does not exist', 'Text.', String.raw`⟦missing-package⟧\usepackage{nosuchpackage}`),
  article('a misspelled package', 'Text.', String.raw`⟦missing-package⟧\usepackage{booktab}`),
  article('a package in a list', 'Text.', String.raw`⟦missing-package⟧\usepackage{amsmath,nosuchpackage,graphicx}`),
  project('a class that does not exist', {
    'main.tex': String.raw`⟦missing-package⟧\documentclass{nosuchclass}
\begin{document}
Text.
\end{document}
`,
  }),
  article(
    'a missing picture',
    String.raw`⟦missing-file⟧\includegraphics{figs/plot}`,
    String.raw`\usepackage{graphicx}`,
  ),
  article('a missing chapter', String.raw`⟦missing-file⟧\input{chapters/intro}`),
  article(
    'a missing included chapter',
    String.raw`⟦missing-file⟧\include{chapters/intro}
Text.`,
  ),
  article('a missing listing', String.raw`⟦missing-file⟧\lstinputlisting{code.py}`, String.raw`\usepackage{listings}`),
  article(
    'a missing page of another PDF',
    String.raw`⟦missing-file⟧\includepdf{form.pdf}`,
    String.raw`\usepackage{pdfpages}`,
  ),
  article(
    'a missing data file of a plot',
    String.raw`\begin{tikzpicture}\begin{axis}
⟦missing-file⟧\addplot table {data.csv};
\end{axis}\end{tikzpicture}`,
    String.raw`\usepackage{pgfplots}\pgfplotsset{compat=1.18}`,
  ),
  article(
    'a font that is not installed',
    'Text.',
    String.raw`\usepackage{fontspec}
⟦missing-font⟧\setmainfont{No Such Font}`,
    { engine: 'lualatex' },
  ),
  article(
    'a font that is not installed, in XeLaTeX',
    'Text.',
    String.raw`\usepackage{fontspec}
⟦missing-font⟧\setmainfont{No Such Font}`,
    { engine: 'xelatex' },
  ),
  article(
    'a font of another family',
    String.raw`⟦missing-font⟧{\fontspec{Nosuch Sans} Text.}`,
    String.raw`\usepackage{fontspec}`,
    { engine: 'xelatex' },
  ),
  article('a mistake in a chapter', String.raw`\input{intro}`, '', {
    files: { 'intro.tex': 'Text.\n\n⟦undefined-command⟧The \\foo.\n' },
  }),
  article('a mistake in an included chapter', String.raw`\include{chapters/intro}`, '', {
    files: { 'chapters/intro.tex': '\\section{One}\n⟦outside-math⟧The my_file.\n' },
  }),
  article(
    'an environment that is not ended in a chapter',
    String.raw`\input{intro}
Text.`,
    '',
    { files: { 'intro.tex': 'Text.\n⟦unmatched-environment⟧\\begin{itemize}\n\\item One\n' } },
  ),
  article(
    'a brace that is not closed in a chapter',
    String.raw`\input{intro}
Text.`,
    '',
    { files: { 'intro.tex': 'Text.\n⟦unclosed-brace⟧\\textbf{One\n' } },
  ),
  article('a missing picture in a chapter', String.raw`\input{intro}`, String.raw`\usepackage{graphicx}`, {
    files: { 'intro.tex': 'Text.\n⟦missing-file⟧\\includegraphics{nosuch}\n' },
  }),
  article('a missing chapter in a chapter', String.raw`\input{intro}`, '', {
    files: { 'intro.tex': 'Text.\n⟦missing-file⟧\\input{nosuch}\n' },
  }),
  article(
    'a mistake in a table of its own file',
    String.raw`\begin{table}
\input{table}
\end{table}`,
    '',
    { files: { 'table.tex': '\\begin{tabular}{l}\n⟦extra-cell⟧a & b \\\\\n\\end{tabular}\n' } },
  ),
  article('a mistake in a package of the project', 'Text.', String.raw`\usepackage{house}`, {
    files: { 'house.sty': '\\ProvidesPackage{house}\n⟦undefined-command⟧\\foo\n\\endinput\n' },
  }),
  article('a missing package in a package of the project', 'Text.', String.raw`\usepackage{house}`, {
    files: { 'house.sty': '\\ProvidesPackage{house}\n⟦missing-package⟧\\RequirePackage{nosuchpackage}\n\\endinput\n' },
  }),
  article(
    'a macro of a package of the project',
    String.raw`⟦undefined-command⟧\shout{x}`,
    String.raw`\usepackage{house}`,
    { files: { 'house.sty': '\\newcommand{\\shout}[1]{\\foo #1}\n' } },
  ),
  project('a mistake in a class of the project', {
    'main.tex': String.raw`\documentclass{house}
\begin{document}
Text.
\end{document}
`,
    'house.cls': String.raw`\ProvidesClass{house}
\LoadClass{article}
⟦command-already-defined⟧\newcommand{\section}{x}
`,
  }),
  project('a missing package in a class of the project', {
    'main.tex': String.raw`\documentclass{house}
\begin{document}
Text.
\end{document}
`,
    'house.cls': String.raw`\ProvidesClass{house}
\LoadClass{article}
⟦missing-package⟧\RequirePackage{nosuchpackage}
`,
  }),
  project('a definition that is not closed in a class of the project', {
    'main.tex': String.raw`\documentclass{house}
\begin{document}
Text.
\end{document}
`,
    'house.cls': String.raw`\ProvidesClass{house}
\LoadClass{article}
⟦unclosed-brace⟧\newcommand{\shout}[1]{\textbf{#1}
`,
  }),
  project(
    'a document without its end',
    {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
Text.
`,
    },
    { unplaced: ['missing-end-document'] },
  ),
  project(
    'a document without its end after a list',
    {
      'main.tex': String.raw`\documentclass{article}
\begin{document}
\begin{itemize}
\item One
\end{itemize}
`,
    },
    { unplaced: ['missing-end-document'] },
  ),
  project('a document without its beginning', {
    'main.tex': String.raw`\documentclass{article}
⟦missing-begin-document⟧Text.
\end{document}
`,
  }),
  project('a document without a class', {
    'main.tex': String.raw`⟦missing-class⟧\begin{document}
Text.
\end{document}
`,
  }),
  project('a document with a misspelled class command', {
    'main.tex': String.raw`⟦undefined-command⟧\documentclas{article}
\begin{document}
Text.
\end{document}
`,
  }),
  project('an end of the document without its brace', {
    'main.tex': String.raw`\documentclass{article}
\begin{document}
Text.
⟦unclosed-brace⟧\end{document
`,
  }),
  project('an option that the class does not know', {
    'main.tex': String.raw`⟦unknown-option⟧\documentclass[a4papr]{article}
\begin{document}
Text.
\end{document}
`,
  }),
  article(
    'an option that a package does not know',
    'Text.',
    String.raw`⟦unknown-option⟧\usepackage[nosuchoption]{graphicx}`,
  ),
  article(
    'options that clash',
    'Text.',
    String.raw`\usepackage{xcolor}
⟦option-clash⟧\usepackage[table]{xcolor}`,
  ),
  article('an unknown language', 'Text.', String.raw`⟦unknown-language⟧\usepackage[klingon]{babel}`),
  article('a package for another engine', 'Text.', String.raw`⟦wrong-engine⟧\usepackage{fontspec}`),
  article('a character that pdfLaTeX does not know', '⟦unicode-character⟧The angle α is small.'),
  article('ideographs in pdfLaTeX', '⟦unicode-character⟧你'),
  article('an emoji', '⟦unicode-character⟧Done 🙂'),
]
