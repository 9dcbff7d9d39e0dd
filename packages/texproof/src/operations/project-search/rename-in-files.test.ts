import assert from 'node:assert/strict'
import { test } from 'node:test'

import { renameInFiles } from './rename-in-files.ts'

const source = String.raw`\section{Low}\label{low}
See \ref{low}, \cref{high, low,lower} and \hyperref[low]{here}; \crefrange{low}{high}.
% \ref{low}
\verb|\ref{low}| \% \ref{low}
\begin{verbatim}
\ref{low}
\end{verbatim}
\begin{lstlisting}[caption={Low}, label=low]
\ref{low}
\end{lstlisting}
\cite[low]{low} \textcites[p.~3]{low}[4]{high,
  low} \emph{low} \citestyle{low}
\bibitem{low}
`
const bibliography = '@book{low,\n  title = {low},\n  crossref = {low},\n}\n@article{lower,\n}\n'
const files = [
  { path: 'main.tex', text: source },
  { path: 'refs.bib', text: bibliography },
  { path: 'other.tex', text: 'low\n' },
]

test('renameInFiles() renames a label and its references, and nothing else', () => {
  assert.deepEqual(renameInFiles({ files, renaming: { kind: 'label', from: 'low', to: 'sec:ebb' } }), {
    kind: 'renamed',
    files: [
      {
        path: 'main.tex',
        text: String.raw`\section{Low}\label{sec:ebb}
See \ref{sec:ebb}, \cref{high, sec:ebb,lower} and \hyperref[sec:ebb]{here}; \crefrange{sec:ebb}{high}.
% \ref{low}
\verb|\ref{low}| \% \ref{sec:ebb}
\begin{verbatim}
\ref{low}
\end{verbatim}
\begin{lstlisting}[caption={Low}, label=sec:ebb]
\ref{low}
\end{lstlisting}
\cite[low]{low} \textcites[p.~3]{low}[4]{high,
  low} \emph{low} \citestyle{low}
\bibitem{low}
`,
        count: 7,
      },
    ],
  })
})

test('renameInFiles() renames a citation key, its citations and cross-references', () => {
  assert.deepEqual(renameInFiles({ files, renaming: { kind: 'citation', from: 'low', to: 'ebb' } }), {
    kind: 'renamed',
    files: [
      {
        path: 'main.tex',
        text: source
          .replace('\\cite[low]{low}', '\\cite[low]{ebb}')
          .replace('[p.~3]{low}[4]{high,\n  low}', '[p.~3]{ebb}[4]{high,\n  ebb}')
          .replace('\\bibitem{low}', '\\bibitem{ebb}'),
        count: 4,
      },
      {
        path: 'refs.bib',
        text: '@book{ebb,\n  title = {low},\n  crossref = {ebb},\n}\n@article{lower,\n}\n',
        count: 2,
      },
    ],
  })
})

test('renameInFiles() refuses a name that is defined already', () => {
  const taken = renameInFiles({ files, renaming: { kind: 'citation', from: 'low', to: 'lower' } })
  const free = renameInFiles({ files, renaming: { kind: 'label', from: 'nothing', to: 'lower' } })
  assert.deepEqual([taken, free], [{ kind: 'taken' }, { kind: 'renamed', files: [] }])
})

test('renameInFiles() bounds the time of hostile sources', () => {
  const texts = ['\\ref{', '\\cites[', '\\cites{a}', '\\begin{verbatim}', '\\begin{lstlisting}[', '@a{', ' label='].map(
    (part) => part.repeat(500_000 / part.length),
  )
  const hostile = texts.flatMap((text, at) => [
    { path: `${at}.tex`, text },
    { path: `${at}.bib`, text },
  ])
  const counts = (['label', 'citation'] as const).map((kind) => {
    const result = renameInFiles({ files: hostile, renaming: { kind, from: 'a', to: 'b' } })
    return result.kind === 'renamed' ? result.files.map(({ path, count }) => [path, count]) : result.kind
  })
  assert.deepEqual(counts, [[], [['2.tex', 55_555]]])
})
