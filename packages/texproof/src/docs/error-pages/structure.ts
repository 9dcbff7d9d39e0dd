import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Braces, environments, lists, and commands on the wrong side of \begin{document}. */
export const structurePages: readonly ErrorPage[] = [
  {
    code: 'unclosed-brace',
    title: 'A brace is never closed',
    means:
      'An opening brace has no closing brace. TeX reads to the end of the file before it notices, so the reported line is the end of the file, not the position of the brace.',
    fix: 'Find the command named in the message and close its argument. An editor that highlights matching braces helps.',
    example: {
      source: article(r`\textbf{The tide rises, and never stops.`),
      says: r`File ended while scanning use of \textbf`,
      fixed: article(r`\textbf{The tide rises}, and never stops.`),
    },
  },
  {
    code: 'runaway-argument',
    title: 'An argument contains a blank line',
    means:
      'Most commands accept an argument of one paragraph at most, so that TeX notices a missing brace at the next blank line instead of at the end of the file.',
    fix: 'Close the brace, or remove the blank line from the argument. If an argument is missing, add it: \\qty{5}{\\metre} instead of \\qty{5}. To format several paragraphs, use a declaration in a group, for example {\\itshape …} instead of \\textit{…}.',
    example: {
      source: article('\\textit{The tide rises.\n\nIt falls again.}'),
      says: r`Paragraph ended before \text@command was complete`,
      fixed: article('\\textit{The tide rises.}\n\n\\textit{It falls again.}'),
    },
  },
  {
    code: 'unmatched-environment',
    title: r`\begin and \end do not match`,
    means:
      'An environment was ended with a different name than it was started with, or an inner environment was not ended first.',
    fix: 'Add the missing \\end. End environments in the reverse order in which they start.',
    example: {
      source: article('\\begin{itemize}\n  \\item High water.\n  \\item Low water.'),
      says: r`LaTeX Error: \begin{itemize} on input line 3 ended by \end{document}.`,
      fixed: article('\\begin{itemize}\n  \\item High water.\n  \\item Low water.\n\\end{itemize}'),
    },
  },
  {
    code: 'missing-begin-document',
    title: r`Text before \begin{document}`,
    means:
      'The preamble contains text, but only settings are allowed there. Common causes are a stray character, or an argument after a command that takes none.',
    fix: 'Move the text after \\begin{document}, or remove it.',
    example: {
      source: '\\documentclass{article}\nThe tides of the channel.\n\\begin{document}\nText.\n\\end{document}\n',
      says: r`LaTeX Error: Missing \begin{document}.`,
      fixed: article('The tides of the channel.\nText.'),
    },
  },
  {
    code: 'missing-end-document',
    title: r`\end{document} is missing`,
    means:
      'TeX read the whole file without finding \\end{document}. The line is missing, or an unclosed brace or environment hides it.',
    fix: 'Add \\end{document} as the last line. If it is there, look for an unclosed "{", or for a verbatim or comment environment without its \\end.',
    example: {
      source: '\\documentclass{article}\n\\begin{document}\nThe tides of the channel.\n',
      says: r`Emergency stop: job aborted, no legal \end found`,
      fixed: article('The tides of the channel.'),
    },
  },
  {
    code: 'verb-in-argument',
    title: r`\verb is used in the argument of a command`,
    means:
      '\\verb changes how TeX reads characters. Inside the argument of another command, such as \\section or \\footnote, they have already been read.',
    fix: 'Use \\texttt{…} with escaped special characters. For longer code, load the package cprotect and put \\cprotect before the outer command.',
    example: {
      source: article(r`\section{The flag \verb|-x|} Text.`),
      says: r`LaTeX Error: \verb illegal in argument.`,
      fixed: article(r`\section{The flag \texttt{-x}} Text.`),
    },
  },
  {
    code: 'invalid-encoding',
    title: 'The file is not valid UTF-8',
    means:
      'TeX expects UTF-8. The file contains bytes that are not valid UTF-8, usually accented letters saved in an older encoding such as Latin-1.',
    fix: 'Save the file as UTF-8 in your editor. If it has to stay in Latin-1, load the package inputenc with the option latin1.',
    example: {
      source: article('A café by the sea.'),
      encoding: 'latin1',
      says: 'LaTeX Error: Invalid UTF-8 byte',
      fixed: article('A café by the sea.'),
    },
  },
  {
    code: 'preamble-only',
    title: 'A command belongs in the preamble',
    means: 'Settings for the whole document must come before any text.',
    fix: 'Move the command above \\begin{document}.',
    example: {
      source: article('\\usepackage{amsmath}\nText.'),
      says: 'LaTeX Error: Can be used only in preamble.',
      fixed: article('Text.', r`\usepackage{amsmath}`),
    },
  },
  {
    code: 'missing-item',
    title: r`A list has text before its first \item`,
    means:
      'All content of itemize, enumerate and description belongs to an item. An empty list and an empty bibliography cause the same error, and so does a list, center or verbatim where only one line is possible: in \\mbox and in columns of type l, c and r.',
    fix: 'Start the content with \\item. Remove an empty list. In a table, use a column of type p{…}.',
    example: {
      source: article('\\begin{itemize}\n  High water.\n\\end{itemize}'),
      says: r`LaTeX Error: Something's wrong--perhaps a missing \item.`,
      fixed: article('\\begin{itemize}\n  \\item High water.\n\\end{itemize}'),
    },
  },
  {
    code: 'lonely-item',
    title: r`\item outside of a list`,
    means: '\\item is only allowed inside a list.',
    fix: 'Put it between \\begin{itemize} and \\end{itemize}, or check whether the list ended too early.',
    example: {
      source: article(r`\item High water.`),
      says: r`LaTeX Error: Lonely \item--perhaps a missing list environment.`,
      fixed: article('\\begin{itemize}\n  \\item High water.\n\\end{itemize}'),
    },
  },
  {
    code: 'extra-closing-brace',
    title: 'A closing brace or a math delimiter is missing',
    means:
      'A closing brace came before something else was closed, for example a formula that started with a dollar sign.',
    fix: 'Find the $ or \\( before the brace and end the formula, or remove the brace.',
    example: {
      source: article(r`The depth is $h} everywhere$.`),
      says: 'Extra }, or forgotten $',
      fixed: article(r`The depth is $h$ everywhere.`),
    },
  },
  {
    code: 'unmatched-closing-brace',
    title: 'Too many closing braces',
    means: 'A closing brace has no opening brace before it.',
    fix: 'Remove it, or find the missing opening brace, often in the previous paragraph.',
    example: {
      source: article('The tide rises}.'),
      says: "Too many }'s.",
      fixed: article('The tide rises.'),
    },
  },
  {
    code: 'missing-closing-brace',
    title: 'A closing brace is missing',
    means: 'A table cell or a formula ended while a brace inside it was still open.',
    fix: 'Close the brace before the end of the cell or the formula.',
    example: {
      source: article(r`The depth $h_{max$ is known.`),
      says: 'Missing } inserted.',
      fixed: article(r`The depth $h_{max}$ is known.`),
    },
  },
  {
    code: 'capacity-exceeded',
    title: 'TeX is out of memory',
    means: 'TeX has fixed limits for its memory. Documents rarely need more; usually a command calls itself endlessly.',
    fix: 'Look at the most recently changed definition for a command that uses itself. Compile a very large TikZ picture separately and include it as a PDF.',
    example: {
      source: article(r`\tide`, r`\newcommand{\tide}{\tide x}`),
      says: 'TeX capacity exceeded, sorry [input stack size=10000].',
      fixed: article(r`\tide`, r`\newcommand{\tide}{x}`),
    },
  },
  {
    code: 'no-pages',
    title: 'The document has no pages',
    means:
      'TeX reached the end of the document without any content, so there is no PDF. An empty file has this error too; TeX then reports that it found no \\end.',
    fix: 'Add content between \\begin{document} and \\end{document}. If the file only contains settings for other files, build the file that includes it.',
    example: {
      source: article('% Nothing yet.'),
      says: 'No pages of output.',
      fixed: article('Nothing yet.'),
    },
  },
  {
    code: 'merge-conflict',
    title: 'A merge conflict is not resolved',
    means:
      'If git cannot merge two versions of a line, it writes both into the file, between lines with <<<<<<<, ======= and >>>>>>>. TeX prints these lines as text, or reports an error at them.',
    fix: 'Keep one of the two versions, or combine them, and delete the lines with <<<<<<<, ======= and >>>>>>>.',
    example: {
      source: article('The tide rises.', '<<<<<<< HEAD\n\\usepackage{amsmath}\n=======\n>>>>>>> figures'),
      says: r`LaTeX Error: Missing \begin{document}.`,
      context: 'l.2 <\n     <<<<<< HEAD',
      fixed: article('The tide rises.', r`\usepackage{amsmath}`),
    },
  },
  {
    code: 'time-limit',
    title: 'The compile timed out',
    means:
      'All passes of a compile together have a time limit, so that one document cannot block the others. The message names the pass and the program that was running.',
    fix: 'Look at the latest changes for a command that repeats itself endlessly. Compile a slow drawing separately and include it as a PDF. To raise the limit of a repository, up to the maximum of the host, set timeout in .texproof.toml.',
    example: {
      source: article(r`\tide`, r`\newcommand{\tide}{\relax\tide}`),
      says: 'Compilation timed out after',
      fixed: article(r`\tide`, r`\newcommand{\tide}{The tide.}`),
      timeoutMs: 2_500,
    },
  },
  {
    code: 'resource-limit',
    title: 'The compile exceeded a limit',
    means:
      'Memory, disk, number of files, output and processor time are limited, so that one document cannot block the others. The message names the limit.',
    fix: 'The usual cause is a command that repeats itself endlessly. Look at the latest changes.',
    example: null,
  },
  {
    code: 'missing-class',
    title: 'The document has no class',
    means: 'Every document starts with \\documentclass, which defines its fonts and its layout.',
    fix: 'Add \\documentclass{article} as the first line. If it is there, the class file itself is incomplete.',
    example: {
      source: '\\begin{document}\nText.\n\\end{document}\n',
      says: r`LaTeX Error: The font size command \normalsize is not defined: there is probably something wrong with the class file.`,
      fixed: '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n',
    },
  },
  {
    code: 'no-line-to-end',
    title: 'A line break outside of a paragraph',
    means: '\\\\ and \\newline end a line of a paragraph. Between two paragraphs there is no line to end.',
    fix: 'Remove it. For space between paragraphs, use \\vspace or \\bigskip.',
    example: {
      source: article('One.\n\n\\\\ Two.'),
      says: "LaTeX Error: There's no line here to end.",
      fixed: article('One.\n\n\\bigskip Two.'),
    },
  },
  {
    code: 'unmatched-conditional',
    title: r`\if… and \fi do not match`,
    means:
      'Every \\if… requires a \\fi. Without it, the rest of the document may be skipped. An extra \\fi has no \\if… to end.',
    fix: 'Add the missing \\fi or \\if…, or remove the extra one.',
    example: {
      source: article(r`\newif\ifdraft The depth. \fi`),
      says: r`Extra \fi.`,
      fixed: article(r`\newif\ifdraft \ifdraft The depth. \fi The tide.`),
    },
  },
  {
    code: 'lua-error',
    title: 'Lua code failed',
    means: 'LuaLaTeX runs Lua code in \\directlua and for some packages. The message comes from Lua.',
    fix: 'Fix the code. If a command of a package runs it, check the arguments of that command.',
    example: {
      source: article(r`\directlua{error("no depth")}`),
      says: r`[\directlua]:1: no depth`,
      fixed: article(r`\directlua{tex.sprint("depth")}`),
      engine: 'lualatex',
    },
  },
]
