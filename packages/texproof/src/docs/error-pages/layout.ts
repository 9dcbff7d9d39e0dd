import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Figures and tables that cannot be placed, overfull lines and pages, substituted fonts. */
export const layoutPages: readonly ErrorPage[] = [
  {
    code: 'dimension-too-large',
    title: 'A length is too large',
    means:
      'TeX calculates with lengths up to 16383 points, about 5.7 meters. A length here, or one that a package computed, is larger.',
    fix: 'Check the number and its unit. In a plot, scale the data or limit the range of the axes.',
    example: {
      source: article(r`\hspace{900cm}Far away.`),
      says: 'Dimension too large.',
      fixed: article(r`\hspace{3cm}Far away.`),
    },
  },
  {
    code: 'float-in-box',
    title: 'A figure or table inside a box',
    means:
      'Figures and tables float to another position, so they are not allowed inside a box, a table cell or a footnote.',
    fix: 'Move it between two paragraphs. For an image with a fixed position, use \\includegraphics without figure, and \\captionof from the package caption.',
    example: {
      source: article('\\parbox{5cm}{\n  \\begin{figure}A picture\\end{figure}\n}'),
      says: 'LaTeX Error: Not in outer par mode.',
      fixed: article('\\begin{figure}A picture\\end{figure}\nText.'),
    },
  },
  {
    code: 'caption-outside-float',
    title: r`\caption outside of a figure or table`,
    means: '\\caption prints "Figure 1" or "Table 1", so LaTeX must know whether it belongs to a figure or a table.',
    fix: 'Move it into a figure or a table. Elsewhere, use \\captionof{figure}{…} from the package caption.',
    example: {
      source: article(r`\caption{The tide}`),
      says: r`LaTeX Error: \caption outside float.`,
      fixed: article('\\begin{figure}A picture\\caption{The tide}\\end{figure}\nText.'),
    },
  },
  {
    code: 'too-many-floats',
    title: 'Too many unplaced figures and tables',
    means:
      'Figures and tables wait until they fit on a page. If one does not fit, all following ones wait too, until the memory of TeX is full.',
    fix: 'Allow more positions: \\begin{figure}[htbp]. \\clearpage prints all that are waiting. The cause is often a single figure that is too tall for a page.',
    example: {
      source: article(
        '\\count0=0\n\\loop\n  \\begin{figure}[b]\\rule{1pt}{19cm}\\end{figure}\n  \\advance\\count0 by 1\n\\ifnum\\count0<60 \\repeat',
      ),
      says: 'LaTeX Error: Too many unprocessed floats.',
      fixed: article(
        '\\count0=0\n\\loop\n  \\begin{figure}[p]\\rule{1pt}{19cm}\\end{figure}\\clearpage\n  \\advance\\count0 by 1\n\\ifnum\\count0<6 \\repeat',
      ),
    },
  },
  {
    code: 'unknown-float-position',
    title: 'The position of a figure or table is unknown',
    means: 'Positions are h (here), t (top), b (bottom), p (page of floats) and !. H requires the package float.',
    fix: 'Use [htbp], or load the package float for H.',
    example: {
      source: article('\\begin{figure}[H]\nPicture.\n\\end{figure}'),
      says: "LaTeX Error: Unknown float option `H'.",
      fixed: article('\\begin{figure}[H]\nPicture.\n\\end{figure}', r`\usepackage{float}`),
    },
  },
  {
    code: 'nesting-too-deep',
    title: 'Lists are nested too deeply',
    means: 'LaTeX allows four levels of itemize or enumerate. Often the \\end of a list is missing.',
    fix: 'Check that every list ends, or use fewer levels. The package enumitem allows more with \\setlistdepth.',
    example: {
      source: article(`${'\\begin{itemize}\\item a\n'.repeat(5)}${'\\end{itemize}\n'.repeat(5)}`),
      says: 'LaTeX Error: Too deeply nested.',
      fixed: article(`${'\\begin{itemize}\\item a\n'.repeat(4)}${'\\end{itemize}\n'.repeat(4)}`),
    },
  },
  {
    code: 'counter-too-large',
    title: 'A counter is too large for its style',
    means: 'Alphabetic counters end at 26 and footnote symbols at 9. The counter is larger.',
    fix: 'Use numbers, for example \\arabic or, with the package enumitem, label=\\arabic*.',
    example: {
      source: article(r`\setcounter{page}{27}\pagenumbering{alph}\setcounter{page}{27}Text.`),
      says: 'LaTeX Error: Counter too large.',
      fixed: article(r`\pagenumbering{arabic}\setcounter{page}{27}Text.`),
    },
  },
  {
    code: 'overfull-hbox',
    title: 'A line is too wide',
    means:
      'TeX found no suitable line break, so the line extends into the margin by the reported width. A few points are not visible.',
    fix: 'Allow breaks in long words with \\hyphenation{…} or \\-, load the package microtype, which fixes most cases, or rephrase the sentence. Use \\url for addresses.',
    example: {
      source: article(r`\noindent\texttt{${'channel'.repeat(12)}}`),
      says: 'Overfull \\hbox',
      fixed: article(r`\noindent\texttt{channel} \texttt{channel}`),
    },
  },
  {
    code: 'underfull-hbox',
    title: 'A line is stretched',
    means: 'The spaces in a line are wider than they should be. The usual cause is a \\\\ at the end of a paragraph.',
    fix: 'Remove the \\\\: a blank line already ends the paragraph. In narrow columns, use \\raggedright.',
    example: {
      source: article('The tide rises. \\\\\n\nIt falls again.'),
      says: 'Underfull \\hbox',
      fixed: article('The tide rises.\n\nIt falls again.'),
    },
  },
  {
    code: 'overfull-vbox',
    title: 'A page is too full',
    means: 'A part of the page, often a table or an image, is taller than the page and cannot be split.',
    fix: 'Reduce its size, for example with \\includegraphics[height=0.8\\textheight]. For tables across pages, use the package longtable.',
    example: {
      source: article(r`\vbox to 2cm{\hrule height 5cm}`),
      says: 'Overfull \\vbox',
      fixed: article(r`\vbox to 5cm{\hrule height 5cm}`),
    },
  },
  {
    code: 'underfull-vbox',
    title: 'A page is stretched',
    means: 'The content does not fill the page, so TeX increased the space between paragraphs.',
    fix: 'You can ignore this warning. \\raggedbottom in the preamble puts the space at the bottom of the page instead.',
    example: {
      source: article('\\vbox to 5cm{\\hbox{High}\\hbox{Low}}'),
      says: 'Underfull \\vbox',
      fixed: article('\\vbox{\\hbox{High}\\hbox{Low}}'),
    },
  },
  {
    code: 'font-warning',
    title: 'A font was replaced',
    means:
      'The requested font does not have this shape or size, so TeX used the closest one. The page may look different than intended.',
    fix: 'Load a font that has the shape. \\usepackage{lmodern} has most shapes in all sizes.',
    example: {
      source: article(r`\textbf{\textsc{High Water}}`),
      says: r`LaTeX Font Warning: Font shape ${'`'}OT1/cmr/bx/sc' undefined using ${'`'}OT1/cmr/bx/n' instead`,
      fixed: article(r`\textsc{High Water}`),
    },
  },
  {
    code: 'package-warning',
    title: 'A warning from a package',
    means: 'The package continues, and reports what it could not do or did differently.',
    fix: 'Read the message and the documentation of the package: run texdoc with its name, or see its page on CTAN.',
    example: {
      source: article('\\section{$a^2$}', r`\usepackage{hyperref}`),
      says: 'Package hyperref Warning: Token not allowed in a PDF string (Unicode):',
      fixed: article('\\section{\\texorpdfstring{$a^2$}{a squared}}', r`\usepackage{hyperref}`),
    },
  },
]
