import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Figures and tables that find no place, lines and pages that are too full, fonts that stand in for others. */
export const layoutPages: readonly ErrorPage[] = [
  {
    code: 'dimension-too-large',
    title: 'A length is too large',
    means:
      'TeX calculates with lengths up to 16383 points, about 5.7 metres. A length here, or one that a package computed, is larger.',
    mend: 'Check the number and its unit. In a plot, scale the data or limit the range of the axes.',
    example: {
      source: article(r`\hspace{900cm}Far away.`),
      says: 'Dimension too large.',
      mended: article(r`\hspace{3cm}Far away.`),
    },
  },
  {
    code: 'float-in-box',
    title: 'A figure or table stands within another box',
    means:
      'Figures and tables float to a place of their own, so they cannot stand within a box, a table cell or a footnote.',
    mend: 'Move it between two paragraphs. For a picture that stays where it is, take \\includegraphics without figure, and \\captionof of the package caption.',
    example: {
      source: article('\\parbox{5cm}{\n  \\begin{figure}A picture\\end{figure}\n}'),
      says: 'LaTeX Error: Not in outer par mode.',
      mended: article('\\begin{figure}A picture\\end{figure}\nText.'),
    },
  },
  {
    code: 'caption-outside-float',
    title: r`\caption stands outside of a figure or table`,
    means: '\\caption writes Figure 1 or Table 1, so it must know which of the two it is for.',
    mend: 'Put it in a figure or a table. Elsewhere use \\captionof{figure}{…} of the package caption.',
    example: {
      source: article(r`\caption{The tide}`),
      says: r`LaTeX Error: \caption outside float.`,
      mended: article('\\begin{figure}A picture\\caption{The tide}\\end{figure}\nText.'),
    },
  },
  {
    code: 'too-many-floats',
    title: 'Too many figures and tables wait for a page',
    means:
      'Each float waits until it fits. When one finds no place, all that come after wait behind it, until TeX can hold no more.',
    mend: 'Let them stand where they fit: \\begin{figure}[htbp]. \\clearpage sets all that wait. The one that blocks the others is often too tall for a page.',
    example: {
      source: article(
        '\\count0=0\n\\loop\n  \\begin{figure}[b]\\rule{1pt}{19cm}\\end{figure}\n  \\advance\\count0 by 1\n\\ifnum\\count0<60 \\repeat',
      ),
      says: 'LaTeX Error: Too many unprocessed floats.',
      mended: article(
        '\\count0=0\n\\loop\n  \\begin{figure}[p]\\rule{1pt}{19cm}\\end{figure}\\clearpage\n  \\advance\\count0 by 1\n\\ifnum\\count0<6 \\repeat',
      ),
    },
  },
  {
    code: 'overfull-hbox',
    title: 'A line is too wide',
    means:
      'TeX found no good place to break the line, so that it sticks out into the margin by the width that is named. A few points are not seen by anybody.',
    mend: 'Say where a long word may be broken, \\hyphenation{…} or \\-; put \\usepackage{microtype} into the preamble, which mends most of them; or write the sentence in another way. Addresses break with \\url.',
    example: {
      source: article(r`\noindent\texttt{${'channel'.repeat(12)}}`),
      says: 'Overfull \\hbox',
      mended: article(r`\noindent\texttt{channel} \texttt{channel}`),
    },
  },
  {
    code: 'underfull-hbox',
    title: 'A line is stretched',
    means:
      'The words of a line stand further apart than is beautiful. Most often a line was ended by hand, with \\\\, at the end of a paragraph.',
    mend: 'Take the \\\\ out: a blank line ends a paragraph. In narrow columns \\raggedright helps.',
    example: {
      source: article('The tide rises. \\\\\n\nIt falls again.'),
      says: 'Underfull \\hbox',
      mended: article('The tide rises.\n\nIt falls again.'),
    },
  },
  {
    code: 'overfull-vbox',
    title: 'A page is too full',
    means: 'What stands on a page cannot be broken and is taller than the page, often a table or a picture.',
    mend: 'Make it smaller, or let it break: longtable for tables, \\includegraphics[height=0.8\\textheight] for pictures.',
    example: {
      source: article(r`\vbox to 2cm{\hrule height 5cm}`),
      says: 'Overfull \\vbox',
      mended: article(r`\vbox to 5cm{\hrule height 5cm}`),
    },
  },
  {
    code: 'underfull-vbox',
    title: 'A page is stretched',
    means: 'What stands on a page leaves room that TeX had to fill by moving paragraphs apart.',
    mend: 'Nothing has to be done. \\raggedbottom in the preamble leaves the room at the foot of the page instead.',
    example: {
      source: article('\\vbox to 5cm{\\hbox{High}\\hbox{Low}}'),
      says: 'Underfull \\vbox',
      mended: article('\\vbox{\\hbox{High}\\hbox{Low}}'),
    },
  },
  {
    code: 'font-warning',
    title: 'A font stands in for another',
    means:
      'The font that was asked for does not have this shape or this size, so TeX took the nearest. The page may look other than you want.',
    mend: 'Load a font that has the shape: \\usepackage{lmodern} has most of them, in every size.',
    example: {
      source: article(r`\textbf{\textsc{High Water}}`),
      says: r`LaTeX Font Warning: Font shape ${'`'}OT1/cmr/bx/sc' undefined using ${'`'}OT1/cmr/bx/n' instead`,
      mended: article(r`\textsc{High Water}`),
    },
  },
  {
    code: 'package-warning',
    title: 'A package has something to say',
    means: 'The package goes on with its work and tells what it could not do, or what it does in your place.',
    mend: 'Its own words say it best, and so does its documentation: texdoc with its name, or its page at CTAN.',
    example: {
      source: article('\\section{$a^2$}', r`\usepackage{hyperref}`),
      says: 'Package hyperref Warning: Token not allowed in a PDF string (Unicode):',
      mended: article('\\section{\\texorpdfstring{$a^2$}{a squared}}', r`\usepackage{hyperref}`),
    },
  },
]
