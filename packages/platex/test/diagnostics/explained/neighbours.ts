import { article, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw

/** Several mistakes close together, of which none hides another, and mistakes of single packages. */
export const explainedNeighbours: readonly ExplainedDocument[] = [
  article(
    'an underscore in the paragraph after a cut formula',
    '⟦blank-line-in-math⟧$x^2\n\nText after.\n\n⟦outside-math⟧The value y_1 is.\n\n⟦undefined-command⟧And \\foo too.',
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
]
