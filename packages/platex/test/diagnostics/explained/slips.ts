import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const book = '@book{smith,\n  author = {Smith},\n  title = {Tides},\n  publisher = {Press},\n  year = 2020\n}\n'
const cite = '\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}'

/** Mistakes that people make every day while they type. */
export const explainedSlips: readonly ExplainedDocument[] = [
  article(
    'two backslashes before begin',
    'Text.\n\n⟦no-line-to-end⟧\\\\begin{itemize}\n\\item One\n\\item Two\n\\end{itemize}\n\nText.',
  ),
  article(
    'two backslashes before begin, after text',
    'Text.\n⟦unmatched-environment⟧\\\\begin{itemize}\n\\item One\n\\item Two\n\\end{itemize}\n\nText.',
  ),
  article(
    'two backslashes before the beginning of a formula',
    'Text.\n\n⟦no-line-to-end⟧\\\\begin{equation}\na_1\n\\end{equation}\n\nText.',
  ),
  article(
    'two backslashes before end',
    '\\begin{itemize}\n\\item One\n⟦unmatched-environment⟧\\\\end{itemize}\n\nText.',
  ),
  article('a command without its argument before the end of the document', 'Text.\n⟦runaway-argument⟧\\textbf'),
  article(
    'a command without its argument before the end of a list',
    '\\begin{itemize}\n\\item One\n⟦runaway-argument⟧\\item \\texttt\n\n\\end{itemize}',
  ),
  article(
    'a command without its argument before an end on the same line',
    '⟦runaway-argument⟧\\begin{center} \\emph \\end{center}',
  ),
  article(
    'a fraction without its second argument',
    '\\begin{equation}\n⟦runaway-argument⟧a = \\frac{1}\n\\end{equation}\nText.',
  ),
  article(
    'options of a bond that are not closed',
    'Water.\n\n⟦runaway-argument⟧\\chemfig{H-[:30O-H}\n\nText.',
    '\\usepackage{chemfig}',
  ),
  article(
    'a language that polyglossia does not know',
    'Text.',
    '\\usepackage{polyglossia}\n⟦unknown-language⟧\\setmainlanguage{klingon}',
    { engine: 'xelatex' },
  ),
  article('a file name in typewriter', '⟦outside-math⟧The file \\texttt{my_file.txt}.'),
  project('a chapter with its own class', {
    'main.tex': '\\documentclass{book}\n\\begin{document}\n\\input{one}\n\\end{document}\n',
    'one.tex': '⟦preamble-only⟧\\documentclass{book}\n\\begin{document}\n\\chapter{One}\n',
  }),
  article('a dollar inside a displayed formula', '\\begin{equation}\n⟦display-math-end⟧a = $b$\n\\end{equation}'),
  article(
    'align inside equation',
    '\\begin{equation}\n⟦math-delimiter⟧\\begin{align}\na &= b\n\\end{align}\n\\end{equation}',
    r`\usepackage{amsmath}`,
  ),
  article(
    'brackets over two lines of a formula',
    '\\begin{align}\na &= \\left( b \\\\\n⟦unpaired-delimiter⟧&+ c \\right)\n\\end{align}',
    r`\usepackage{amsmath}`,
  ),
  article(
    'environments that overlap',
    '\\begin{center}\n⟦unmatched-environment⟧\\begin{tabular}{l}\nx\n\\end{center}\n\\end{tabular}',
  ),
  article('a table without columns', '⟦unknown-column-type⟧\\begin{tabular}\na & b\\\\\n\\end{tabular}'),
  article(
    'options of a list without enumitem',
    '⟦missing-number⟧\\begin{enumerate}[label=(\\alph*)]\n\\item One\n\\end{enumerate}',
  ),
  article(
    'a missing picture whose width has no unit',
    '⟦missing-file⟧⟦missing-unit⟧\\includegraphics[width=0.5]{plot.png}',
    r`\usepackage{graphicx}`,
  ),
  article('an invisible character', '⟦unicode-character⟧zero\u200bwidth'),
  article('characters of math', '⟦unicode-character⟧$x ≤ y$'),
  article('a misspelled end', '\\begin{itemize}\n\\item One\n⟦unmatched-environment⟧\\end{itemise}'),
  article('an entry of a bibliography without a comma', cite, '', {
    files: { 'refs.bib': book.replace('{Smith},\n', '{Smith}\n⟦bibliography-syntax⟧') },
  }),
]
