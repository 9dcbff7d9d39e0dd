import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Braces, environments, lists, and what belongs before or after \begin{document}. */
export const structurePages: readonly ErrorPage[] = [
  {
    code: 'unclosed-brace',
    title: 'A brace is never closed',
    means:
      'An opening brace has no closing one. TeX reads on to the end of the file before it can tell, so the line that it names is the end, not the place.',
    mend: 'Look for the command that the message names, and close its argument. An editor that shows pairs of braces finds it at once.',
    example: {
      source: article(r`\textbf{The tide rises, and never stops.`),
      says: r`File ended while scanning use of \textbf`,
      mended: article(r`\textbf{The tide rises}, and never stops.`),
    },
  },
  {
    code: 'runaway-argument',
    title: 'An argument does not end before the blank line',
    means:
      'Most commands take an argument of one paragraph at most, so that a forgotten brace is noticed at the next blank line instead of at the end of the file.',
    mend: 'Close the brace, or take the blank line out of the argument. For more than a paragraph use the form with \\begin and \\end, for example \\itshape in a group instead of \\textit.',
    example: {
      source: article('\\textit{The tide rises.\n\nIt falls again.}'),
      says: r`Paragraph ended before \text@command was complete`,
      mended: article('\\textit{The tide rises.}\n\n\\textit{It falls again.}'),
    },
  },
  {
    code: 'unmatched-environment',
    title: r`\begin and \end do not pair up`,
    means: 'An environment ends by another name than it began with, or another one within it was not ended before.',
    mend: 'Write the missing \\end. Environments end in the opposite order of their beginnings.',
    example: {
      source: article('\\begin{itemize}\n  \\item High water.\n  \\item Low water.'),
      says: r`LaTeX Error: \begin{itemize} on input line 3 ended by \end{document}.`,
      mended: article('\\begin{itemize}\n  \\item High water.\n  \\item Low water.\n\\end{itemize}'),
    },
  },
  {
    code: 'missing-begin-document',
    title: r`Text stands before \begin{document}`,
    means:
      'Something to be typeset stands in the preamble, where only settings belong. Often it is a stray letter, or an argument of a command that takes none.',
    mend: 'Move the text behind \\begin{document}, or take out what does not belong there.',
    example: {
      source: '\\documentclass{article}\nThe tides of the channel.\n\\begin{document}\nText.\n\\end{document}\n',
      says: r`LaTeX Error: Missing \begin{document}.`,
      mended: article('The tides of the channel.\nText.'),
    },
  },
  {
    code: 'missing-end-document',
    title: r`\end{document} is missing`,
    means:
      'TeX read the whole file and never reached \\end{document}. Either the line is missing, or an unclosed brace or environment hides it.',
    mend: 'Add \\end{document} as the last line. If it is there, look for an unclosed "{", or for a verbatim or comment environment without its \\end.',
    example: {
      source: '\\documentclass{article}\n\\begin{document}\nThe tides of the channel.\n',
      says: r`Emergency stop: job aborted, no legal \end found`,
      mended: article('The tides of the channel.'),
    },
  },
  {
    code: 'verb-in-argument',
    title: r`\verb is used in the argument of a command`,
    means:
      '\\verb changes how TeX reads characters. Inside the argument of another command, such as \\section or \\footnote, they have already been read.',
    mend: 'Use \\texttt{…} with escaped special characters. For longer code, load the package cprotect and put \\cprotect before the outer command.',
    example: {
      source: article(r`\section{The flag \verb|-x|} Text.`),
      says: r`LaTeX Error: \verb illegal in argument.`,
      mended: article(r`\section{The flag \texttt{-x}} Text.`),
    },
  },
  {
    code: 'invalid-encoding',
    title: 'The file is not valid UTF-8',
    means:
      'TeX expects UTF-8. The file contains bytes that are not valid UTF-8, usually accented letters saved in an older encoding such as Latin-1.',
    mend: 'Save the file as UTF-8 in your editor. If it has to stay in Latin-1, load the package inputenc with the option latin1.',
    // What an editor saves as one byte is written here as TeX's own notation for that byte.
    example: {
      source: article('A caf^^e9 by the sea.'),
      says: 'LaTeX Error: Invalid UTF-8 byte',
      mended: article('A café by the sea.'),
    },
  },
  {
    code: 'preamble-only',
    title: 'A command belongs in the preamble',
    means: 'Settings that hold for the whole document must be made before anything is typeset. This one came too late.',
    mend: 'Move it above \\begin{document}.',
    example: {
      source: article('\\usepackage{amsmath}\nText.'),
      says: 'LaTeX Error: Can be used only in preamble.',
      mended: article('Text.', r`\usepackage{amsmath}`),
    },
  },
  {
    code: 'missing-item',
    title: r`A list has text before its first \item`,
    means:
      'Everything in itemize, enumerate and description belongs to an item. An empty list, or an empty bibliography, is the same to TeX.',
    mend: 'Begin with \\item. Take an empty list out.',
    example: {
      source: article('\\begin{itemize}\n  High water.\n\\end{itemize}'),
      says: r`LaTeX Error: Something's wrong--perhaps a missing \item.`,
      mended: article('\\begin{itemize}\n  \\item High water.\n\\end{itemize}'),
    },
  },
  {
    code: 'lonely-item',
    title: r`\item stands outside of a list`,
    means: 'An item means something only within a list.',
    mend: 'Put it between \\begin{itemize} and \\end{itemize}, or look whether the list ended too early.',
    example: {
      source: article(r`\item High water.`),
      says: r`LaTeX Error: Lonely \item--perhaps a missing list environment.`,
      mended: article('\\begin{itemize}\n  \\item High water.\n\\end{itemize}'),
    },
  },
  {
    code: 'extra-closing-brace',
    title: 'A brace closes nothing, or a sign of math is missing',
    means:
      'A closing brace came where something else had to be closed first: a formula, for example, that began with a dollar sign and has not ended.',
    mend: 'Look for the $ or the \\( before the brace and end the formula, or take the brace out.',
    example: {
      source: article(r`The depth is $h} everywhere$.`),
      says: 'Extra }, or forgotten $',
      mended: article(r`The depth is $h$ everywhere.`),
    },
  },
  {
    code: 'unmatched-closing-brace',
    title: 'There is one closing brace too many',
    means: 'A closing brace has no opening one before it.',
    mend: 'Take it out, or find where its partner got lost: the paragraph before is a good place to look.',
    example: {
      source: article('The tide rises}.'),
      says: "Too many }'s.",
      mended: article('The tide rises.'),
    },
  },
  {
    code: 'missing-closing-brace',
    title: 'A closing brace is missing',
    means: 'Something ended while a brace within it was still open: a table cell or a formula, most often.',
    mend: 'Close the brace before the sign that ends the cell or the formula.',
    example: {
      source: article(r`The depth $h_{max$ is known.`),
      says: 'Missing } inserted.',
      mended: article(r`The depth $h_{max}$ is known.`),
    },
  },
  {
    code: 'capacity-exceeded',
    title: 'TeX has no room left',
    means:
      'TeX holds only so much at a time. A document rarely needs that much: nearly always a command calls itself without end.',
    mend: 'Look at the definition that was changed last for a command that uses itself. A very large picture drawn by TikZ is better made once, on its own, and included as a PDF.',
    example: {
      source: article(r`\tide`, r`\newcommand{\tide}{\tide x}`),
      says: 'TeX capacity exceeded, sorry [input stack size=10000].',
      mended: article(r`\tide`, r`\newcommand{\tide}{x}`),
    },
  },
  {
    code: 'no-pages',
    title: 'The document has no pages',
    means: 'TeX reached the end and had nothing to typeset, so there is no PDF.',
    mend: 'Put something between \\begin{document} and \\end{document}. A file of settings only is no document of its own: build the one that reads it.',
    example: {
      source: article('% Nothing yet.'),
      says: 'No pages of output.',
      mended: article('Nothing yet.'),
    },
  },
  {
    code: 'time-limit',
    title: 'The time was over',
    means:
      'A compile may take only so long, all passes together, so that nobody waits behind a document that never ends. The message names the pass and the program that ran when the time was over.',
    mend: 'Look at what was changed last for a command that repeats itself without end. A drawing that takes minutes is better made once, on its own, and included as a PDF. A repository may ask for more time, up to what the host allows: timeout in .texproof.toml.',
    example: {
      source: article(r`\tide`, r`\newcommand{\tide}{\relax\tide}`),
      says: 'Compilation timed out after',
      mended: article(r`\tide`, r`\newcommand{\tide}{The tide.}`),
      timeoutMs: 2_500,
    },
  },
  {
    code: 'resource-limit',
    title: 'A compile needed more than it may have',
    means:
      'Memory, disk, the number of files, what is printed, and processor time have limits, so that one document cannot take the host from all the others. The message names the one that was reached.',
    mend: 'Nearly always a command repeats itself without end, and each time adds something. Look at what was changed last.',
    example: null,
  },
  {
    code: 'missing-class',
    title: 'The document has no class',
    means: 'Every document begins with \\documentclass, which defines its fonts and its layout.',
    mend: 'Add \\documentclass{article} as the first line. If it is there, the class file itself is incomplete.',
    example: {
      source: '\\begin{document}\nText.\n\\end{document}\n',
      says: r`LaTeX Error: The font size command \normalsize is not defined: there is probably something wrong with the class file.`,
      mended: '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n',
    },
  },
  {
    code: 'no-line-to-end',
    title: 'A line break is not in a paragraph',
    means: '\\\\ and \\newline end a line of a paragraph. Between two paragraphs there is no line to end.',
    mend: 'Remove it. For space between paragraphs, use \\vspace or \\bigskip.',
    example: {
      source: article('One.\n\n\\\\ Two.'),
      says: "LaTeX Error: There's no line here to end.",
      mended: article('One.\n\n\\bigskip Two.'),
    },
  },
]
