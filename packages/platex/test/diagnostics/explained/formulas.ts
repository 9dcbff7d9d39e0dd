import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw

/** Formulas that do not end, and text in headings and captions that LaTeX cannot move. */
export const explainedFormulas: readonly ExplainedDocument[] = [
  article(
    'a formula that is not closed in the last paragraph',
    'Some text,\nand more of it.\n⟦outside-math⟧The value $x is\nlarge, but not\nlarger than $y$.',
  ),
  article(
    'a formula that is not closed before a heading',
    '⟦outside-math⟧The value $x is large.\n\\section{More}\nText.',
  ),
  project('a formula that is not closed in a paragraph of a frame', {
    'main.tex':
      '\\documentclass{beamer}\n\\begin{document}\n\\begin{frame}\n⟦outside-math⟧Let $x = 1 be.\n\nMore.\n\\end{frame}\n\\end{document}\n',
  }),
  article('a dollar inside an equation', 'A\n\\begin{equation}\n⟦display-math-end⟧$a$\n\\end{equation}'),
  article('an equation that is not ended', '⟦unmatched-environment⟧\\begin{equation}\na = b\n\nText.'),
  article('an underscore in text of a formula', r`⟦outside-math⟧$\mbox{a_b}$`),
  article('a degree sign in a formula', '⟦missing-character⟧⟦wrong-mode⟧$45°$'),
  article(
    'a bibliography with an underscore and an ampersand',
    '\\cite{a}\n\\begin{thebibliography}{9}\n⟦ampersand-in-text⟧\\bibitem{a} A & B, my_file.\n\\end{thebibliography}',
  ),
  article(
    'an underscore in the description of a glossary',
    r`\gls{cpu}\printglossaries`,
    '\\usepackage{glossaries}\n\\makeglossaries\n⟦outside-math⟧\\newglossaryentry{cpu}{name=CPU,description={my_file}}',
  ),
  article(
    'a picture that is not ended',
    '⟦unmatched-environment⟧\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\nText.',
    r`\usepackage{tikz}`,
  ),
  article('a footnote in a heading', r`⟦extra-closing-brace⟧\section{A\footnote{x}}`),
  article(
    'a caption with a blank line',
    '\\begin{figure}\n⟦runaway-argument⟧\\caption{a\n\nb}\n\\end{figure}\n\nText.',
  ),
  article(
    'a list in a caption, and a list of figures',
    '\\begin{figure}\n⟦extra-closing-brace⟧\\caption{\\begin{itemize}\\item a\\end{itemize}}\n\\end{figure}\n\\listoffigures',
  ),
  article(
    'a label of a list without its star',
    '⟦extra-closing-brace⟧\\begin{enumerate}[label=\\alph]\n\\item a\n\\end{enumerate}',
    r`\usepackage{enumitem}`,
  ),
  article(
    'a bracket of an item that is not closed',
    '\\begin{itemize}\n\\item a\n⟦runaway-argument⟧\\item [b c\n\\end{itemize}',
  ),
  article(
    'options of a listing that are not closed',
    '⟦runaway-argument⟧\\begin{lstlisting}[language=C\nx\n\\end{lstlisting}\n',
    r`\usepackage{listings}`,
  ),
  article('an end of a list without its brace', '\\begin{itemize}\n\\item a\n⟦runaway-argument⟧\\end{itemize\n\nMore.'),
  article('a control character', '⟦unicode-character⟧Text \u0000 more.'),
  article('a control character of a terminal', '⟦unicode-character⟧Text \u0007 more.'),
]
