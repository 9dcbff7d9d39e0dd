import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw
const cited = (title: string, fields: string, { biber = false } = {}) =>
  article(
    title,
    biber ? '\\cite{a}\n\\printbibliography' : '\\cite{a}\n\\bibliographystyle{plain}\n\\bibliography{refs}',
    biber ? '\\usepackage{biblatex}\n\\addbibresource{refs.bib}' : '',
    { files: { 'refs.bib': `@book{a,\n author={Jones},\n${fields},\n publisher={P},\n year=2020}\n` } },
  )
const slides = (title: string, body: string) =>
  project(title, { 'main.tex': `\\documentclass{beamer}\n\\begin{document}\n${body}\n\\end{document}\n` })

/** Wrong values of packages and classes, and mistakes in bibliographies. */
export const explainedPackageSlips: readonly ExplainedDocument[] = [
  article('a color of the web', r`⟦parameter-number⟧\textcolor{#ff0000}{x}`, r`\usepackage{xcolor}`),
  article(
    'a color model that does not exist',
    'Text.',
    '\\usepackage{xcolor}\n⟦undefined-color⟧\\definecolor{my}{hex}{ff0000}',
  ),
  article('a color with too large numbers', r`⟦invalid-number⟧\textcolor[rgb]{255,0,0}{x}`, r`\usepackage{xcolor}`),
  article(
    'an undefined color in the style of a listing',
    '\\begin{lstlisting}\nif x\n\\end{lstlisting}',
    '\\usepackage{listings,xcolor}\n⟦undefined-color⟧\\lstset{language=C,keywordstyle=\\color{deepblue}}',
  ),
  article(
    'an acronym of acro without its long form',
    r`\ac{cpu}`,
    '\\usepackage{acro}\n⟦missing-glossary-field⟧\\DeclareAcronym{cpu}{short=CPU}',
  ),
  article(
    'a misspelled property of acro',
    r`\ac{cpu}`,
    '\\usepackage{acro}\n⟦unknown-option⟧\\DeclareAcronym{cpu}{shrt=CPU,long=Unit}',
  ),
  project('options that KOMA-Script does not know', {
    'main.tex':
      '\\documentclass{scrartcl}\n⟦unknown-option⟧\\KOMAoptions{fontsze=12pt}\n⟦unknown-option⟧\\setkomafont{sectoin}{\\bfseries}\n\\begin{document}\n⟦undefined-command⟧{\\bf x}\n\\end{document}\n',
  }),
  project('an old font command in memoir', {
    'main.tex': '\\documentclass{memoir}\n\\begin{document}\n⟦undefined-command⟧{\\bf x}\n\\end{document}\n',
  }),
  article(
    'citations of authors with a bibliography without years',
    '\\citet{a}\n\\begin{thebibliography}{9}\n\\bibitem{a} A B.\n\\end{thebibliography}',
    r`⟦incompatible-packages⟧\usepackage{natbib}`,
  ),
  article(
    'changes by an author that is not defined',
    '⟦unknown-option⟧\\added[id=BB]{Tides} rise.\n\n\\deleted[id=BB]{And} fall.',
    r`\usepackage{changes}`,
  ),
  article('split outside of a formula', r`⟦outside-math⟧\begin{split}a &= b\end{split}`, r`\usepackage{amsmath}`),
  article(
    'an inline listing that is not closed',
    '⟦verb-in-argument⟧Use \\lstinline|x here.\n\nMore.',
    r`\usepackage{listings}`,
  ),
  article(
    'a misspelled option of tabularray',
    '⟦unknown-column-type⟧\\begin{tblr}{colspc={lll}}\na & b & c\\\\\n\\end{tblr}',
    r`\usepackage{tabularray}`,
  ),
  article(
    'a rule of booktabs without its range',
    '\\begin{tabular}{ll}\na & b\\\\\n⟦definition-mismatch⟧\\cmidrule\nc & d\\\\\n\\end{tabular}',
    r`\usepackage{booktabs}`,
  ),
  article(
    'the wrong end of a block',
    '\\begin{algorithmic}\n\\If{$a$}\n\\State b\n⟦unmatched-environment⟧\\EndFor\n\\end{algorithmic}',
    r`\usepackage{algpseudocode}`,
  ),
  article(
    'a coordinate that an axis does not have',
    '\\begin{tikzpicture}\n\\begin{axis}[symbolic x coords={a,b}]\n⟦unknown-option⟧\\addplot coordinates {(a,1) (c,2)};\n\\end{axis}\n\\end{tikzpicture}',
    '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
  ),
  article('a highlighted word with an accent', r`⟦unicode-character⟧\mbox{\hl{Größe}}`, r`\usepackage{soul}`),
  article(
    'heads of a long table in a table',
    '\\begin{tabular}{ll}\na & b\\\\\n⟦wrong-mode⟧\\endhead\nc & d\\\\\n\\end{tabular}',
    r`\usepackage{longtable}`,
  ),
  article(
    'a wrapped figure without its position',
    '⟦runaway-argument⟧\\begin{wrapfigure}{4cm}\nx\n\\end{wrapfigure}\nText.',
    r`\usepackage{wrapfig}`,
  ),
  article(
    'a float in a minipage',
    '\\begin{minipage}{5cm}\n⟦float-in-box⟧\\begin{table}\nx\n\\end{table}\n\\end{minipage}',
  ),
  article('a line break after a heading', '\\section{A}\n⟦no-line-to-end⟧\\\\\nText.'),
  article('a Greek letter in verbatim text', '\\begin{verbatim}\n⟦unicode-character⟧α\n\\end{verbatim}'),
  slides('a missing picture in a frame', '\\begin{frame}\n⟦missing-file⟧\\includegraphics{nosuch.png}\n\\end{frame}'),
  project(
    'a picture of another format for dvips',
    {
      'main.tex':
        '\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n⟦unknown-graphics-format⟧\\includegraphics{a.png}\n\\end{document}\n',
      'a.png': 'x',
    },
    { engine: 'latex' },
  ),
  cited('a percent sign in an entry', '⟦unclosed-brace⟧ title={50% of all}'),
  cited('a percent sign in an entry, in biber', '⟦unclosed-brace⟧ title={50% of all}', { biber: true }),
  cited('a number sign in an entry, in biber', '⟦parameter-number⟧ title={B}, note={see #1}', { biber: true }),
  cited('a dollar in an entry, in biber', '⟦outside-math⟧ title={Costs $5}', { biber: true }),
  article(
    'a column of array without a width',
    '⟦unknown-column-type⟧\\begin{tabular}{lp}\nA & B\n\\end{tabular}',
    '\\usepackage{array}',
  ),
  cited('a publisher without braces', '⟦bibliography-syntax⟧ title={B}, series=acm'),
]
