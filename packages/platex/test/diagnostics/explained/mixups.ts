import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const book = '@book{smith,\n  author = {Smith},\n  title = {Tides},\n  publisher = {Press},\n  year = 2020\n}\n'

/** Commands, names and options of one package that are used with another, and missing libraries. */
export const explainedMixups: readonly ExplainedDocument[] = [
  article(
    'columns without their number',
    '⟦runaway-argument⟧\\begin{multicols}\nText in columns.\n\nMore text.\n\\end{multicols}',
    '\\usepackage{multicol}',
  ),
  project('a theme in the wrong case', {
    'main.tex':
      '\\documentclass{beamer}\n⟦missing-package⟧\\usetheme{Metropolis}\n\\begin{document}\n\\begin{frame}{A}\nText\n\\end{frame}\n\\end{document}\n',
  }),
  article('a package in the wrong case', 'Text', '⟦missing-package⟧\\usepackage{TikZ}'),
  article(
    'the end of a block in the wrong case',
    '\\begin{algorithmic}\n\\If{$a$}\n\\State $b$\n⟦undefined-command⟧\\endIf\n\\end{algorithmic}',
    '\\usepackage{algpseudocode}',
  ),
  article(
    'commands of algpseudocode with algorithm2e',
    '\\begin{algorithm}\n\\If{$a$}\n⟦undefined-command⟧\\State $b$\\;\n⟦undefined-command⟧\\EndIf\n\\end{algorithm}',
    '\\usepackage{algorithm2e}',
  ),
  article(
    'commands of algorithm2e with algpseudocode',
    '\\begin{algorithmic}\n⟦undefined-command⟧\\KwData{a}\n\\State $b$\n\\end{algorithmic}',
    '\\usepackage{algpseudocode}',
  ),
  article(
    '\\eIf of algorithm2e with algpseudocode',
    '\\begin{algorithmic}\n⟦undefined-command⟧\\eIf{$a$}{b}{c}\n\\end{algorithmic}',
    '\\usepackage{algpseudocode}',
  ),
  article(
    'an unknown value of an option of biblatex',
    '\\cite{smith}\n\\printbibliography',
    '⟦unknown-option⟧\\usepackage[sorting=foo]{biblatex}\n\\addbibresource{refs.bib}',
    { files: { 'refs.bib': book } },
  ),
  article(
    'a switch of biblatex that is off',
    '\\cite{smith}\n\\printbibliography',
    '⟦unknown-option⟧\\usepackage[url=off]{biblatex}\n\\addbibresource{refs.bib}',
    { files: { 'refs.bib': book } },
  ),
  article(
    'a style that biblatex does not have',
    '\\cite{smith}\n\\printbibliography',
    '⟦missing-bibliography-style⟧\\usepackage[style=harvard]{biblatex}\n\\addbibresource{refs.bib}',
    { files: { 'refs.bib': book } },
  ),
  article(
    'a misspelled option of biblatex',
    '\\cite{smith}\n\\printbibliography',
    '⟦unknown-option⟧\\usepackage[sortng=none]{biblatex}\n\\addbibresource{refs.bib}',
    { files: { 'refs.bib': book } },
  ),
  article('a missing figure of dvips', 'Text\n⟦missing-file⟧\\special{psfile=nothere.eps}', '', { engine: 'latex' }),
  article('PostScript that divides by zero', 'Text\n\n⟦postscript-error⟧\\special{" 1 0 div}\nText', '', {
    engine: 'latex',
  }),
  article(
    'a plot of pstricks that divides by zero',
    '\\begin{pspicture}(0,0)(2,2)\n⟦postscript-error⟧\\psplot{0}{1}{x 0 div}\n\\end{pspicture}',
    '\\usepackage{pst-plot}',
    { engine: 'latex' },
  ),
  article('a missing picture of dvipdfmx', 'Text\n⟦missing-file⟧\\special{pdf:image (nothere.png)}', '', {
    engine: 'platex',
  }),
  article(
    'an arrow tip without its library',
    '\\begin{tikzpicture}\n⟦unknown-option⟧\\draw[-{Stealth[length=3mm]}] (0,0) -- (1,1);\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  article(
    'a shape without its library',
    '\\begin{tikzpicture}\n⟦unknown-option⟧\\node[diamond, draw] (a) {A};\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  article(
    'a decoration without its library',
    '\\begin{tikzpicture}\n⟦unknown-option⟧\\draw[decorate, decoration={brace, amplitude=5pt}] (0,0) -- (2,0);\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  article(
    'a fitted node without its library',
    '\\begin{tikzpicture}\n\\node (a) {A};\n⟦unknown-option⟧\\node[fit=(a), draw] {};\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  article(
    'a matrix of nodes without its library',
    '\\begin{tikzpicture}\n⟦unknown-option⟧\\matrix[matrix of nodes] { A & B \\\\ C & D \\\\ };\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  article(
    'intersections without their library',
    '\\begin{tikzpicture}\n⟦unknown-option⟧\\draw[name path=a] (0,0) -- (1,1);\n⟦unknown-option⟧\\draw[name path=b] (0,1) -- (1,0);\n⟦unknown-option⟧\\fill[name intersections={of=a and b}] (intersection-1) rectangle (1,1);\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  article(
    'a misspelled library of TikZ',
    '\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}',
    '\\usepackage{tikz}\n⟦missing-file⟧\\usetikzlibrary{arrow.meta}',
  ),
  article('a misspelled unit', '⟦undefined-command⟧Speed \\SI{3}{\\metre\\per\\secnd}.', '\\usepackage{siunitx}'),
  article(
    'a table format with a comma',
    '⟦unknown-option⟧\\begin{tabular}{S[table-format=2,3]}\n1.5 \\\\\n\\end{tabular}',
    '\\usepackage{siunitx}',
  ),
  article(
    'an algorithm without its environment',
    '\\begin{algorithm}\n⟦wrong-mode⟧\\Require $x$\n\\State $x$\n\\If{$x$}\n\\State $y$\n\\EndIf\n\\end{algorithm}',
    '\\usepackage{algorithm,algpseudocode}',
  ),
  article(
    'the environment of algpseudocode with algorithm2e',
    '\\begin{algorithm}\n⟦undefined-environment⟧\\begin{algorithmic}\n\\State $x$\n\\If{$x$}\n\\State $y$\n\\EndIf\n\\end{algorithmic}\n\\end{algorithm}',
    '\\usepackage{algorithm2e}',
  ),
  article(
    'an algorithm of two packages',
    '\\begin{algorithm}\n\\caption{One}\n\\begin{algorithmic}\n\\State $x$\n\\end{algorithmic}\n\\end{algorithm}',
    '\\usepackage{algorithm,algpseudocode}\n⟦command-already-defined⟧\\usepackage{algorithm2e}',
  ),
  article('a unit outside of a quantity', r`The tide rises by 3 ⟦wrong-mode⟧\metre.`, r`\usepackage{siunitx}`),
  article(
    'quantities of siunitx with physics',
    '⟦wrong-mode⟧It is $\\qty{3}{\\metre}$.\nIt was $\\qty{5}{\\second}$.',
    '\\usepackage{physics}\n⟦incompatible-packages⟧\\usepackage{siunitx}',
  ),
  article(
    'rules of booktabs without it',
    '\\begin{tabular}{l}\n⟦undefined-command⟧\\toprule\na \\\\\n\\midrule\nb \\\\\n\\bottomrule\n\\end{tabular}',
  ),
]
