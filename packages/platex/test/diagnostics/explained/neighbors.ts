import { article, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw

/** Several mistakes close together, of which none hides another, and mistakes of single packages. */
export const explainedNeighbors: readonly ExplainedDocument[] = [
  article(
    'an underscore in the paragraph after a cut formula',
    '⟦blank-line-in-math⟧$x^2\n\nText after.\n\n⟦outside-math⟧The value y_1 is.\n\n⟦undefined-command⟧And \\foo too.',
  ),
  article(
    'a heading without a closing brace after an undefined command',
    '⟦undefined-command⟧\\wrong\n\n⟦runaway-argument⟧\\section*{Tides\nText.\n\nMore.',
  ),
  article(
    'a picture without a closing brace after an undefined command',
    '⟦undefined-command⟧\\wrong\n\n⟦runaway-argument⟧\\includegraphics[width=2cm]{example-image\nText.\n\nMore.',
    '\\usepackage{graphicx}',
  ),
  article(
    'a package without a closing brace below text in the preamble',
    'Text.',
    '⟦missing-begin-document⟧Text.\n⟦unclosed-brace⟧\\usepackage{amsmath',
  ),
  article(
    'a definition without a closing brace after an undefined command',
    'Text.',
    '⟦undefined-command⟧\\wrong\n⟦unclosed-brace⟧\\newcommand{\\tide}{low tide',
  ),
  article(
    'a link without its text after a misspelled option',
    '\n⟦runaway-argument⟧\\href{https://example.org}\n\nText.',
    '\\usepackage{hyperref}\n⟦unknown-option⟧\\hypersetup{colorlink=true}',
  ),
  article(
    'cases without an end in aligned formulas',
    '\\begin{align*}\n⟦unmatched-environment⟧f(x) &= \\begin{cases}\n1 & x>0\\\\\n0 & x<0\n\\\\\nf(y) &= 2\n\\end{align*}',
    r`\usepackage{amsmath}`,
  ),
  article('an undefined unit after a prefix', r`⟦undefined-command⟧\qty{3}{\kilo\meterr}`, r`\usepackage{siunitx}`),
  article(
    'an algorithm with a condition that has no alternative',
    '\\begin{algorithm}\n\\While{x}{\n\\eIf{a}{b}\n⟦runaway-argument⟧}\n\\end{algorithm}',
    r`\usepackage{algorithm2e}`,
  ),
  article(
    'a style of biblatex that does not exist',
    '\\cite{a}',
    '⟦missing-bibliography-style⟧\\usepackage[style=auhtoryear]{biblatex}',
  ),
  article(
    'several signs in a list',
    '\\begin{itemize}\n⟦outside-math⟧\\item a_b\n\\item c\n⟦undefined-command⟧\\item \\foo\n⟦ampersand-in-text⟧\\item A & B\n\\end{itemize}',
  ),
  article(
    'a table, a formula and a picture in a row',
    '\\begin{tabular}{ll}\n⟦extra-cell⟧a & b & c\\\\\n\\end{tabular}\n\n⟦double-script⟧$a^b^c$\n\n⟦undefined-command⟧\\textbff{x}\n\n\\begin{itemize}\n\\item a\n⟦unmatched-environment⟧\\end{enumerate}',
  ),
  article(
    'a percent sign that hides the end of a row',
    '\\begin{tabular}{lc}\nName & Share \\\\\n⟦extra-cell⟧Tide & 50% \\\\\nEbb & 30\\% \\\\\n\\end{tabular}',
  ),
  article(
    'a row with a cell too many below one with a comment',
    '\\begin{tabular}{lc}\na & b \\\\ % first \\\\\n⟦extra-cell⟧c & d & e \\\\\n\\end{tabular}',
  ),
  article(
    'cells of several columns without their type',
    '\\begin{tabular}{lcc}\n⟦unknown-column-type⟧\\multicolumn{2}{Name} & Value \\\\\na & b & c \\\\\n\\end{tabular}',
  ),
  article(
    'a table with columns in place of its width',
    '⟦missing-number⟧\\begin{tabularx}{lX}\na & b \\\\\n\\end{tabularx}',
    '\\usepackage{tabularx}',
  ),
  article(
    'columns in an equation',
    '\\begin{equation}\n⟦ampersand-in-text⟧a &= b \\\\\nc &= d\n\\end{equation}',
    '\\usepackage{amsmath}',
  ),
  article('columns in a displayed formula', '\\[\n⟦ampersand-in-text⟧a &= b\n\\]', '\\usepackage{amsmath}'),
  article(
    'columns in gather',
    '\\begin{gather}\n⟦ampersand-in-text⟧a &= b \\\\\nc &= d\n\\end{gather}',
    '\\usepackage{amsmath}',
  ),
  article('items without their list', '⟦lonely-item⟧\\item One\n\\item Two'),
  article(
    'a figure without its end',
    '⟦unmatched-environment⟧\\begin{figure}\nText.\n\\caption{A}\n\n\\section{Next}\nText.',
  ),
  article('a command with a digit in its name', 'The \\tide1 is.', '⟦missing-command-name⟧\\newcommand{\\tide1}{high}'),
  article(
    'a command with an underscore in its name',
    'The \\tide_high is.',
    '⟦missing-command-name⟧\\newcommand{\\tide_high}{high}',
  ),
  article('a word with an accent in a formula', '⟦wrong-mode⟧$für x > 0$ it holds.'),
  article('a character that was lost', '⟦unicode-character⟧The tide f\uFFFDllt.'),
  article('a unit in another language', '⟦undefined-command⟧\\SI{5}{\\metre\\per\\sekunde}', '\\usepackage{siunitx}'),
  article(
    'a colored box with open options',
    '⟦runaway-argument⟧\\begin{tcolorbox}[title=Note\nText.\n\\end{tcolorbox}',
    '\\usepackage{tcolorbox}',
  ),
  article(
    'keys of citations with a semicolon',
    '⟦invalid-key⟧\\cite{smith; jones}\n\\bibliographystyle{plain}\n\\bibliography{refs}',
    '',
    { files: { 'refs.bib': '@misc{smith, author={A}, title={B}, year=2020}\n' } },
  ),
  article(
    'a chapter with a space in its name',
    '⟦space-in-file-name⟧\\include{high tide}\n\\bibliographystyle{plain}\n\\bibliography{refs}',
    '',
    { files: { 'high tide.tex': '\\cite{smith}\n', 'refs.bib': '@misc{smith, author={A}, title={B}, year=2020}\n' } },
  ),
  article(
    'a database with a space in its name',
    '\\cite{smith}\n\\bibliographystyle{plain}\n⟦missing-bibliography⟧\\bibliography{my refs}',
    '',
    { files: { 'my refs.bib': '@misc{smith, author={A}, title={B}, year=2020}\n' } },
  ),
  article(
    'a misspelled acronym',
    '⟦undefined-glossary-entry⟧\\gls{gsp}\n\\printglossaries',
    '\\usepackage[acronym]{glossaries}\n\\makeglossaries\n\\newacronym{gps}{GPS}{Positioning System}',
  ),
]
