import { project, type ExplainedDocument } from '../explained-document.ts'

const frames = (title: string, body: string, preamble = ''): ExplainedDocument =>
  project(title, { 'main.tex': `\\documentclass{beamer}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n` })

/** Mistakes in frames of beamer, which it reads as a whole. */
export const explainedFrames: readonly ExplainedDocument[] = [
  frames(
    'verbatim text in a frame that is not fragile',
    '\\begin{frame}{A}\nText.\n\n⟦verb-in-argument⟧Use \\verb|a_b| here.\n\\end{frame}',
  ),
  frames(
    'a verbatim environment with a comment sign in a frame that is not fragile',
    '\\begin{frame}{A}\n⟦unmatched-environment⟧\\begin{verbatim}\nx = 1 # one\n\\end{verbatim}\n\\end{frame}',
  ),
  frames(
    'the end of a fragile frame beside other text',
    '\\begin{frame}[fragile]{A}\n\\begin{lstlisting}\nint x;\n⟦unmatched-environment⟧\\end{lstlisting} \\end{frame}\n\\begin{frame}\nB\n\\end{frame}',
    '\\usepackage{listings}',
  ),
  frames(
    'the end of a frame in another case',
    '\\begin{frame}{A}\nText.\n⟦unmatched-environment⟧\\end{Frame}\n\\begin{frame}\nB\n\\end{frame}',
  ),
  frames(
    'a column without its width',
    '\\begin{frame}{A}\n\\begin{columns}\n⟦runaway-argument⟧\\begin{column}\nLeft\n\\end{column}\n\\end{columns}\n\\end{frame}',
  ),
  frames(
    'an overlay that is not closed',
    '\\begin{frame}{A}\n\\begin{itemize}\n\\item<1-> A\n⟦runaway-argument⟧\\item<2- B\n\\end{itemize}\n\\end{frame}',
  ),
  frames(
    'a frame without its end before the next one',
    '⟦unmatched-environment⟧\\begin{frame}{A}\n\\begin{itemize}\n\\item A\n\\end{itemize}\n\n\\begin{frame}{B}\nB\n\\end{frame}\n\\begin{frame}{C}\nC\n\\end{frame}',
  ),
  frames(
    'a fragile frame without its end',
    '⟦unmatched-environment⟧\\begin{frame}[fragile]{A}\nUse \\verb|a|.\n\n\\begin{frame}{B}\nB\n\\end{frame}',
  ),
  frames(
    'a frame in a frame',
    '⟦unmatched-environment⟧\\begin{frame}{A}\nA\n\\begin{frame}{B}\nB\n\\end{frame}\n\\end{frame}\n\n\\begin{frame}{C}\nC\n\\end{frame}',
  ),
  frames(
    'an end of a frame too many',
    '\\begin{frame}{A}\nA\n\\end{frame}\n⟦unmatched-environment⟧\\end{frame}\n\\begin{frame}{B}\nB\n\\end{frame}',
  ),
  frames(
    'a diagram in a frame that is not fragile',
    '\\begin{frame}{A}\n\\[\n⟦tikz-syntax⟧\\begin{tikzcd}\nA \\arrow[r] & B\n\\end{tikzcd}\n\\]\n\\end{frame}',
    '\\usepackage{tikz-cd}',
  ),
]
