import { article, project, type ExplainedDocument } from '../explained-document.ts'

const thesis = (title: string, chapter: string) =>
  project(title, {
    'main.tex': String.raw`\documentclass{report}
\usepackage{amsmath,graphicx,booktabs,hyperref}
\begin{document}
\tableofcontents
\include{chapters/one}
\end{document}
`,
    'chapters/one.tex': `\\chapter{One}\nThe first words.\n\n${chapter}\n`,
  })

/** Mistakes in whole papers: chapters, figures, tables, engines and classes. */
export const explainedPapers: readonly ExplainedDocument[] = [
  thesis('an undefined command in a chapter', String.raw`⟦undefined-command⟧The \foo of it.`),
  thesis(
    'an undefined environment in a chapter',
    String.raw`⟦undefined-environment⟧\begin{lemma}
True.
\end{lemma}`,
  ),
  thesis(
    'a missing figure in a chapter',
    String.raw`\begin{figure}
\centering
⟦missing-file⟧\includegraphics[width=5cm]{figs/plot}
\caption{Plot}
\end{figure}`,
  ),
  thesis('an ampersand in a chapter', String.raw`⟦ampersand-in-text⟧Smith & Sons.`),
  thesis(
    'a row with too many cells in a chapter',
    String.raw`\begin{tabular}{ll}
\toprule
⟦extra-cell⟧a & b & c \\
\bottomrule
\end{tabular}`,
  ),
  thesis(
    'a list that is not ended in a chapter',
    String.raw`⟦unmatched-environment⟧\begin{itemize}
\item One`,
  ),
  thesis(
    'a blank line in a formula of a chapter',
    String.raw`\begin{equation}
a = b
⟦blank-line-in-math⟧
\end{equation}`,
  ),
  article(
    'an ampersand between authors',
    '\\maketitle\nText.',
    '\\title{Tides}\n\\author{Alice\\thanks{R\\&D}\n⟦ampersand-in-text⟧& Bob}',
  ),
  thesis('a brace too many in a chapter', String.raw`⟦unmatched-closing-brace⟧Some \emph{words}} here.`),
  thesis('a footnote that is not closed in a chapter', String.raw`⟦unclosed-brace⟧Words\footnote{a note.`),
  thesis('a script twice in a chapter', String.raw`⟦double-script⟧The sum $a_1_2$.`),
  thesis('a command of an appendix in a chapter', String.raw`⟦undefined-command⟧\printindexes`),
  thesis('a missing listing in a chapter', String.raw`⟦missing-file⟧\input{listings/code}`),
  thesis('an option of a picture in a chapter', String.raw`⟦unknown-option⟧\includegraphics[widht=5cm]{example-image}`),
  thesis('a hash in a chapter', String.raw`⟦hash-in-text⟧Section #2.`),
  thesis(
    'a unit that is missing in a chapter',
    String.raw`⟦missing-unit⟧\vspace{2}
Text.`,
  ),
  thesis(
    'a large length in a chapter',
    String.raw`⟦dimension-too-large⟧\vspace{999999pt}
Text.`,
  ),
  thesis('a package in a chapter', String.raw`⟦preamble-only⟧\usepackage{xcolor}`),
  thesis('a left without a right in a chapter', String.raw`⟦unpaired-delimiter⟧\[ \left( a \]`),
  thesis('an end without a beginning in a chapter', String.raw`⟦unmatched-environment⟧\end{figure}`),
  thesis('verbatim text in a footnote of a chapter', String.raw`⟦verb-in-argument⟧Words\footnote{\verb|a_b|}.`),
  thesis('a counter in a chapter', String.raw`⟦undefined-counter⟧\setcounter{chapters}{1}`),
  thesis('an item in a chapter', String.raw`⟦lonely-item⟧\item One`),
  thesis('a caption in a chapter', String.raw`⟦caption-outside-float⟧\caption{One}`),
  article('an undefined command in LuaLaTeX', String.raw`⟦undefined-command⟧The \foo.`, '', { engine: 'lualatex' }),
  article('an undefined command in XeLaTeX', String.raw`⟦undefined-command⟧The \foo.`, '', { engine: 'xelatex' }),
  article('an underscore in LuaLaTeX', String.raw`⟦outside-math⟧The my_file.`, '', { engine: 'lualatex' }),
  article('an underscore in XeLaTeX', String.raw`⟦outside-math⟧The my_file.`, '', { engine: 'xelatex' }),
  article(
    'an environment that is not ended in LuaLaTeX',
    String.raw`⟦unmatched-environment⟧\begin{center}
Text.`,
    '',
    { engine: 'lualatex' },
  ),
  article('a missing package in XeLaTeX', 'Text.', String.raw`⟦missing-package⟧\usepackage{nosuchpackage}`, {
    engine: 'xelatex',
  }),
  article('a missing file in LuaLaTeX', String.raw`⟦missing-file⟧\input{nosuch}`, '', { engine: 'lualatex' }),
  article(
    'a brace that is not closed in LuaLaTeX',
    String.raw`⟦unclosed-brace⟧\textbf{bold

Text.`,
    '',
    { engine: 'lualatex' },
  ),
  article('a script twice in XeLaTeX', String.raw`⟦double-script⟧It is $a^b^c$.`, '', { engine: 'xelatex' }),
  article(
    'an extra cell in LuaLaTeX',
    String.raw`\begin{tabular}{l}
⟦extra-cell⟧a & b \\
\end{tabular}`,
    '',
    { engine: 'lualatex' },
  ),
  article(
    'an unknown color in XeLaTeX',
    String.raw`⟦undefined-color⟧\textcolor{reddish}{a}`,
    String.raw`\usepackage{xcolor}`,
    { engine: 'xelatex' },
  ),
  project('a mistake in an abstract', {
    'main.tex': String.raw`\documentclass{article}
\title{One}\author{Alice}
\begin{document}
\maketitle
\begin{abstract}
⟦undefined-command⟧The \foo of it.
\end{abstract}
\end{document}
`,
  }),
  project('an undefined command in the title', {
    'main.tex': String.raw`\documentclass{article}
⟦undefined-command⟧\title{The \foo of it}\author{Alice}
\begin{document}
\maketitle
\end{document}
`,
  }),
  project('an unknown command of Koma-Script', {
    'main.tex': String.raw`\documentclass{scrartcl}
\begin{document}
⟦undefined-command⟧\subsubtitle{One}
Text.
\end{document}
`,
  }),
  article(
    'an undefined command in a list',
    String.raw`\begin{itemize}
\item One
⟦undefined-command⟧\item The \foo
\end{itemize}`,
  ),
  article(
    'an undefined command in an item with a label',
    String.raw`\begin{description}
⟦undefined-command⟧\item[The \foo] One
\end{description}`,
  ),
  article(
    'an undefined command in a quotation',
    String.raw`\begin{quote}
⟦undefined-command⟧The \foo
\end{quote}`,
  ),
  article(
    'two mistakes in two paragraphs',
    String.raw`⟦undefined-command⟧The \foo.

⟦ampersand-in-text⟧Smith & Sons.`,
  ),
  article(
    'an undefined command in a theorem',
    String.raw`\begin{claim}
⟦undefined-command⟧The \foo.
\end{claim}`,
    String.raw`\newtheorem{claim}{Claim}`,
  ),
  article(
    'an undefined command in a minipage',
    String.raw`\begin{minipage}{5cm}
⟦undefined-command⟧The \foo.
\end{minipage}`,
  ),
  article(
    'a missing picture in a minipage',
    String.raw`\begin{minipage}{5cm}
⟦missing-file⟧\includegraphics{nosuch}
\end{minipage}`,
    String.raw`\usepackage{graphicx}`,
  ),
  article('an unknown counter of a reference', String.raw`⟦undefined-counter⟧\stepcounter{nosuch}Text.`),
  article(
    'a script twice in a matrix',
    String.raw`\[\begin{pmatrix}
a & b \\
⟦double-script⟧c & d^2^3
\end{pmatrix}\]`,
    String.raw`\usepackage{amsmath}`,
  ),
  article('a command of another package in a formula', String.raw`⟦undefined-command⟧\[ \coloneqq \]`),
  article('a misspelled fraction', String.raw`⟦undefined-command⟧It is $\farc{a}{b}$.`),
]
