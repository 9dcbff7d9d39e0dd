import { article, project, type ExplainedDocument } from '../explained-document.ts'

const frame = (title: string, body: string) =>
  project(title, { 'main.tex': `\\documentclass{beamer}\n\\begin{document}\n${body}\n\\end{document}\n` })
const tikz = (title: string, body: string, preamble = '\\usepackage{tikz}') =>
  article(title, `\\begin{tikzpicture}\n${body}\n\\end{tikzpicture}`, preamble)
const cited = (title: string, bib: string, { biber = false } = {}) =>
  article(
    title,
    biber ? '\\cite{smith}\n\\printbibliography' : '\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}',
    biber ? '\\usepackage{biblatex}\n\\addbibresource{refs.bib}' : '',
    { files: { 'refs.bib': bib } },
  )

/** Mistakes in the use of packages, bibliographies and indexes. */
export const explainedPackages: readonly ExplainedDocument[] = [
  tikz(
    'a path without its semicolon',
    String.raw`⟦tikz-semicolon⟧\draw (0,0) -- (1,1)
\draw (1,0) -- (2,1);`,
  ),
  tikz('a path without its semicolon at the end', String.raw`⟦tikz-semicolon⟧\draw (0,0) -- (1,1)`),
  tikz('an unknown key of a path', String.raw`⟦unknown-option⟧\draw[colour=red] (0,0) -- (1,1);`),
  tikz('an unknown shape of a node', String.raw`⟦unknown-node⟧\node[shape=heptagon] at (0,0) {a};`),
  tikz('an unknown node', String.raw`⟦unknown-node⟧\draw (nosuch) -- (1,1);`),
  tikz(
    'an unknown library',
    String.raw`\draw (0,0) -- (1,1);`,
    String.raw`\usepackage{tikz}
⟦missing-file⟧\usetikzlibrary{nosuchlibrary}`,
  ),
  tikz('a misspelled path command', String.raw`⟦undefined-command⟧\drow (0,0) -- (1,1);`),
  tikz('an unknown color', String.raw`⟦undefined-color⟧\draw[color=reddish] (0,0) -- (1,1);`),
  article(
    'a picture command without TikZ',
    String.raw`⟦undefined-environment⟧\begin{tikzpicture}
⟦undefined-command⟧\draw (0,0) -- (1,1);
\end{tikzpicture}`,
  ),
  article(
    'a plot with a bad function',
    String.raw`\begin{tikzpicture}\begin{axis}
⟦unknown-function⟧\addplot {foo(x)};
\end{axis}\end{tikzpicture}`,
    String.raw`\usepackage{pgfplots}\pgfplotsset{compat=1.18}`,
  ),
  article(
    'a plot with an unknown key',
    String.raw`\begin{tikzpicture}
⟦unknown-option⟧\begin{axis}[xlable=a]
\addplot {x};
\end{axis}\end{tikzpicture}`,
    String.raw`\usepackage{pgfplots}\pgfplotsset{compat=1.18}`,
  ),
  article(
    'a number that siunitx does not read',
    String.raw`⟦invalid-number⟧It is \num{1..2x}.`,
    String.raw`\usepackage{siunitx}`,
  ),
  article(
    'a frame of beamer in an article',
    String.raw`⟦undefined-environment⟧\begin{frame}
⟦undefined-command⟧\frametitle{Tides}
Text.
\end{frame}`,
  ),
  article(
    'a unit that siunitx does not know',
    String.raw`⟦undefined-command⟧It is \qty{3}{\meterr}.`,
    String.raw`\usepackage{siunitx}`,
  ),
  article(
    'an option that siunitx does not know',
    'Text.',
    String.raw`\usepackage{siunitx}
⟦unknown-option⟧\sisetup{nosuchoption = 3}`,
  ),
  article(
    'an unknown color of text',
    String.raw`⟦undefined-color⟧\textcolor{reddish}{a}`,
    String.raw`\usepackage{xcolor}`,
  ),
  article(
    'an unknown key of a picture',
    String.raw`⟦unknown-option⟧\includegraphics[widht=3cm]{example-image}`,
    String.raw`\usepackage{graphicx}`,
  ),
  article('an unknown key of geometry', 'Text.', String.raw`⟦unknown-option⟧\usepackage[magin=2cm]{geometry}`),
  article(
    'an unknown key of hyperref',
    'Text.',
    String.raw`\usepackage{hyperref}
⟦unknown-option⟧\hypersetup{colourlinks=true}`,
  ),
  article(
    'a link without its text',
    String.raw`⟦runaway-argument⟧\href{https://example.org}{the site
Text.

More.`,
    String.raw`\usepackage{hyperref}`,
  ),
  article(
    'an unknown language of a listing',
    String.raw`⟦unknown-language⟧\begin{lstlisting}[language=Klingon]
a
\end{lstlisting}`,
    String.raw`\usepackage{listings}`,
  ),
  article(
    'an unknown key of a listing',
    String.raw`⟦unknown-option⟧\begin{lstlisting}[langage=C]
a
\end{lstlisting}`,
    String.raw`\usepackage{listings}`,
  ),
  article(
    'a listing that is not ended',
    String.raw`⟦missing-end-document⟧\begin{lstlisting}
a`,
    String.raw`\usepackage{listings}`,
  ),
  article(
    'minted without its cache',
    String.raw`\begin{minted}{python}
a = 1
\end{minted}`,
    String.raw`⟦shell-escape⟧\usepackage{minted}`,
  ),
  article(
    'a tabularx that is not ended',
    String.raw`⟦unmatched-environment⟧\begin{tabularx}{5cm}{lX}
a & b \\`,
    String.raw`\usepackage{tabularx}`,
  ),
  article(
    'a longtable with too many cells',
    String.raw`\begin{longtable}{ll}
⟦extra-cell⟧a & b & c \\
\end{longtable}`,
    String.raw`\usepackage{longtable}`,
  ),
  article(
    'a multirow with a missing argument',
    String.raw`\begin{tabular}{ll}
⟦undefined-command⟧\multirow{2}{*}{a} & b \\
\end{tabular}`,
  ),
  article(
    'a rule of booktabs without it',
    String.raw`\begin{tabular}{ll}
⟦undefined-command⟧\toprule
a & b \\
\end{tabular}`,
  ),
  article(
    'an entry of a glossary that is not defined',
    String.raw`⟦undefined-glossary-entry⟧The \gls{nosuch}.`,
    String.raw`⟦package-warning⟧\usepackage{glossaries}
\makeglossaries`,
  ),
  article(
    'an entry of a glossary that is defined twice',
    'Text.',
    String.raw`\usepackage{glossaries}
\newglossaryentry{a}{name=a,description={b}}
⟦command-already-defined⟧\newglossaryentry{a}{name=a,description={b}}`,
  ),
  article(
    'an acronym that is not defined',
    String.raw`⟦undefined-glossary-entry⟧The \ac{NASA}.`,
    String.raw`\usepackage{acronym}`,
  ),
  article('a bibliography command without natbib', String.raw`⟦undefined-command⟧\citep{smith}`),
  article(
    'an unknown style of biblatex',
    'Text.',
    String.raw`⟦missing-bibliography-style⟧\usepackage[style=nosuchstyle]{biblatex}`,
  ),
  article(
    'an unknown option of biblatex',
    'Text.',
    String.raw`⟦unknown-option⟧\usepackage[nosuchoption=true]{biblatex}`,
  ),
  article(
    'a subfigure without its package',
    String.raw`\begin{figure}
⟦undefined-command⟧\subfloat{a}
\end{figure}`,
  ),
  article(
    'an environment of a theorem defined twice',
    'Text.',
    String.raw`\newtheorem{claim}{Claim}
⟦command-already-defined⟧\newtheorem{claim}{Claim}`,
  ),
  article(
    'an algorithm that is not ended',
    String.raw`\begin{algorithm}
⟦unmatched-environment⟧\begin{algorithmic}
\State a
\end{algorithm}`,
    String.raw`\usepackage{algorithm,algpseudocode}`,
  ),
  article(
    'an unknown key of enumitem',
    String.raw`⟦unknown-option⟧\begin{itemize}[itemsp=0pt]
\item a
\end{itemize}`,
    String.raw`\usepackage{enumitem}`,
  ),
  article('a command of Lua that fails', String.raw`⟦lua-error⟧\directlua{error("no")}`, '', { engine: 'lualatex' }),
  article('an unknown package date', 'Text.', String.raw`\usepackage{amsmath}[2099/01/01]`),
  frame(
    'a frame that is not ended',
    String.raw`⟦unmatched-environment⟧\begin{frame}
Text`,
  ),
  frame(
    'verbatim text in a frame that is not fragile',
    String.raw`\begin{frame}
⟦unmatched-environment⟧\begin{verbatim}
a_b
\end{verbatim}
\end{frame}`,
  ),
  frame(
    'a command in a frame',
    String.raw`\begin{frame}{One}
⟦undefined-command⟧The \foo here.
\end{frame}`,
  ),
  frame(
    'a list that is not ended in a frame',
    String.raw`\begin{frame}
⟦unmatched-environment⟧\begin{itemize}
\item a
\end{frame}`,
  ),
  frame(
    'an unknown environment in a frame',
    String.raw`\begin{frame}
⟦undefined-environment⟧\begin{blok}{a}
b
\end{blok}
\end{frame}`,
  ),
  frame(
    'an underscore in the title of a frame',
    String.raw`\begin{frame}
⟦outside-math⟧\frametitle{The my_file}
Text
\end{frame}`,
  ),
  project('an unknown theme', {
    'main.tex': String.raw`\documentclass{beamer}
⟦missing-package⟧\usetheme{NoSuchTheme}
\begin{document}
\begin{frame}a\end{frame}
\end{document}
`,
  }),
  article(
    'a missing bibliography',
    String.raw`\cite{a}
\bibliographystyle{plain}
⟦missing-bibliography⟧\bibliography{refs}`,
  ),
  article(
    'a missing bibliography of biblatex',
    String.raw`\cite{a}
\printbibliography`,
    String.raw`\usepackage{biblatex}
⟦missing-bibliography⟧\addbibresource{refs.bib}`,
  ),
  article(
    'a missing style of the bibliography',
    String.raw`\cite{a}
⟦missing-bibliography-style⟧\bibliographystyle{nosuchstyle}
\bibliography{refs}`,
    '',
    { files: { 'refs.bib': '@book{a, author={Alice}, title={T}, publisher={P}, year=2020}\n' } },
  ),
  cited(
    'a field without its comma',
    '@book{smith,\n  author = {Smith},\n  title = {Tides}\n⟦bibliography-syntax⟧  year = 2020\n}\n',
  ),
  cited('an entry without its key', '@book{\n⟦bibliography-syntax⟧  author = {Smith},\n  title = {Tides}\n}\n'),
  cited(
    'an entry twice',
    '@book{smith, author={Smith}, title={T}, publisher={P}, year=2020}\n⟦repeated-entry⟧@book{smith, author={Smith}, title={T}, publisher={P}, year=2020}\n',
  ),
  cited(
    'a field without its comma, in biber',
    '@book{smith,\n  author = {Smith},\n  title = {Tides}\n⟦bibliography-syntax⟧  year = 2020\n}\n',
    { biber: true },
  ),
  article(
    'a formula with too many columns',
    String.raw`\[ \begin{array}{c}
⟦extra-cell⟧a & b \\
\end{array} \]`,
  ),
  article('a tag outside of a formula', String.raw`⟦outside-math⟧Text \tag{1}.`, String.raw`\usepackage{amsmath}`),
  article(
    'a command of mathematics in text',
    String.raw`⟦outside-math⟧Text \mathbb{R}.`,
    String.raw`\usepackage{amssymb}`,
  ),
  article('an intertext outside of a display', String.raw`⟦none⟧Text \intertext{a}.`, String.raw`\usepackage{amsmath}`),
  article('text in a formula without its package', String.raw`⟦undefined-command⟧$a \text{ and } b$`),
]
