import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw

/** Commands, environments, packages and fonts that are not there, or are there twice. */
export const commandPages: readonly ErrorPage[] = [
  {
    code: 'undefined-command',
    title: 'A command is not defined',
    means:
      'TeX met a name that begins with a backslash and that nobody has given a meaning. Most often it is a slip, or the package that defines it is not loaded.',
    mend: 'Look at how the name is written. If it comes with a package, load that in the preamble; if it is your own, define it with \\newcommand before its first use.',
    example: {
      source: article(r`The depth is \dpeth{h} everywhere.`, r`\newcommand{\depth}[1]{$#1$}`),
      says: r`Undefined control sequence: \dpeth`,
      mended: article(r`The depth is \depth{h} everywhere.`, r`\newcommand{\depth}[1]{$#1$}`),
    },
  },
  {
    code: 'undefined-environment',
    title: 'An environment is not defined',
    means:
      'What stands in \\begin{…} is neither an environment of LaTeX nor of a package that is loaded. After this error TeX usually finds others, which go away with it.',
    mend: 'Look at how the name is written, and load the package that provides it. An asterisk belongs to the name: align* is not align.',
    example: {
      source: article('\\begin{align}\n  a &= b\n\\end{align}'),
      says: 'LaTeX Error: Environment align undefined.',
      mended: article('\\begin{align}\n  a &= b\n\\end{align}', r`\usepackage{amsmath}`),
    },
  },
  {
    code: 'missing-package',
    title: 'A package or class is not installed',
    means:
      'The document asks for a package or document class that neither the repository nor the TeX of this host has. Nothing can be typeset without it.',
    mend: 'Look at how its name is written. /status/tex tells whether a package is here and what would bring it. A package of your own, or one from a publisher, can lie in the repository beside the document.',
    example: {
      source: article('The tables come from a package.', r`\usepackage{tidetables}`),
      says: r`LaTeX Error: File ${'`'}tidetables.sty' not found.`,
      mended: article('The tables come from a package.', r`\usepackage{booktabs}`),
    },
  },
  {
    code: 'command-already-defined',
    title: 'A command has a meaning already',
    means:
      '\\newcommand makes new names only, so that nothing is replaced by accident. This name is taken by LaTeX or by a package.',
    mend: 'Choose another name. Where you do want to replace what is there, write \\renewcommand; where you want to keep it if it is there, \\providecommand.',
    example: {
      source: article(r`The \section{Tides} of the channel.`, r`\newcommand{\section}[1]{#1}`),
      says: r`LaTeX Error: Command \section already defined.`,
      mended: article(r`The \tidesection{Tides} of the channel.`, r`\newcommand{\tidesection}[1]{#1}`),
    },
  },
  {
    code: 'option-clash',
    title: 'A package is loaded twice with other options',
    means:
      'The class or another package has loaded it already, with options of its own or none. TeX cannot load it once more to change them.',
    mend: 'Give the options where it is loaded first: in \\documentclass, or with \\PassOptionsToPackage before the class, or by moving your \\usepackage above the other.',
    example: {
      source: article('Text.', '\\usepackage{xcolor}\n\\usepackage[table]{xcolor}'),
      says: 'LaTeX Error: Option clash for package xcolor.',
      mended: article('Text.', r`\usepackage[table]{xcolor}`),
    },
  },
  {
    code: 'missing-font',
    title: 'A font is not installed',
    means:
      'XeLaTeX and LuaLaTeX take fonts by the names that the system gives them. No font of this name is on this host.',
    mend: 'Put the font file into the repository and name the file: \\setmainfont{fonts/Name.otf}. Or choose a font that TeX Live brings, such as lmroman10-regular.otf.',
    example: {
      source: article('Text.', '\\usepackage{fontspec}\n\\setmainfont{Nobody Has This Font}'),
      says: 'Package fontspec Error: The font "Nobody Has This Font" cannot be found.',
      mended: article('Text.', '\\usepackage{fontspec}\n\\setmainfont{lmroman10-regular.otf}'),
      engine: 'xelatex',
    },
  },
  {
    code: 'shell-escape',
    title: 'A package wants to run programs',
    means:
      'Some packages let other programs do part of the work: minted runs Pygments, for example. A document that can run programs can do anything, so this is off on this host for everybody.',
    mend: 'Use a package that needs no program, such as listings in place of minted. Or run it on your own machine, and push what it made: minted does so with its options cache and frozencache.',
    example: null,
  },
  {
    code: 'unknown-option',
    title: 'An option is not known',
    means:
      'Packages and their commands take options by name. This name is not one of them: it is misspelt, or it belongs to another package or version.',
    mend: 'Check the name in the documentation of the package, or remove the option.',
    example: {
      source: article('Text.', r`\usepackage[magin=2cm]{geometry}`),
      says: 'Package keyval Error: magin undefined.',
      mended: article('Text.', r`\usepackage[margin=2cm]{geometry}`),
    },
  },
  {
    code: 'undefined-color',
    title: 'A color is not defined',
    means: 'The package xcolor defines about twenty colors. More are available with an option or have to be defined.',
    mend: 'Check the name, define the color with \\definecolor, or load xcolor with the option dvipsnames or svgnames.',
    example: {
      source: article(r`\textcolor{seagreen}{Tides}`, r`\usepackage{xcolor}`),
      says: "Package xcolor Error: Undefined color `seagreen'.",
      mended: article(r`\textcolor{teal}{Tides}`, r`\usepackage{xcolor}`),
    },
  },
  {
    code: 'undefined-counter',
    title: 'A counter is not defined',
    means: '\\setcounter, \\addtocounter and similar commands need a counter that exists.',
    mend: 'Check its name, or define it with \\newcounter.',
    example: {
      source: article(r`\setcounter{sections}{3}Text.`),
      says: "LaTeX Error: No counter 'sections' defined.",
      mended: article(r`\setcounter{section}{3}Text.`),
    },
  },
  {
    code: 'tikz-semicolon',
    title: 'A TikZ path has no semicolon',
    means: 'Every path of TikZ ends with a semicolon. Without it TikZ takes what follows as part of the path.',
    mend: 'Add the semicolon at the end of the path. It is often missing one line above the line that is reported.',
    example: {
      source: article('\\begin{tikzpicture}\n  \\draw (0,0) -- (1,1)\n\\end{tikzpicture}', r`\usepackage{tikz}`),
      says: 'Package tikz Error: Giving up on this path. Did you forget a semicolon?.',
      mended: article('\\begin{tikzpicture}\n  \\draw (0,0) -- (1,1);\n\\end{tikzpicture}', r`\usepackage{tikz}`),
    },
  },
  {
    code: 'unknown-language',
    title: 'A language is not known',
    means:
      'The package babel has a file for each language. There is none for this name, or the language was not loaded.',
    mend: 'Check the name: it is in English and lower case, such as ngerman or french. Load every language as an option of babel.',
    example: {
      source: article('Text.', r`\usepackage[klingon]{babel}`),
      says: "Package babel Error: Unknown option 'klingon'.",
      mended: article('Text.', r`\usepackage[english]{babel}`),
    },
  },
  {
    code: 'wrong-engine',
    title: 'A package needs another engine',
    means: 'Some packages work only with XeLaTeX or LuaLaTeX, such as fontspec, which uses the fonts of the system.',
    mend: 'Compile with one of these engines: % !TEX program = lualatex in the first line. Or remove the package.',
    example: {
      source: article('Text.', r`\usepackage{fontspec}`),
      says: 'Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX.',
      mended: article('Text.'),
    },
  },
]
