import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Definitions with mistakes, and commands of packages that are used in a wrong way. */
export const definitionAndPackagePages: readonly ErrorPage[] = [
  {
    code: 'parameter-number',
    title: 'A definition uses an argument that it does not have',
    means:
      'The text of a definition contains #1 or #2, but the number of arguments in brackets is smaller or missing. In \\newenvironment, arguments are not available in the \\end part.',
    fix: 'Write the number of arguments in brackets after the name. For the arguments of a definition inside another definition, write ##1.',
    example: {
      source: article(r`The range is \range{0}{9}.`, r`\newcommand{\range}[1]{#1 to #2}`),
      says: r`Illegal parameter number in definition of \range.`,
      fixed: article(r`The range is \range{0}{9}.`, r`\newcommand{\range}[2]{#1 to #2}`),
    },
  },
  {
    code: 'missing-opening-brace',
    title: 'An argument in braces is missing',
    means: 'TeX expects "{" at this position, for example after _ or ^ if more than one symbol follows.',
    fix: 'Put the whole argument in braces: x_{12}.',
    example: {
      source: article(r`It is $a_\left( b \right)$.`),
      says: 'Missing { inserted.',
      fixed: article(r`It is $a_{\left( b \right)}$.`),
    },
  },
  {
    code: 'missing-command-name',
    title: 'The name of a command is missing',
    means: 'A definition must name the command that it defines, with its backslash.',
    fix: 'Add the backslash: \\newcommand{\\depth}{…}.',
    example: {
      source: article('Text.', r`\newcommand{depth}{h}`),
      says: 'Missing control sequence inserted.',
      fixed: article('Text.', r`\newcommand{\depth}{h}`),
    },
  },
  {
    code: 'missing-glossary-field',
    title: 'A glossary entry lacks a name or description',
    means: 'Every entry of a glossary needs a name and a description.',
    fix: 'Add the missing field to \\newglossaryentry. For abbreviations, use \\newacronym, which needs no description.',
    example: {
      source: article(
        r`The \gls{tide} rises.`,
        r`\usepackage{glossaries}
\newglossaryentry{tide}{name=tide}`,
      ),
      says: `Package glossaries Error: description key required in \\newglossaryentry for entry ${'`'}tide'.`,
      fixed: article(
        r`The \gls{tide} rises.`,
        r`\usepackage{glossaries}
\newglossaryentry{tide}{name=tide, description={rise and fall of the sea}}`,
      ),
    },
  },
  {
    code: 'command-in-name',
    title: 'A name contains a command',
    means:
      'Names of labels, environments, counters and files are plain text. A command in them cannot be part of a name.',
    fix: 'Use plain text only.',
    example: {
      source: article(r`\begin{\textbf{quote}}Text.\end{\textbf{quote}}`),
      says: r`Missing \endcsname inserted.`,
      fixed: article(r`\begin{quote}\textbf{Text.}\end{quote}`),
    },
  },
  {
    code: 'definition-mismatch',
    title: 'An argument does not have the required form',
    means:
      'Some commands require brackets or separators in their arguments, such as \\put(1,2){…}. The text after this command has another form.',
    fix: 'Check the form of the arguments in the documentation of the command.',
    example: {
      source: article('\\begin{picture}(9,9)\\put 1,1{Low}\\end{picture}'),
      says: r`Use of \put doesn't match its definition.`,
      fixed: article('\\begin{picture}(9,9)\\put(1,1){Low}\\end{picture}'),
    },
  },
  {
    code: 'wrong-mode',
    title: 'A command does not work at this position',
    means: 'Some commands work only between paragraphs, some only in formulas or tables. TeX ignores them elsewhere.',
    fix: 'Move the command to a position where it works, often between two paragraphs, or remove it.',
    example: {
      source: article(r`The tide \moveleft 3pt falls.`),
      says: r`You can't use ${'`'}\moveleft' in horizontal mode.`,
      fixed: article('The tide falls.'),
    },
  },
  {
    code: 'misplaced-class',
    title: 'The document class is not at the beginning',
    means: 'A document has one \\documentclass, before all packages.',
    fix: 'Move \\usepackage below \\documentclass, and remove a second \\documentclass. The packages subfiles and standalone support chapters that are also documents.',
    example: {
      source: `\\usepackage{booktabs}\n${article('Text.')}`,
      says: r`LaTeX Error: \usepackage before \documentclass.`,
      fixed: article('Text.', r`\usepackage{booktabs}`),
    },
  },
  {
    code: 'nested-include',
    title: 'An included file includes another file',
    means: '\\include writes a file of references for each chapter, so it works only in the root file.',
    fix: 'Use \\input in the included file.',
    example: {
      source: article(r`\include{channels}`),
      files: { 'channels.tex': 'Channels.\n\\include{depths}\n', 'depths.tex': 'Depths.\n' },
      says: r`LaTeX Error: \include cannot be nested.`,
      fixed: article(r`\include{channels}`),
      fixedFiles: { 'channels.tex': 'Channels.\n\\input{depths}\n', 'depths.tex': 'Depths.\n' },
    },
  },
  {
    code: 'missing-title',
    title: 'The document has no title',
    means: '\\maketitle prints the title, but no \\title comes before it.',
    fix: 'Add \\title{…} and \\author{…} before \\maketitle.',
    example: {
      source: article(r`\maketitle`, r`\author{Alice}`),
      says: r`LaTeX Error: No \title given.`,
      fixed: article(r`\maketitle`, r`\title{Tides}\author{Alice}`),
    },
  },
  {
    code: 'tikz-syntax',
    title: 'A TikZ path has a syntax error',
    means: 'A coordinate, a node or another part of the path is not written as TikZ expects.',
    fix: 'Write coordinates as (x,y), add a text in braces to every node, and end every path with a semicolon.',
    example: {
      source: article(r`\begin{tikzpicture}\node (a) at (0,0);\end{tikzpicture}`, r`\usepackage{tikz}`),
      says: 'Package tikz Error: A node must have a (possibly empty) label text.',
      fixed: article(r`\begin{tikzpicture}\node (a) at (0,0) {};\end{tikzpicture}`, r`\usepackage{tikz}`),
    },
  },
  {
    code: 'unknown-function',
    title: 'A calculation contains an unknown name',
    means: 'TikZ evaluates coordinates and plots as formulas. This name is not a function, a unit or a number.',
    fix: 'Check the name. Variables of a plot begin with a backslash, except x. Positions such as right=of a require \\usetikzlibrary{positioning}.',
    example: {
      source: article(r`\begin{tikzpicture}\draw (0,0) -- ({sine(30)},1);\end{tikzpicture}`, r`\usepackage{tikz}`),
      says: "Package PGF Math Error: Unknown function `sine'",
      fixed: article(r`\begin{tikzpicture}\draw (0,0) -- ({sin(30)},1);\end{tikzpicture}`, r`\usepackage{tikz}`),
    },
  },
  {
    code: 'unknown-graphics-format',
    title: 'The format of an image is not supported',
    means: 'LaTeX includes PDF, PNG, JPEG and EPS images. It does not read GIF, WebP, TIFF or SVG files.',
    fix: 'Convert the image to PDF if it is a drawing, or to PNG or JPEG. The package svg includes SVG files.',
    example: {
      source: article(r`\includegraphics{tides.gif}`, r`\usepackage{graphicx}`),
      files: { 'tides.gif': 'GIF89a' },
      says: 'LaTeX Error: Unknown graphics extension: .gif.',
      fixed: article(r`\includegraphics{example-image}`, r`\usepackage{graphicx}`),
    },
  },
  {
    code: 'damaged-picture',
    title: 'An image is damaged',
    means:
      'The file is incomplete, or its extension does not match its format, for example a JPEG named x.png, or it is a Git LFS pointer.',
    fix: 'Export the image again. If the extension is wrong, rename the file. Instead of a pointer, commit the file itself.',
    example: {
      source: article(r`\includegraphics{tides.png}`, r`\usepackage{graphicx}`),
      files: { 'tides.png': 'Not an image.' },
      says: 'pdfTeX error: pdflatex (file ./tides.png): libpng: internal error',
      fixed: article(r`\includegraphics{example-image}`, r`\usepackage{graphicx}`),
    },
  },
  {
    code: 'incompatible-packages',
    title: 'Two packages cannot be used together',
    means: 'Both packages change the same commands, and one of them refuses to load with the other.',
    fix: 'Remove one of them. The message names the other one.',
    example: {
      source: article('Text.', '\\usepackage{natbib}\n\\usepackage{biblatex}'),
      says: "Package biblatex Error: Incompatible package 'natbib'.",
      fixed: article('Text.', r`\usepackage{natbib}`),
    },
  },
  {
    code: 'biblatex-command',
    title: 'A command does not work with biblatex',
    means: 'biblatex replaces the commands of BibTeX: its style is an option, and \\printbibliography prints the list.',
    fix: 'Remove the command, or remove biblatex.',
    example: {
      source: article(r`Text.\bibliographystyle{plain}`, r`\usepackage{biblatex}`),
      says: r`Package biblatex Error: '\bibliographystyle' invalid for 'biblatex'.`,
      fixed: article('Text.', r`\usepackage[style=numeric]{biblatex}`),
    },
  },
  {
    code: 'package-order',
    title: 'Packages are loaded in the wrong order',
    means: 'A package changes the commands of another one, and must be loaded after it.',
    fix: 'Move its \\usepackage below the \\usepackage of the other package.',
    example: {
      source: article('Text.', '\\usepackage{cleveref}\n\\usepackage{hyperref}'),
      says: 'Package cleveref Error: cleveref must be loaded after hyperref!',
      fixed: article('Text.', '\\usepackage{hyperref}\n\\usepackage{cleveref}'),
    },
  },
  {
    code: 'wrong-driver',
    title: 'A driver option does not match the engine',
    means: 'Options such as dvips select a program that converts DVI files. This engine creates the PDF itself.',
    fix: 'Remove the option: packages detect the engine.',
    example: {
      source: article('Text.', r`\usepackage[dvips]{hyperref}`),
      says: "Package hyperref Error: Wrong DVI mode driver option `dvips'",
      fixed: article('Text.', r`\usepackage{hyperref}`),
    },
  },
  {
    code: 'missing-column',
    title: 'The data of a plot has no such column',
    means: 'The first line of the file does not contain this column name, or the columns have another separator.',
    fix: 'Check the name. For comma-separated values, add the option col sep=comma.',
    example: {
      source: article(
        r`\begin{tikzpicture}\begin{axis}\addplot table[x=time,y=depth] {tides.txt};\end{axis}\end{tikzpicture}`,
        '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
      ),
      files: { 'tides.txt': 'time height\n1 2\n2 3\n' },
      says: "Package pgfplots Error: Sorry, could not retrieve column 'depth' from table",
      fixed: article(
        r`\begin{tikzpicture}\begin{axis}\addplot table[x=time,y=height] {tides.txt};\end{axis}\end{tikzpicture}`,
        '\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}',
      ),
    },
  },
  {
    code: 'index-syntax',
    title: 'An index entry is not valid',
    means:
      'In \\index, some characters are special: ! separates levels, @ sets the sort key, | the page format, and " quotes.',
    fix: 'Use at most three levels, one "@" and one "|". To print these characters, write "!, "@ and "|.',
    example: {
      source: article(r`Text\index{sea!tides!high!low}.\printindex`, '\\usepackage{makeidx}\n\\makeindex'),
      says: "makeindex left out an entry: Extra `!'",
      fixed: article(r`Text\index{sea!tides!high}.\printindex`, '\\usepackage{makeidx}\n\\makeindex'),
    },
  },
  {
    code: 'missing-makeindex',
    title: 'The index is empty',
    means:
      '\\index does nothing until \\makeindex tells LaTeX to collect the entries in a file. Without it, \\printindex finds no index and prints nothing.',
    fix: 'Add \\makeindex to the preamble, after the package makeidx.',
    example: {
      source: article('The sea\\index{sea}.\n\\printindex', '\\usepackage{makeidx}'),
      says: 'No file main.ind.',
      fixed: article('The sea\\index{sea}.\n\\printindex', '\\usepackage{makeidx}\n\\makeindex'),
    },
  },
  {
    code: 'unicode-in-listing',
    title: 'A listing contains a character that is not ASCII',
    means: 'The package listings reads the text byte by byte. With pdfLaTeX, an accented letter is more than one byte.',
    fix: 'Compile with LuaLaTeX or XeLaTeX, or define each character with \\lstset{literate={ö}{{\\"o}}1}.',
    example: {
      source: article('\\begin{lstlisting}\nint größe = 1;\n\\end{lstlisting}', r`\usepackage{listings}`),
      says: 'LaTeX Error: Invalid UTF-8 byte sequence (Ã\\expandafter).',
      fixed: article('\\begin{lstlisting}\nint size = 1;\n\\end{lstlisting}', r`\usepackage{listings}`),
    },
  },
  {
    code: 'file-not-writable',
    title: 'The document cannot write a file',
    means: 'Documents may write files only below their own folder.',
    fix: 'Change the file name in \\openout, or remove the command.',
    example: {
      source: article(r`\immediate\openout5=/tides.txt Text.`),
      says: "I can't write on file `/tides.txt'",
      fixed: article(r`\immediate\openout5=tides.txt Text.`),
    },
  },
]
