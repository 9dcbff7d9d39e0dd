import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const book = '@book{smith,\n  author = {Smith},\n  title = {Tides},\n  publisher = {Press},\n  year = 2020\n}\n'

/** Mistakes in glossaries, tables, listings and options. */
export const explainedEntries: readonly ExplainedDocument[] = [
  article('a bibliography without a style', '\\cite{smith}\n⟦missing-bibliography-style⟧\\bibliography{refs}', '', {
    files: { 'refs.bib': book },
  }),
  article(
    'a style of quotation marks that does not exist',
    'Text.',
    r`⟦unknown-option⟧\usepackage[style=klingon]{csquotes}`,
  ),
  article('a character that the encoding lacks', '⟦invalid-encoding⟧Größe', r`\usepackage[ascii]{inputenc}`),
  article('an encoding that does not exist', 'Text.', r`⟦missing-file⟧\usepackage[utf-8]{inputenc}`),
  article(
    'a glossary entry without its description',
    r`\gls{a}`,
    '⟦package-warning⟧\\usepackage{glossaries}\n\\makeglossaries\n⟦missing-glossary-field⟧\\newglossaryentry{a}{name=A}',
  ),
  article(
    'a glossary entry without its name',
    r`\gls{a}`,
    '\\usepackage{glossaries}\n⟦missing-glossary-field⟧\\newglossaryentry{a}{description=A}',
  ),
  article('an acronym of acro that is not defined', r`⟦undefined-glossary-entry⟧\ac{x}`, r`\usepackage{acro}`),
  article('an angle with too many parts', r`⟦invalid-number⟧\ang{5;6;7;8}`, r`\usepackage{siunitx}`),
  article(
    'text in a column of numbers',
    '\\begin{tabular}{S}\n⟦invalid-number⟧Hello\\\\\n1.2\\\\\n\\end{tabular}',
    r`\usepackage{siunitx}`,
  ),
  article(
    'a block of an algorithm that is not closed',
    '\\begin{algorithmic}\n\\State x\n\\If{y}\n\\State z\n⟦unmatched-environment⟧\\end{algorithmic}',
    r`\usepackage{algpseudocode}`,
  ),
  article(
    'a long table in two columns',
    '\\twocolumn\n⟦wrong-mode⟧\\begin{longtable}{l}\nx\\\\\n\\end{longtable}',
    r`\usepackage{longtable}`,
  ),
  article(
    'a cell over two columns without its column type',
    '\\begin{tabular}{ll}\n⟦unknown-column-type⟧\\multicolumn{2}{x} \\\\\n\\end{tabular}',
  ),
  article(
    'a table without its width',
    '⟦missing-number⟧\\begin{tabularx}{lX}\na & b\n\\end{tabularx}',
    r`\usepackage{tabularx}`,
  ),
  article(
    'a rule below a row that does not end',
    '\\begin{tabular}{ll}\na & b\n⟦misplaced-rule⟧\\toprule\n\\end{tabular}',
    r`\usepackage{booktabs}`,
  ),
  project('a command that takes the beginning of the document for its argument', {
    'main.tex':
      '\\documentclass{article}\n\\usepackage{titlesec}\n⟦missing-begin-document⟧\\titleformat{\\section}{\\bfseries}\n\\begin{document}\nText.\n\\end{document}\n',
  }),
  article('an option for another engine', 'Text.', r`⟦wrong-engine⟧\usepackage[expansion=true]{microtype}`, {
    engine: 'xelatex',
  }),
  article(
    'an expl3 variable that is not defined',
    '\\ExplSyntaxOn\n⟦undefined-command⟧\\tl_use:N \\l_nosuch\n\\ExplSyntaxOff',
  ),
  article('a file that includes itself', r`\input{a}`, '', { files: { 'a.tex': '⟦capacity-exceeded⟧x \\input{a}\n' } }),
  article(
    'a hash in the address of a heading',
    r`⟦parameter-number⟧\section{\url{http://a.example/#x}}`,
    r`\usepackage{hyperref}`,
  ),
  article('a misspelled beginning', '⟦undefined-command⟧\\being{itemize}\n\\item One\n\\end{itemize}'),
  article(
    'a formula with two labels',
    r`⟦two-labels⟧\begin{equation}a\label{x}\label{y}\end{equation}`,
    r`\usepackage{amsmath}`,
  ),
  article(
    'a formula with two tags',
    r`⟦two-labels⟧\begin{equation}a\tag{1}\tag{2}\end{equation}`,
    r`\usepackage{amsmath}`,
  ),
  article(
    'a listing in an argument',
    '⟦missing-end-document⟧\\textbf{\\begin{lstlisting}\nint x;\n\\end{lstlisting}}',
    r`\usepackage{listings}`,
  ),
  article(
    'a listing in a definition',
    '\\code{x}\n\nText',
    '\\usepackage{listings}\n⟦missing-end-document⟧\\newcommand{\\code}[1]{\\begin{lstlisting}#1\\end{lstlisting}}',
  ),
]
