import { article, project, type ExplainedDocument } from '../explained-document.ts'

const book = '@book{smith,\n  author = {Smith},\n  title = {Tides},\n  publisher = {Press},\n  year = 2020\n}\n'

/** Options, arguments and characters as authors write them by mistake. */
export const explainedOptions: readonly ExplainedDocument[] = [
  article(
    'minted with a cache that is missing',
    '\\begin{minted}{python}\nprint(1)\n⟦shell-escape⟧\\end{minted}',
    '\\usepackage[frozencache]{minted}',
  ),
  article(
    'German quotes in TikZ',
    '"Das ist "= gut"\'. \\begin{tikzpicture}\n⟦tikz-syntax⟧\\draw[->] (0,0) -- node["x"] (1,1);\n\\end{tikzpicture}',
    '\\usepackage[ngerman]{babel}\n\\usepackage{tikz}\n\\usetikzlibrary{quotes}',
  ),
  article(
    'a misspelled style of quotation marks',
    '\\enquote{A}',
    '⟦unknown-option⟧\\usepackage[style=germany]{csquotes}',
  ),
  article(
    'tabularx in a definition',
    '\\begin{mytab}\na & b \\\\\n\\end{mytab}',
    '\\usepackage{tabularx}\n⟦unmatched-environment⟧\\newenvironment{mytab}{\\begin{tabularx}{5cm}{lX}}{\\end{tabularx}}',
  ),
  article(
    'two packages for subfigures',
    '\\begin{figure}\n\\subfloat[A]{a}\n\\end{figure}',
    '⟦incompatible-packages⟧\\usepackage{subcaption}\n\\usepackage{subfigure}',
  ),
  article(
    'a subfigure without its width',
    '\\begin{figure}\n⟦runaway-argument⟧\\begin{subfigure}\nText\n\\caption{A}\n\\end{subfigure}\n\\end{figure}',
    '\\usepackage{subcaption}',
  ),
  article('an emoji', '⟦unicode-character⟧⟦unicode-character⟧Well done 🎉 and ☃.'),
  article('Japanese words in an English paper', '⟦unicode-character⟧The word 日本 means Japan.'),
  article(
    'commands of natbib with biblatex',
    '⟦undefined-command⟧⟦undefined-command⟧\\citep{smith} and \\citet{smith}\n\\printbibliography',
    '\\usepackage{biblatex}\n\\addbibresource{refs.bib}',
    { files: { 'refs.bib': book } },
  ),
  article(
    'commands of biblatex with natbib',
    '⟦undefined-command⟧⟦undefined-command⟧\\parencite{smith} \\autocite{smith}\n\\bibliographystyle{plainnat}\n\\bibliography{refs}',
    '\\usepackage{natbib}',
    { files: { 'refs.bib': book } },
  ),
  article(
    'a misspelled option and a bracket that is not closed',
    '⟦missing-file⟧⟦unknown-option⟧\\includegraphics[widht=5cm]{a}\n\n⟦runaway-argument⟧\\section[short{Long}\n\nText.',
    '\\usepackage{graphicx}',
  ),
  article(
    'a formula in a caption that is not closed, and a list of figures',
    '\\listoffigures\n\\begin{figure}\n⟦extra-closing-brace⟧\\caption{The value of $x_1 over time}\n\\end{figure}\nText',
  ),
  article('an error after a byte order mark', '\\input{one}', '', {
    files: { 'one.tex': '\ufeffText of one.\n\n⟦undefined-command⟧An \\udefined{} command.\n' },
  }),
  project('a misspelled end with the line ends of Windows', {
    'main.tex': '\\documentclass{article}\r\n\\begin{document}\r\n\\input{one}\r\n\\end{document}\r\n',
    'one.tex': 'Text of one.\r\n\r\n\\begin{itemize}\r\n\\item a\r\n⟦unmatched-environment⟧\\end{itemise}\r\n',
  }),
  project('a brace of an included chapter', {
    'main.tex':
      '\\documentclass{book}\n\\begin{document}\n\\include{chapters/one}\n\\include{chapters/two}\n\\end{document}\n',
    'chapters/one.tex': '\\chapter{One}\n⟦unclosed-brace⟧Text \\emph{bold text.\n\nMore.\n',
    'chapters/two.tex': '\\chapter{Two}\nText.\n',
  }),
  project('a file relative to the chapter', {
    'main.tex': '\\documentclass{book}\n\\begin{document}\n\\input{chapters/one}\n\\end{document}\n',
    'chapters/one.tex': '\\chapter{One}\n⟦missing-file⟧\\input{tables/results}\n',
    'chapters/tables/results.tex': 'A\n',
  }),
  article('a folder in the wrong case', '⟦missing-file⟧\\includegraphics{Figures/Plot}', '\\usepackage{graphicx}', {
    files: { 'figures/plot.png': 'x' },
  }),
  article(
    'a theorem that is defined twice',
    'Text',
    '\\newtheorem{theorem}{Theorem}\n⟦command-already-defined⟧\\newtheorem{theorem}{Satz}',
  ),
  article(
    'a rule at the end of a row',
    '\\begin{tabular}{ll}\n⟦misplaced-rule⟧a & b \\hline\nc & d \\\\\n\\end{tabular}',
  ),
  article(
    '\\multirow without its width',
    '\\begin{tabular}{ll}\n⟦runaway-argument⟧\\multirow{2}{a} & b \\\\\n & c \\\\\n\\end{tabular}',
    '\\usepackage{multirow}',
  ),
  article(
    'a misspelled language of listings',
    '⟦unknown-language⟧\\lstinputlisting[language=Pyton]{code.py}',
    '\\usepackage{listings}',
    { files: { 'code.py': 'print(1)\n' } },
  ),
  article('an unknown position in the header', 'Text', '\\usepackage{fancyhdr}\n⟦unknown-option⟧\\fancyhead[X]{a}'),
  article('a misspelled option of geometry', 'Text', '⟦unknown-option⟧\\usepackage[margins=2cm]{geometry}'),
  article(
    'a misspelled option of a list',
    '⟦unknown-option⟧\\begin{enumerate}[lable=(a)]\n\\item a\n\\end{enumerate}',
    '\\usepackage{enumitem}',
  ),
  article(
    'a color with a number sign',
    'Text',
    '\\usepackage{xcolor}\n⟦parameter-number⟧\\definecolor{a}{HTML}{#FF0000}',
  ),
  article(
    '\\resizebox with one length',
    '⟦runaway-argument⟧\\resizebox{\\textwidth}{\\begin{tabular}{l}a\\end{tabular}}',
    '\\usepackage{graphicx}',
  ),
  article('overlays in an article', '⟦undefined-command⟧⟦undefined-command⟧\\only<2>{a} \\pause'),
  article('a root whose bracket is not closed', '⟦runaway-argument⟧$\\sqrt[3{x}$\n\nText.'),
]
