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
    message: 'Use a command that nobody defined',
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
    message: 'Open a brace for good',
    body: String.raw`\textbf{The tide rises, and never stops.`,
  },
  {
    branch: 'unfinished-list',
    message: 'Begin a list and not end it',
    body: String.raw`\begin{itemize}
  \item High water.
  \item Low water.`,
  },
  { branch: 'ampersand', message: 'Write an ampersand as it is', body: 'Measured by Smith & Daughters.' },
  { branch: 'underscore', message: 'Write an index outside of math', body: 'The range a_0 at the mouth is known.' },
  {
    branch: 'missing-figure',
    message: 'Show a picture under another name',
    preamble: String.raw`\usepackage{graphicx}`,
    body: String.raw`\includegraphics[width=3cm]{figures/rnage}`,
  },
  { branch: 'greek-letter', message: 'Paste a letter that the font lacks', body: 'The angle α is small.' },
  {
    branch: 'unknown-citation',
    message: 'Cite what is not in the bibliography',
    body: String.raw`As shown before \cite{gren1838}.
\bibliographystyle{plain}
\bibliography{references}`,
  },
  {
    branch: 'wrong-column-count',
    message: 'Fill one column more than the table has',
    body: String.raw`\begin{tabular}{ll}
  Port & High & Low \\
\end{tabular}`,
  },
  { branch: 'math-mismatch', message: 'End math with a bracket missing', body: String.raw`\[ \left( \frac{a}{b} \]` },
  {
    branch: 'duplicate-label',
    message: 'Call two sections the same',
    body: String.raw`\section{High}\label{sec:water}
\section{Low}\label{sec:water}
See section~\ref{sec:wter}.`,
  },
]

/** A repository whose `main` is correct and whose other branches have one mistake each. */
export const errorExamples: DemoRepository = {
  owner: 'alice',
  name: 'error-zoo',
  description: 'One branch a mistake: how each is told, and on which line',
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
        ['README.md', '# Error zoo\n\nEach branch has one mistake. Look at its PDF page, or at `main.tex` in it.\n'],
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
