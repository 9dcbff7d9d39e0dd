import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const book = (author: string) =>
  `@book{smith,\n⟦invalid-encoding⟧  author = {${author}},\n  title = {Tides},\n  publisher = {Press},\n  year = 2020\n}\n`

/** Sources in other encodings, and characters that look like characters of the keyboard. */
export const explainedEncodings: readonly ExplainedDocument[] = [
  article('Latin-1 whose last byte hides the end of the document', '⟦invalid-encoding⟧Größe.\n\nEin Café', '', {
    latin1: ['main.tex'],
  }),
  article('a chapter in Latin-1', '\\input{one}', '', {
    files: { 'one.tex': '⟦invalid-encoding⟧\\section{Länge}\nGröße.\n' },
    latin1: ['one.tex'],
  }),
  article('a chapter in Latin-1 whose last character is not complete', '\\input{one}\n\\input{two}', '', {
    files: { 'one.tex': 'Text.\n\n⟦invalid-encoding⟧Ein Café\n', 'two.tex': 'Text.\n⟦invalid-encoding⟧Das Café' },
    latin1: ['one.tex', 'two.tex'],
  }),
  project(
    'a document in Latin-1 whose last character is not complete',
    { 'main.tex': '\\documentclass{article}\n\\begin{document}\nText.\n⟦invalid-encoding⟧Ein Café' },
    { latin1: ['main.tex'] },
  ),
  article('a chapter in Latin-1, in XeLaTeX', '\\input{one}', '', {
    engine: 'xelatex',
    files: { 'one.tex': 'Text.\n\n⟦invalid-encoding⟧Größe.\n\nLänge.\n' },
    latin1: ['one.tex'],
  }),
  article('a chapter in Latin-1, in LuaLaTeX', '\\input{one}', '', {
    engine: 'lualatex',
    files: { 'one.tex': 'Text.\n\n⟦invalid-encoding⟧Größe.\n\nLänge.\n' },
    latin1: ['one.tex'],
  }),
  article('a bibliography in Latin-1', '\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}', '', {
    files: { 'refs.bib': book('Müller') },
    latin1: ['refs.bib'],
  }),
  article(
    'a bibliography in Latin-1, in biber',
    '\\cite{smith}\n\\printbibliography',
    '\\usepackage{biblatex}\n\\addbibresource{refs.bib}',
    { files: { 'refs.bib': book('Müller') }, latin1: ['refs.bib'] },
  ),
  article(
    'typographic quotes in a listing',
    '\\begin{lstlisting}\n⟦unicode-in-listing⟧print(“hello”)\n\\end{lstlisting}',
    r`\usepackage{listings}`,
  ),
  article('braces of East Asian input', '⟦unicode-character⟧⟦unicode-character⟧\\textbf｛bold｝ text'),
  article('a typographic minus sign in a length', '⟦missing-number⟧\\vspace{−5mm}'),
]
