import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const ENGINES = ['pdflatex', 'xelatex', 'lualatex'] as const

/** Documents with one mistake for each engine, because the follow-up errors differ. */
const everywhere = (title: string, body: string, preamble = ''): readonly ExplainedDocument[] =>
  ENGINES.map((engine) => article(title, body, preamble, { engine }))

/** Mistakes of people who write their first papers. */
export const explainedStudents: readonly ExplainedDocument[] = [
  ...everywhere(
    'a quantity without its unit in a table',
    '\\begin{tabular}{ll}\n⟦runaway-argument⟧a & \\qty{5} & \\\\\nb & \\qty{6}{m} \\\\\n\\end{tabular}\n\nText.',
    r`\usepackage{siunitx}`,
  ),
  ...everywhere(
    'a quantity without its unit in a table with rules',
    '\\begin{tabular}{lll}\n\\toprule\n⟦runaway-argument⟧\\qty{5} & \\qty{3}{m} & x\\\\\nb & c & d\\\\\n\\bottomrule\n\\end{tabular}',
    r`\usepackage{siunitx,booktabs}`,
  ),
  ...everywhere(
    'verbatim text in a narrow column',
    '\\begin{tabular}{ll}\n⟦missing-item⟧a & \\begin{verbatim}\nx\n\\end{verbatim} \\\\\nb & c\n\\end{tabular}\n\nText.',
  ),
  ...everywhere(
    'a list in a narrow column',
    '\\begin{tabular}{ll}\na & \\begin{itemize}\n⟦missing-item⟧\\item One\n\\end{itemize} \\\\\nb & c\n\\end{tabular}\n\nText.',
  ),
  article('a percent sign in a heading', '⟦unclosed-brace⟧\\section{A 50% increase}\nText.'),
  article('a percent sign in bold text', 'Text.\n\n⟦unclosed-brace⟧We saw \\textbf{50% more} of it.\n\nText.'),
  article('a percent sign in a footnote', '⟦unclosed-brace⟧Text\\footnote{About 50% more.}.\n\nText.'),
  ...everywhere(
    'a parenthesis without its partner in an equation',
    '\\begin{equation}\n\\left( \\frac{a}{b}\n⟦unpaired-delimiter⟧\\end{equation}\n\nText.',
    r`\usepackage{amsmath}`,
  ),
  ...everywhere(
    'dollars inside align',
    '\\begin{align}\n⟦display-math-end⟧$a &= b$ \\\\\nc &= d\n\\end{align}\n\nText.',
    r`\usepackage{amsmath}`,
  ),
  ...everywhere(
    'an equation inside a displayed formula',
    '\\[\n⟦math-delimiter⟧\\begin{equation}\na\n\\end{equation}\n\\]\n\nText.',
    r`\usepackage{amsmath}`,
  ),
  article(
    'cases without amsmath',
    '\\[\nf(x) =\n⟦undefined-environment⟧\\begin{cases}\n1 & x>0 \\\\\n0 & x<0\n\\end{cases}\n\\]',
  ),
  article(
    'a label of a description without its bracket',
    '\\begin{description}\n\\item[One] Text\n\\item[Two Text\n⟦definition-mismatch⟧\\item[Three] Text\n\\end{description}\n\nText.',
  ),
  article(
    'commands of algorithmic with algpseudocode',
    '\\begin{algorithmic}\n⟦undefined-command⟧\\STATE $x$\n\\If{$x$}\n\\State $y$\n\\EndIf\n\\end{algorithmic}',
    r`\usepackage{algpseudocode}`,
  ),
  article('bold text over two paragraphs', '⟦runaway-argument⟧\\textbf{Bold text\n\nspans paragraphs} and more.'),
  article('an accent in a formula', '⟦wrong-mode⟧The vector $\\v{x}$ here.'),
  article(
    'coordinates that need a library',
    '\\begin{tikzpicture}\n\\node (a) {A}; \\node (b) at (1,1) {B};\n⟦unknown-function⟧\\draw ($(a)!0.5!(b)$) -- (b);\n\\end{tikzpicture}',
    r`\usepackage{tikz}`,
  ),
  project('a class for pLaTeX', {
    'main.tex': '⟦wrong-engine⟧\\documentclass{jarticle}\n\\begin{document}\n\\section{A}\n日本\n\\end{document}\n',
  }),
  article('a frame in an article', '⟦undefined-environment⟧\\begin{frame}{Title}\nText.\n\\end{frame}'),
  article(
    'a label before its caption',
    '\\begin{figure}\nX\n⟦label-before-caption⟧\\label{fig:x}\n\\caption{A}\n\\end{figure}\nSee \\ref{fig:x}.',
  ),
  ...everywhere(
    'a brace that is not closed in align',
    '\\begin{align}\na &= b \\\\\n⟦unclosed-brace⟧c &= \\frac{1}{2 \\\\\nd &= e\n\\end{align}\n\nText.',
    r`\usepackage{amsmath}`,
  ),
  ...everywhere(
    'cases that are not ended',
    '\\begin{equation}\n⟦unmatched-environment⟧x = \\begin{cases} 1 \\\\ 2\n\\end{equation}\n\nText.',
    r`\usepackage{amsmath}`,
  ),
  ...everywhere(
    'a table that is not ended',
    '⟦unmatched-environment⟧\\begin{tabular}{|c|c|}\n\\hline\na & b \\\\ \\hline\nc & d \\\\ \\hline\n',
  ),
  article(
    'a subfigure that is not ended',
    '\\begin{figure}\n⟦unmatched-environment⟧\\begin{subfigure}{0.5\\textwidth}\nA\n\\caption{a}\n\\end{figure}\n\nText.',
    r`\usepackage{subcaption}`,
  ),
  article(
    'an umlaut in a listing',
    '\\begin{lstlisting}[language=Python]\n⟦unicode-in-listing⟧x = "ä"\n\\end{lstlisting}',
    r`\usepackage{listings}`,
  ),
  article(
    'a bibliography without its width',
    '\\begin{thebibliography}\n⟦missing-item⟧\\bibitem{a} A.\n\\end{thebibliography}',
  ),
  article(
    'references to another document that is missing',
    'See \\ref{far}.',
    '\\usepackage{xr}\n⟦missing-file⟧\\externaldocument{other}',
  ),
  article('braces after left without a backslash', '⟦unpaired-delimiter⟧$\\left{ a \\right}$.'),
  ...everywhere(
    'a cell over columns without its text',
    '\\begin{tabular}{lll}\n⟦runaway-argument⟧\\multicolumn{2}{c} & a \\\\\nb & c & d \\\\\n\\end{tabular}',
  ),
  article('a footnote in a caption', '\\begin{figure}\n⟦extra-closing-brace⟧\\caption{A \\footnote{b}}\n\\end{figure}'),
  ...everywhere(
    'a caption inside the rows of a table',
    '\\begin{table}\n\\begin{tabular}{ll}\n⟦caption-outside-float⟧\\caption{x}\na & b\n\\end{tabular}\n\\end{table}',
  ),
  ...everywhere(
    'a formula in a node that is not closed',
    '\\begin{tikzpicture}\n⟦extra-closing-brace⟧\\node at (1,1) {$x_1};\n\\draw (0,0) -- (2,2);\n\\end{tikzpicture}\n\nText.',
    r`\usepackage{tikz}`,
  ),
  project('a formula in a frame that is not closed', {
    'main.tex':
      '\\documentclass{beamer}\n\\begin{document}\n\\begin{frame}\n\\begin{itemize}\n\\item a\n⟦outside-math⟧\\item $x_1\n\\end{itemize}\n\\end{frame}\n\\end{document}\n',
  }),
  article(
    'a side of line numbers that listings does not know',
    '\\begin{lstlisting}\nx\n\\end{lstlisting}',
    '\\usepackage{listings}\n⟦unknown-option⟧\\lstset{numbers=lft}',
  ),
  ...(['xelatex', 'lualatex'] as const).map((engine) =>
    article(
      'a second font that is not installed',
      'Text {\\other x}.',
      '\\usepackage{fontspec}\n⟦missing-font⟧\\newfontfamily\\other{No Such Font}',
      {
        engine,
      },
    ),
  ),
  article('a displayed formula that is not ended', 'Text.\n⟦unmatched-environment⟧\\begin{displaymath} x'),
]
