import { article, project, type ExplainedDocument } from '../explained-document.ts'

const r = String.raw

/** Packages that define the same commands, need another engine, or are missing, and definitions. */
export const explainedLoading: readonly ExplainedDocument[] = [
  article(
    'two packages for algorithms that define the same environment',
    'Text.',
    '\\usepackage{algorithm}\n⟦command-already-defined⟧\\usepackage{algorithm2e}',
  ),
  project('symbols that the class defines', {
    'main.tex':
      '\\documentclass{acmart}\n⟦command-already-defined⟧\\usepackage{amssymb}\n\\begin{document}\nText.\n\\end{document}\n',
  }),
  article(
    'an acronym that is defined twice',
    r`\ac{cpu}`,
    '\\usepackage{acro}\n\\DeclareAcronym{cpu}{short=CPU,long=Unit}\n⟦command-already-defined⟧\\DeclareAcronym{cpu}{short=CPU,long=Unit}',
  ),
  article(
    'a heading format with too few arguments',
    '\\section{A}\nText.',
    '\\usepackage{titlesec}\n⟦missing-begin-document⟧\\titleformat{\\section}{\\bfseries}{\\thesection}{1em}',
  ),
  article(
    'an argument that the definition does not have',
    r`\bad{x}`,
    r`⟦parameter-number⟧\newcommand{\bad}[1]{#1 #2}`,
  ),
  article('a unit without its package', '⟦undefined-command⟧⟦undefined-command⟧\\SI{5}{\\metre}'),
  article(
    'commands of algorithm2e without it',
    '⟦undefined-environment⟧\\begin{algorithm}\n⟦undefined-command⟧\\KwData{x}\n\\end{algorithm}',
  ),
  article('the parts of a book in an article', r`⟦undefined-command⟧\frontmatter Text.`),
  article('fonts of formulas for another engine', '$x$', r`⟦wrong-engine⟧\usepackage{unicode-math}`),
  article('a package for XeLaTeX', 'Text.', r`⟦wrong-engine⟧\usepackage{xeCJK}`),
  article('a package for LuaLaTeX', 'Text.', r`⟦undefined-command⟧\usepackage{luatexja}`),
  article('a version of PDF in XeLaTeX', 'Text.', r`⟦undefined-command⟧\pdfminorversion=7`, { engine: 'xelatex' }),
  article(
    'drawings in PostScript without dvips',
    '\\begin{pspicture}(1,1)\n⟦undefined-command⟧\\psline(0,0)(1,1)\n\\end{pspicture}',
    r`\usepackage{pstricks}`,
  ),
  article(
    'a header that is too high',
    'Text.',
    '⟦package-warning⟧\\usepackage{fancyhdr}\n\\pagestyle{fancy}\n\\fancyhead[L]{\\Large A\\\\B}',
  ),
  article(
    'a glossary that is not printed',
    r`\gls{tide}`,
    '⟦package-warning⟧\\usepackage{glossaries}\n\\makeglossaries\n\\newglossaryentry{tide}{name=tide,description={sea}}',
  ),
]
