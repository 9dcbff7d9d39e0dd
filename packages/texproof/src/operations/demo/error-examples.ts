/** One branch per mistake: what beginners write, and how this host reports it. */
import type { DemoRepository } from './demo-repository.ts'

interface Mistake {
  readonly branch: string
  /** The commit message. */
  readonly message: string
  /** Lines of the preamble after the document class. */
  readonly preamble?: string
  readonly body: string
}

const mistakes: readonly Mistake[] = [
  {
    branch: 'undefined-command',
    message: 'Use an undefined command',
    body: String.raw`The depth is \depht{h} everywhere.`,
  },
  {
    branch: 'missing-package',
    message: 'Load a package that does not exist',
    preamble: String.raw`\usepackage{tidetables}`,
    body: 'The tables come from a package.',
  },
  {
    branch: 'unclosed-brace',
    message: 'Leave a brace open',
    body: String.raw`\textbf{The tide rises, and never stops.`,
  },
  {
    branch: 'unfinished-list',
    message: 'Leave a list open',
    body: String.raw`\begin{itemize}
  \item High water.
  \item Low water.`,
  },
  { branch: 'ampersand', message: 'Write an unescaped ampersand', body: 'Measured by Smith & Daughters.' },
  { branch: 'underscore', message: 'Write a subscript outside math', body: 'The range a_0 at the mouth is known.' },
  {
    branch: 'missing-figure',
    message: 'Include a missing picture',
    preamble: String.raw`\usepackage{graphicx}`,
    body: String.raw`\includegraphics[width=3cm]{figures/rnage}`,
  },
  { branch: 'greek-letter', message: 'Paste a character that the font lacks', body: 'The angle α is small.' },
  {
    branch: 'unknown-citation',
    message: 'Cite a missing entry',
    body: String.raw`As shown before \cite{gren1838}.
\bibliographystyle{plain}
\bibliography{references}`,
  },
  {
    branch: 'wrong-column-count',
    message: 'Fill too many columns',
    body: String.raw`\begin{tabular}{ll}
  Port & High & Low \\
\end{tabular}`,
  },
  { branch: 'math-mismatch', message: 'Leave a bracket open in math', body: String.raw`\[ \left( \frac{a}{b} \]` },
  {
    branch: 'duplicate-label',
    message: 'Use a label twice',
    body: String.raw`\section{High}\label{sec:water}
\section{Low}\label{sec:water}
See section~\ref{sec:wter}.`,
  },
]

/** A repository whose `main` is correct and whose other branches have one mistake each. */
export const errorExamples: DemoRepository = {
  owner: 'alice',
  name: 'error-zoo',
  description: 'One mistake per branch, each reported on its line',
  visibility: 'public',
  commits: [
    {
      message: 'Begin with a paper that compiles',
      hoursAgo: 200,
      files: new Map([
        ['main.tex', paper('', 'Nothing is wrong here. Every other branch has one mistake.')],
        ['figures/range.txt', 'The picture is called range.\n'],
        [
          'references.bib',
          '@article{green1838,\n  author = {Green, George},\n  title = {On the Motion of Waves in a Variable Canal},\n  journal = {Transactions},\n  year = {1838},\n}\n',
        ],
        ['README.md', '# Error zoo\n\nEach branch has one mistake. Look at its PDF page, or at its `main.tex`.\n'],
      ]),
    },
    ...mistakes.map(({ branch, message, preamble = '', body }, n) => ({
      branch,
      message,
      hoursAgo: 190 - n,
      files: new Map([['main.tex', paper(preamble, body)]]),
    })),
  ],
}

function paper(preamble: string, body: string): string {
  return String.raw`\documentclass{article}
\usepackage[T1]{fontenc}
${preamble}
\begin{document}

${body}

\end{document}
`.replace('\n\n\\begin{document}', '\n\\begin{document}')
}
