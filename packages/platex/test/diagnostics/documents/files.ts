import type { BrokenDocument } from '../document.ts'

const article = '\\documentclass{article}\n'
const wide = `A paragraph with \\mbox{${'unbreakable text '.repeat(8)}} of more than one line.`

/** Missing files, errors in included files, and file names that confuse a parser of parentheses. */
export const fileDocuments: readonly BrokenDocument[] = [
  {
    title: 'a missing package',
    files: {
      'main.tex': `${article}\\usepackage{amsmath}\n\\usepackage{nosuchpkg}\n\n\\begin{document}\nHi\n\\end{document}\n`,
    },
    errors: [['main.tex', 3, "LaTeX Error: File `nosuchpkg.sty' not found."]],
  },
  {
    title: 'a missing package in a list over lines',
    files: {
      'main.tex': `${article}\\usepackage{amsmath,\n  graphicx,\n  nosuchpkg,\n  xcolor}\n\\begin{document}\nHi\n\\end{document}\n`,
    },
    errors: [['main.tex', 2, "LaTeX Error: File `nosuchpkg.sty' not found."]],
  },
  {
    title: 'a missing class',
    files: {
      'main.tex': '% a comment\n\\documentclass[a4paper]{nosuchclass}\n\\begin{document}\nHi\n\\end{document}\n',
    },
    errors: [['main.tex', 2, "LaTeX Error: File `nosuchclass.cls' not found."]],
  },
  {
    title: 'a missing input',
    files: { 'main.tex': `${article}\\begin{document}\nHi\n\n\\input{nosuchfile}\n\nMore\n\\end{document}\n` },
    errors: [['main.tex', 5, "LaTeX Error: File `nosuchfile.tex' not found."]],
  },
  {
    title: 'a missing figure and a missing chapter',
    files: {
      'main.tex': `${article}\\usepackage{graphicx}\n\\begin{document}\n\\begin{figure}\n\\centering\n\\includegraphics[width=3cm]{figs/plot}\n\\caption{C}\n\\end{figure}\n\\include{nosuchchapter}\n\\end{document}\n`,
    },
    errors: [['main.tex', 6, "LaTeX Error: File `figs/plot' not found."]],
    warnings: [['other', 'main.tex', 9]],
  },
  {
    title: 'a package that the paper brings needs a missing one',
    files: {
      'main.tex': `${article}\\usepackage{mystyle}\n\\begin{document}\nHi\n\\end{document}\n`,
      'mystyle.sty': '\\ProvidesPackage{mystyle}\n\\RequirePackage{nosuchinner}\n',
    },
    errors: [['mystyle.sty', 2, "LaTeX Error: File `nosuchinner.sty' not found."]],
  },
  {
    title: 'faults in the chapters of a paper',
    files: {
      'main.tex': `\\documentclass{report}\n\\begin{document}\n\\include{chapters/one}\n\\input{chapters/two}\nMain \\undefinedmain\n\\input{chapters/three.tex}\n\\undefinedlast\n\\end{document}\n`,
      'chapters/one.tex': '\\chapter{One}\nText\n\\undefinedone\n',
      'chapters/two.tex': 'Text (with\nparentheses) \\undefinedtwo\n\nand \\ref{nowhere}\n',
      'chapters/three.tex': '\\input{chapters/deep/four}\n\\undefinedthree\n',
      'chapters/deep/four.tex': '\\typeout{(((}\n\\undefinedfour\n\\cite{nobody}\n',
    },
    errors: [
      ['chapters/one.tex', 3, 'Undefined control sequence: \\undefinedone'],
      ['chapters/two.tex', 2, 'Undefined control sequence: \\undefinedtwo'],
      ['main.tex', 5, 'Undefined control sequence: \\undefinedmain'],
      ['chapters/deep/four.tex', 2, 'Undefined control sequence: \\undefinedfour'],
      ['chapters/three.tex', 2, 'Undefined control sequence: \\undefinedthree'],
      ['main.tex', 7, 'Undefined control sequence: \\undefinedlast'],
    ],
    warnings: [
      ['undefined-reference', 'chapters/two.tex', 4],
      ['undefined-citation', 'chapters/deep/four.tex', 3],
    ],
  },
  {
    title: 'a wide last paragraph of included files that end without a blank line',
    files: {
      'main.tex': `${article}\\begin{document}\n\\include{one}\n\\input{two}\n\nLast.\n\\end{document}\n`,
      'one.tex': `First.\n\n${wide}\n`,
      'two.tex': `First.\n\nSecond.\n\n\n\n\n\n${wide}`,
    },
    errors: [],
    warnings: [
      ['overfull-hbox', 'one.tex', 3],
      ['overfull-hbox', 'two.tex', 9],
    ],
  },
  {
    title: 'names with blanks, parentheses, accents and dots',
    files: {
      'main.tex': `${article}\\begin{document}\n\\input{chapter one (draft)}\n\\input{ch(1)}\n\\input{chapître}\n\\input{a.b.c}\n\\undefinedmain\n\\end{document}\n`,
      'chapter one (draft).tex': 'text\n\\undefinedone\n',
      'ch(1).tex': '\\typeout{:-) done)}\n\n\\undefinedtwo\n',
      'chapître.tex': '\n\n\n\\undefinedthree\n',
      'a.b.c.tex': 'x\n\n\n\n\\undefinedfour\n',
    },
    errors: [
      ['chapter one (draft).tex', 2, 'Undefined control sequence: \\undefinedone'],
      ['ch(1).tex', 3, 'Undefined control sequence: \\undefinedtwo'],
      ['chapître.tex', 4, 'Undefined control sequence: \\undefinedthree'],
      ['a.b.c.tex', 5, 'Undefined control sequence: \\undefinedfour'],
      ['main.tex', 7, 'Undefined control sequence: \\undefinedmain'],
    ],
  },
  {
    title: 'an unclosed brace in an included file',
    files: {
      'main.tex': `${article}\\begin{document}\n\\input{part}\nMain.\n\\end{document}\n`,
      'part.tex': 'Fine.\n\nThen \\emph{never closed\ntext.\n',
    },
    errors: [['part.tex', 3, 'File ended while scanning use of \\emph .']],
  },
  {
    title: 'an environment that begins in one file and is not ended',
    files: {
      'main.tex': `${article}\\begin{document}\n\\input{part}\nMain.\n\\end{document}\n`,
      'part.tex': 'Fine.\n\\begin{center}\ntext.\n',
    },
    errors: [['part.tex', 2, 'LaTeX Error: \\begin{center} on input line 2 ended by \\end{document}.']],
    warnings: [['other', 'part.tex', 2]],
  },
  {
    title: 'faults in a class and a package that the paper brings',
    files: {
      'main.tex': '\\documentclass{mine}\n\\usepackage{helper}\n\\begin{document}\n\\helper\n\\end{document}\n',
      'mine.cls': '\\ProvidesClass{mine}\n\\LoadClass{article}\n\\undefinedinclass\n',
      'helper.sty':
        '\\ProvidesPackage{helper}\n\\undefinedinpackage\n\\newcommand\\helper{\\PackageWarning{helper}{Be careful}\\PackageError{helper}{It broke}{Fix it}}\n',
    },
    errors: [
      ['mine.cls', 3, 'Undefined control sequence: \\undefinedinclass'],
      ['helper.sty', 2, 'Undefined control sequence: \\undefinedinpackage'],
      ['main.tex', 4, 'Package helper Error: It broke.'],
    ],
    warnings: [['package-warning', 'main.tex', 4]],
  },
]
