import { article, type ExplainedDocument } from '../explained-document.ts'

/** Mistakes in text, formulas, lists and tables. */
export const explainedEveryday: readonly ExplainedDocument[] = [
  article(
    'a misspelled command of the document',
    String.raw`⟦undefined-command⟧The \velocty is high.`,
    String.raw`\newcommand{\velocity}{v}`,
  ),
  article(
    'a misspelled command of LaTeX',
    String.raw`⟦undefined-command⟧\secton{One}
Text.`,
  ),
  article('a command whose package is missing', String.raw`⟦undefined-command⟧\includegraphics{plot}`),
  article(
    'a command in a caption',
    String.raw`\begin{figure}
Picture.
⟦undefined-command⟧\caption{The \foo of it}
\end{figure}`,
  ),
  article(
    'a command in a heading',
    String.raw`⟦undefined-command⟧\section{The \foo of it}
Text.`,
  ),
  article(
    'a command in a footnote',
    String.raw`Some text
⟦undefined-command⟧with a note\footnote{about \foo here}.`,
  ),
  article(
    'a command in a formula over lines',
    String.raw`\begin{align}
a &= b \\
⟦undefined-command⟧c &= \foo{d}
\end{align}`,
    String.raw`\usepackage{amsmath}`,
  ),
  article(
    'a command in a table',
    String.raw`\begin{tabular}{ll}
a & b \\
⟦undefined-command⟧c & \foo \\
\end{tabular}`,
  ),
  article(
    'a command inside a macro of the document',
    String.raw`⟦undefined-command⟧\shout{x}`,
    String.raw`\newcommand{\shout}[1]{\foo #1}`,
  ),
  article(
    'a misspelled environment',
    String.raw`⟦undefined-environment⟧\begin{itemise}
Text.
\end{itemise}`,
  ),
  article(
    'an environment whose package is missing',
    String.raw`⟦undefined-environment⟧\begin{align}
a &= b
\end{align}`,
  ),
  article(
    'a theorem that is not declared',
    String.raw`⟦undefined-environment⟧\begin{theorem}
True.
\end{theorem}`,
  ),
  article(
    'an environment that is not ended',
    String.raw`⟦unmatched-environment⟧\begin{itemize}
\item One`,
  ),
  article(
    'an environment that another one ends',
    String.raw`\begin{center}
Text
⟦unmatched-environment⟧\end{flushleft}`,
  ),
  article(
    'an end without a beginning',
    String.raw`Text
⟦unmatched-environment⟧\end{itemize}
more.`,
  ),
  article(
    'an inner environment that is not ended',
    String.raw`\begin{figure}
⟦missing-end-document⟧\begin{center}
Text
\end{figure}`,
  ),
  article(
    'a list that is not ended before a heading',
    String.raw`⟦unmatched-environment⟧\begin{enumerate}
\item One
\section{Next}
Text.`,
  ),
  article(
    'a brace that is not closed in text',
    String.raw`⟦unclosed-brace⟧\textbf{bold text
goes on.

More text.`,
  ),
  article(
    'a brace that is not closed in a heading',
    String.raw`⟦unclosed-brace⟧\section{One
Text.

More text.`,
  ),
  article(
    'a group that is not closed',
    String.raw`Text
⟦unclosed-brace⟧{\large more text
and more.`,
  ),
  article(
    'a footnote that is not closed',
    String.raw`⟦unclosed-brace⟧Text\footnote{a note.
More.`,
  ),
  article('a brace too many', String.raw`⟦unmatched-closing-brace⟧Some \textbf{bold}} text.`),
  article('a brace too many in a formula', String.raw`⟦extra-closing-brace⟧The sum $a}$ is.`),
  article(
    'a dollar that is not closed',
    String.raw`⟦blank-line-in-math⟧The price is 5$ and

more text.`,
  ),
  article('an underscore in text', String.raw`⟦outside-math⟧The file my_file is here.`),
  article('a power in text', String.raw`⟦outside-math⟧An area of 5 m^2 is small.`),
  article('a Greek letter in text', String.raw`⟦outside-math⟧The angle \alpha is small.`),
  article(
    'an underscore in a heading',
    String.raw`⟦outside-math⟧\section{The my_file case}
Text.`,
  ),
  article(
    'an underscore in a caption',
    String.raw`\begin{table}
⟦outside-math⟧\caption{The my_file case}
\end{table}`,
  ),
  article('an ampersand in text', String.raw`⟦ampersand-in-text⟧Smith & Sons`),
  article('a hash in text', String.raw`⟦hash-in-text⟧Issue #5 is open.`),
  article(
    'a formula with an empty line',
    String.raw`\begin{equation}
a = b
⟦blank-line-in-math⟧
c = d
\end{equation}`,
  ),
  article(
    'an aligned formula with an empty line',
    String.raw`\begin{align}
a &= b \\
⟦blank-line-in-math⟧
c &= d
\end{align}`,
    String.raw`\usepackage{amsmath}`,
  ),
  article('a script twice', String.raw`⟦double-script⟧It is $a^b^c$.`),
  article('an index twice', String.raw`⟦double-script⟧It is $a_b_c$.`),
  article('a left without a right', String.raw`⟦unpaired-delimiter⟧It is $\left( a + b$ then.`),
  article('a right without a left', String.raw`⟦unpaired-delimiter⟧It is $a + b \right)$ then.`),
  article('a left without its delimiter', String.raw`⟦unpaired-delimiter⟧It is $\left a \right)$ then.`),
  article(
    'a display that is not closed',
    String.raw`\[ a = b
Text after it.
⟦blank-line-in-math⟧
More.`,
  ),
  article('a display that ends with one dollar', String.raw`⟦display-math-end⟧$$ a = b $ text.`),
  article('a display inside a formula', String.raw`⟦math-delimiter⟧It is $a \[ b \] c$.`),
  article('an end of a display without its beginning', String.raw`⟦math-delimiter⟧Text \] more.`),
  article(
    'a row with too many cells',
    String.raw`\begin{tabular}{ll}
a & b \\
⟦extra-cell⟧c & d & e \\
\end{tabular}`,
  ),
  article(
    'a rule after a row without its end',
    String.raw`\begin{tabular}{ll}
a & b
⟦misplaced-rule⟧\hline
\end{tabular}`,
  ),
  article(
    'an unknown column type',
    String.raw`⟦unknown-column-type⟧\begin{tabular}{lzr}
a & b & c
\end{tabular}`,
  ),
  article('an item outside of a list', String.raw`⟦lonely-item⟧\item One`),
  article('a caption outside of a float', String.raw`⟦caption-outside-float⟧\caption{A picture}`),
  article(
    'a float in a box',
    String.raw`\parbox{5cm}{%
⟦float-in-box⟧\begin{figure} a \end{figure}}`,
  ),
  article(
    'a line break where there is no line',
    String.raw`Text.

⟦no-line-to-end⟧\\ More text.`,
  ),
  article(
    'a command that is defined twice',
    String.raw`Text.`,
    String.raw`⟦command-already-defined⟧\newcommand{\section}{x}`,
  ),
  article(
    'a command that is redefined without a definition',
    String.raw`Text.`,
    String.raw`⟦undefined-command⟧\renewcommand{\nosuch}{x}`,
  ),
  article(
    'a command of the preamble in the text',
    String.raw`⟦preamble-only⟧\usepackage{amsmath}
Text.`,
  ),
  article('text before the document', String.raw`Text.`, String.raw`⟦missing-begin-document⟧Some words here`),
  article('verbatim text in a footnote', String.raw`⟦verb-in-argument⟧Text\footnote{see \verb|a_b|}.`),
  article(
    'verbatim text in a heading',
    String.raw`⟦verb-in-argument⟧\section{The \verb|a_b| option}
Text.`,
  ),
  article(
    'verbatim text that does not end on its line',
    String.raw`⟦verb-in-argument⟧See \verb|a_b
more.`,
  ),
  article('a length without a unit', String.raw`⟦missing-unit⟧A\hspace{5}B`),
  article('a length that is no number', String.raw`⟦missing-number⟧A\hspace{wide}B`),
  article('a length that is too large', String.raw`⟦dimension-too-large⟧A\hspace{99999cm}B`),
  article('a picture with a length without a unit', String.raw`⟦missing-unit⟧\rule{5}{1cm}`),
  article('a counter that does not exist', String.raw`⟦undefined-counter⟧\setcounter{chapters}{3}`),
  article('a recursion without end', String.raw`\loopy`, String.raw`⟦capacity-exceeded⟧\newcommand{\loopy}{\loopy x}`),
  article('a document without pages', String.raw`\relax`, '', { unplaced: ['no-pages'] }),
  article(
    'a reference without its closing brace',
    String.raw`⟦runaway-argument⟧See \ref{one for more.

Text.`,
  ),
  article(
    'a label without its closing brace',
    String.raw`⟦runaway-argument⟧\section{One}\label{sec:one
Text.

More.`,
  ),
  article('a fraction without its second argument', String.raw`⟦missing-closing-brace⟧It is $\frac{a}$.`),
  article(
    'a conditional without its end',
    String.raw`⟦unmatched-conditional⟧\iftrue
Text.`,
  ),
  article('an else without its conditional', String.raw`⟦unmatched-conditional⟧Text \fi more.`),
]
