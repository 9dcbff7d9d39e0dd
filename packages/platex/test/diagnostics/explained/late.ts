import { article, type ExplainedDocument } from '../explained-document.ts'

const cited = (title: string, bib: string): readonly ExplainedDocument[] => {
  const files = { 'refs.bib': bib }
  const biber = String.raw`\usepackage{biblatex}
\addbibresource{refs.bib}`
  return [
    article(title, '\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}', '', { files }),
    article(`${title}, in biber`, '\\cite{smith}\n\\printbibliography', biber, { files }),
  ]
}

const JONES = '\n@book{jones,\n  author = {Jones},\n  title = {Waves},\n  publisher = {Press},\n  year = 2021\n}\n'

const FORMULA = '\\begin{equation}\na = x +\n⟦unclosed-brace⟧\\frac{1}{2\n+ d\n\\end{equation}\n'

/** Mistakes that TeX and its tools report at another line or in another file. */
export const explainedLate: readonly ExplainedDocument[] = [
  article(
    'a list without an item',
    String.raw`\begin{itemize}
⟦missing-item⟧Text.
\end{itemize}`,
  ),
  article(
    'a table of tabularx with too many cells',
    String.raw`\begin{tabularx}{8cm}{lX}
a & b \\
⟦extra-cell⟧c & \textbf{d} & e \\
f & g \\
\end{tabularx}`,
    String.raw`\usepackage{tabularx}`,
  ),
  article(
    'an underscore in a heading of the table of contents',
    String.raw`\tableofcontents
⟦outside-math⟧\section{The my_file case}
Text.`,
  ),
  article(
    'verbatim text in a caption',
    String.raw`\begin{figure}
Picture.
⟦verb-in-argument⟧\caption{The \verb|a_b| option}
\end{figure}`,
  ),
  article(
    'a missing file of verbatim text',
    String.raw`Text.

⟦missing-file⟧\verbatiminput{code/nosuch.py}

More.`,
    String.raw`\usepackage{verbatim}`,
  ),
  ...cited(
    'an entry without its closing brace',
    `⟦bibliography-syntax⟧@book{smith,\n  author = {Smith},\n  title = {Tides},\n  publisher = {Press},\n  year = 2020\n${JONES}`,
  ),
  ...cited(
    'a last entry without its closing brace',
    `${JONES}\n⟦bibliography-syntax⟧@book{smith,\n  author = {Smith},\n  title = {Tides},\n  publisher = {Press},\n  year = 2020\n`,
  ),
  ...cited(
    'a field without its closing brace',
    `@book{smith,\n  author = {Smith},\n⟦bibliography-syntax⟧  title = {Tides,\n  publisher = {Press},\n  year = 2020\n}\n${JONES}`,
  ),
  ...cited(
    'a field without its closing quote',
    `@book{smith,\n  author = {Smith},\n⟦bibliography-syntax⟧  title = "Tides,\n  publisher = {Press},\n  year = 2020\n}\n${JONES}`,
  ),
  ...cited(
    'a field without its equals sign',
    `@book{smith,\n  author = {Smith},\n⟦bibliography-syntax⟧  title {Tides},\n  publisher = {Press},\n  year = 2020\n}\n${JONES}`,
  ),
  article(
    'an empty list',
    String.raw`⟦missing-item⟧\begin{itemize}
\end{itemize}`,
  ),
  article(
    'a list of paragraphs without an item',
    String.raw`Before.
\begin{enumerate}

⟦missing-item⟧Some text here
that goes on.

\end{enumerate}`,
  ),
  article(
    'text before the first item',
    String.raw`\begin{itemize}
⟦missing-item⟧Text.
\item One
\end{itemize}`,
  ),
  article(
    'a table of tabulary with too many cells',
    String.raw`\begin{tabulary}{8cm}{LL}
a & b \\
⟦extra-cell⟧c & d & e \\
f & g \\
\end{tabulary}`,
    String.raw`\usepackage{tabulary}`,
  ),
  article(
    'a table of tabularx with spanned and repeated columns',
    String.raw`\begin{tabularx}{8cm}{l*{2}{X}@{\hspace{1em}}}
\multicolumn{2}{c}{a \& b} & c \\
a & \begin{tabular}{ll} a & b \\ \end{tabular} & c \\
⟦extra-cell⟧a & \multicolumn{2}{c}{b} & d \\
\end{tabularx}`,
    String.raw`\usepackage{tabularx}`,
  ),
  article(
    'an underscore in a table of tabularx',
    String.raw`\begin{tabularx}{8cm}{lX}
a & $b_1$ \\
⟦outside-math⟧c & my_file \\
f & g \\
\end{tabularx}`,
    String.raw`\usepackage{tabularx}`,
  ),
  article(
    'an underscore in a heading with bookmarks',
    String.raw`\tableofcontents
⟦outside-math⟧\section{The my_file case}
Text.`,
    String.raw`\usepackage{hyperref}`,
  ),
  article(
    'an ampersand in a heading of the table of contents',
    String.raw`\tableofcontents
⟦ampersand-in-text⟧\section{Smith & Sons}
Text.`,
  ),
  article(
    'a hash in a heading of the table of contents',
    String.raw`\tableofcontents
⟦hash-in-text⟧\section{The #1 case}
Text.`,
  ),
  article(
    'an underscore in a caption of the list of figures',
    String.raw`\listoffigures
\begin{figure}
Picture.
⟦outside-math⟧\caption{The my_file case}
\end{figure}`,
  ),
  article(
    'verbatim text in a caption of the list of figures',
    String.raw`\listoffigures
\begin{figure}
Picture.
⟦verb-in-argument⟧\caption{The \verb|a_b| option}
\end{figure}`,
  ),
  article(
    'verbatim text in a caption with bookmarks',
    String.raw`\begin{figure}
Picture.
⟦verb-in-argument⟧\caption{The \verb|a_b| option}
\end{figure}
More.`,
    String.raw`\usepackage{hyperref}`,
  ),
  article(
    'a missing file of fancyvrb',
    String.raw`Text.

⟦missing-file⟧\VerbatimInput{code/nosuch.py}

More.`,
    String.raw`\usepackage{fancyvrb}`,
  ),
  article(
    'a list without an item in LuaLaTeX',
    String.raw`\begin{itemize}
⟦missing-item⟧Text.
\end{itemize}`,
    '',
    { engine: 'lualatex' },
  ),
  article(
    'an underscore in a heading of the table of contents in XeLaTeX',
    String.raw`\tableofcontents
⟦outside-math⟧\section{The my_file case}
Text.`,
    '',
    { engine: 'xelatex' },
  ),
  article(
    'an error of a Lua module',
    String.raw`Text.

⟦shell-escape⟧\directlua{luatexbase.module_error("demo", "shell-escape mode may not be activated.")}

More.`,
    String.raw`\directlua{luatexbase.provides_module{name="demo"}}`,
    { engine: 'lualatex' },
  ),
  article('an unclosed brace in a formula at the end of an included file', '\\input{part}\n\nMore.', '', {
    files: { 'part.tex': `Text.\n\n${FORMULA}` },
  }),
  article('an unclosed brace in a formula before another file', '\\input{part}\n\\input{next}\n', '', {
    files: { 'part.tex': FORMULA, 'next.tex': '\\section{Next}\n⟦outside-math⟧The my_file case.\n' },
  }),
  article('an unclosed brace before an underscore in another file', '\\input{part}\n\\input{next}\n', '', {
    files: {
      'part.tex': '⟦unclosed-brace⟧Text \\emph{with $x$\n',
      'next.tex': '⟦outside-math⟧The my_file case.\n',
    },
  }),
  article('an unclosed brace in a list at the end of an included file', '\\input{part}\nMore.', '', {
    files: { 'part.tex': '\\begin{itemize}\n⟦unclosed-brace⟧\\item \\textbf{a\n\\item b\n\\end{itemize}\n' },
  }),
  article('an unclosed brace before a long text in an included file', '\\input{part}\nMore.', '', {
    files: {
      'part.tex': `\\begin{quote}\n⟦unclosed-brace⟧\\textbf{a\n${'The tide rises.\n'.repeat(40)}\\end{quote}\n`,
    },
  }),
  article('an unclosed brace in a caption before another figure', '\\input{part}\n\\section{Next}\n\\input{next}', '', {
    files: {
      'part.tex': 'Text.\n\\begin{figure}\nx\n⟦unclosed-brace⟧\\caption{y\n\\end{figure}\n',
      'next.tex': '\\begin{figure}\ny\n\\end{figure}\n',
    },
  }),
  article('a figure without its end before another file', '\\input{part}\n\\section{Next}\n\\input{next}', '', {
    files: {
      'part.tex': 'Text.\n⟦unmatched-environment⟧\\begin{figure}\nx\n\\caption{y}\n\nMore.\n',
      'next.tex': 'Text.\n\\begin{figure}\ny\n\\end{figure}\n',
    },
  }),
  article('a wrong number at the end of an included file', '\\input{part}\n\nMore.', '\\usepackage{siunitx}', {
    files: { 'part.tex': 'Text.\n\n⟦invalid-number⟧\\qty{3,5x}{\\metre} more\n' },
  }),
]
