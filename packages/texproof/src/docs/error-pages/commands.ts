import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Undefined and duplicate commands, environments, packages and fonts. */
export const commandPages: readonly ErrorPage[] = [
  {
    code: 'undefined-command',
    title: 'A command is not defined',
    means: 'TeX found a command that is not defined. It is misspelled, or the package that defines it is not loaded.',
    fix: 'Check the spelling. If a package provides the command, load it in the preamble. Define your own commands with \\newcommand before their first use.',
    example: {
      source: article(r`The depth is \dpeth{h} everywhere.`, r`\newcommand{\depth}[1]{$#1$}`),
      says: r`Undefined control sequence: \dpeth`,
      fixed: article(r`The depth is \depth{h} everywhere.`, r`\newcommand{\depth}[1]{$#1$}`),
    },
  },
  {
    code: 'undefined-environment',
    title: 'An environment is not defined',
    means:
      'The name in \\begin{…} is not an environment of LaTeX or of a loaded package. Further errors after this one usually disappear with it.',
    fix: 'Check the spelling, and load the package that provides the environment. The asterisk is part of the name: align* and align are different.',
    example: {
      source: article('\\begin{align}\n  a &= b\n\\end{align}'),
      says: 'LaTeX Error: Environment align undefined.',
      fixed: article('\\begin{align}\n  a &= b\n\\end{align}', r`\usepackage{amsmath}`),
    },
  },
  {
    code: 'missing-package',
    title: 'A package or class is not installed',
    means:
      'The document loads a package or document class that is neither in the repository nor installed on this host. TeX stops without it.',
    fix: 'Check the spelling. /status/tex shows whether a package is installed, and what provides it. Add your own packages, or packages of a publisher, to the repository.',
    example: {
      source: article('The tables come from a package.', r`\usepackage{tidetables}`),
      says: r`LaTeX Error: File ${'`'}tidetables.sty' not found.`,
      fixed: article('The tables come from a package.', r`\usepackage{booktabs}`),
    },
  },
  {
    code: 'command-already-defined',
    title: 'A command is already defined',
    means:
      '\\newcommand only creates new commands, to prevent accidental changes. LaTeX or a package already defines this one.',
    fix: 'Choose another name. To replace the existing command, use \\renewcommand. To keep it if it exists, use \\providecommand.',
    example: {
      source: article(r`The \section{Tides} of the channel.`, r`\newcommand{\section}[1]{#1}`),
      says: r`LaTeX Error: Command \section already defined.`,
      fixed: article(r`The \tidesection{Tides} of the channel.`, r`\newcommand{\tidesection}[1]{#1}`),
    },
  },
  {
    code: 'option-clash',
    title: 'A package is loaded twice with different options',
    means:
      'The class or another package has already loaded the package with other options. TeX cannot load it again to change them.',
    fix: 'Remove the options from the second \\usepackage, and write \\PassOptionsToPackage{table}{xcolor} before \\documentclass, with your options and package. If both are in your preamble, load the package once with all options.',
    example: {
      source: article('Text.', '\\usepackage{xcolor}\n\\usepackage[table]{xcolor}'),
      says: 'LaTeX Error: Option clash for package xcolor.',
      fixed: article('Text.', r`\usepackage[table]{xcolor}`),
    },
  },
  {
    code: 'missing-font',
    title: 'A font is not installed',
    means: 'XeLaTeX and LuaLaTeX use the fonts of the system by name. This host has no font with this name.',
    fix: 'Add the font file to the repository and load it by file name: \\setmainfont{fonts/Name.otf}. Or use a font of TeX Live, such as lmroman10-regular.otf.',
    example: {
      source: article('Text.', '\\usepackage{fontspec}\n\\setmainfont{Nobody Has This Font}'),
      says: 'Package fontspec Error: The font "Nobody Has This Font" cannot be found.',
      fixed: article('Text.', '\\usepackage{fontspec}\n\\setmainfont{lmroman10-regular.otf}'),
      engine: 'xelatex',
    },
  },
  {
    code: 'shell-escape',
    title: 'A package requires shell escape',
    means:
      'Some packages run other programs: minted runs Pygments, and pgfplots can run gnuplot. A document that can run programs can do anything, so shell escape is off for all documents.',
    fix: 'Use a package that does not run programs, such as listings instead of minted. Or compile on your own machine and push the generated files: for minted, the folder _minted-…, with the option frozencache.',
    example: null,
  },
  {
    code: 'unknown-option',
    title: 'An option is unknown',
    means:
      'Packages and commands accept options by name. This name is misspelled, or belongs to another package or version.',
    fix: 'Check the name in the documentation of the package, or remove the option.',
    example: {
      source: article('Text.', r`\usepackage[magin=2cm]{geometry}`),
      says: 'Package keyval Error: magin undefined.',
      fixed: article('Text.', r`\usepackage[margin=2cm]{geometry}`),
    },
  },
  {
    code: 'undefined-color',
    title: 'A color is not defined',
    means: 'The package xcolor defines about twenty colors. More are available with an option or have to be defined.',
    fix: 'Check the name, define the color with \\definecolor, or load xcolor with the option dvipsnames or svgnames.',
    example: {
      source: article(r`\textcolor{seagreen}{Tides}`, r`\usepackage{xcolor}`),
      says: "Package xcolor Error: Undefined color `seagreen'.",
      fixed: article(r`\textcolor{teal}{Tides}`, r`\usepackage{xcolor}`),
    },
  },
  {
    code: 'undefined-counter',
    title: 'A counter is not defined',
    means: '\\setcounter, \\addtocounter and similar commands need a counter that exists.',
    fix: 'Check its name, or define it with \\newcounter.',
    example: {
      source: article(r`\setcounter{sections}{3}Text.`),
      says: "LaTeX Error: No counter 'sections' defined.",
      fixed: article(r`\setcounter{section}{3}Text.`),
    },
  },
  {
    code: 'tikz-semicolon',
    title: 'A TikZ path has no semicolon',
    means: 'Every TikZ path ends with a semicolon. Without one, TikZ reads the following text as part of the path.',
    fix: 'Add the semicolon at the end of the path. Often it is missing on the line before the reported one.',
    example: {
      source: article('\\begin{tikzpicture}\n  \\draw (0,0) -- (1,1)\n\\end{tikzpicture}', r`\usepackage{tikz}`),
      says: 'Package tikz Error: Giving up on this path. Did you forget a semicolon?.',
      fixed: article('\\begin{tikzpicture}\n  \\draw (0,0) -- (1,1);\n\\end{tikzpicture}', r`\usepackage{tikz}`),
    },
  },
  {
    code: 'unknown-language',
    title: 'A language is unknown',
    means:
      'The package babel has a file for each language. It has none with this name, or the language was not loaded.',
    fix: 'Check the name: babel uses lower-case names such as ngerman and french. Load every language as an option of babel.',
    example: {
      source: article('Text.', r`\usepackage[klingon]{babel}`),
      says: "Package babel Error: Unknown option 'klingon'.",
      fixed: article('Text.', r`\usepackage[english]{babel}`),
    },
  },
  {
    code: 'wrong-engine',
    title: 'A package needs another engine',
    means: 'Some packages work only with XeLaTeX or LuaLaTeX, such as fontspec, which uses the fonts of the system.',
    fix: 'Compile with one of these engines: % !TEX program = lualatex in the first line. Or remove the package.',
    example: {
      source: article('Text.', r`\usepackage{fontspec}`),
      says: 'Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX.',
      fixed: article('Text.'),
    },
  },
  {
    code: 'undefined-glossary-entry',
    title: 'A glossary entry is not defined',
    means: '\\gls and related commands use entries by their label. No entry has this label.',
    fix: 'Define the entry with \\newglossaryentry or \\newacronym in the preamble, or check the label.',
    example: {
      source: article(r`The \gls{tide}. \printnoidxglossaries`, r`\usepackage{glossaries}\makenoidxglossaries`),
      says: r`Package glossaries Error: Glossary entry ${'`'}tide' has not been defined.`,
      fixed: article(
        r`The \gls{tide}. \printnoidxglossaries`,
        r`\usepackage{glossaries}\makenoidxglossaries\newglossaryentry{tide}{name=tide,description={rise and fall of the sea}}`,
      ),
    },
  },
  {
    code: 'unknown-node',
    title: 'A TikZ node or shape is unknown',
    means:
      'A path uses the name of a node or coordinate that the picture does not define, or a shape of a library that is not loaded.',
    fix: 'Check the name. Define a node before you use it, and load the library of a shape with \\usetikzlibrary.',
    example: {
      source: article(r`\tikz \draw (pier) -- (1,1);`, r`\usepackage{tikz}`),
      says: r`Package pgf Error: No shape named ${'`'}pier' is known.`,
      fixed: article(r`\tikz \draw (0,0) coordinate (pier) (pier) -- (1,1);`, r`\usepackage{tikz}`),
    },
  },
]
