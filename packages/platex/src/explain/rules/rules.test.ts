import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LatexError, LatexWarning } from '../../base/types.ts'
import { explainDiagnostic } from '../explain-diagnostic.ts'
import { gatherKnowledge } from '../gather-knowledge.ts'

function error(message: string, context: string | null = null): LatexError {
  return { type: 'error', file: 'main.tex', line: 3, message, context, source: 'latex' }
}

function warning(message: string): LatexWarning {
  return { type: 'warning', code: 'other', file: 'main.tex', line: 3, message }
}

const cases: readonly (readonly [LatexError | LatexWarning, summary: string, remedy: string])[] = [
  [
    error('TeX cannot read a file with the name "100%.tex".'),
    'TeX cannot read a file with the name "100%.tex".',
    'Rename it without % { } ~ \\ " and ^^, and without two spaces in a row.',
  ],
  [
    error('Package changes Error: Undefined changes author: BB.'),
    'The author "BB" of a change is not defined.',
    'Check the identifier, or define it in the preamble: \\definechangesauthor{BB}.',
  ],
  [
    error('Package luacode Error: LuaTeX is required for this package. Aborting..'),
    'This package works only with LuaLaTeX.',
    'Compile with LuaLaTeX: % !TEX program = lualatex.',
  ],
  [
    error('Package tides Error: This package requires LuaTeX or XeTeX.'),
    'This package does not work with the engine that compiles the document.',
    'Compile with LuaLaTeX or XeLaTeX: % !TEX program = lualatex.',
  ],
  [
    error('Package inputenc Error: inputenc is not designed for xetex or luatex. only UTF-8 supported.'),
    'LuaLaTeX and XeLaTeX read only UTF-8, so inputenc cannot choose another encoding.',
    'Save the file as UTF-8 in your editor, and remove inputenc.',
  ],
  [
    error(
      'LaTeX Error: Option clash for package xcolor.',
      'l.3 \\begin\n          {document}\nThe package xcolor has already been loaded with options:\n  []\nThere has now been an attempt to load it with options\n  [table,dvipsnames]\nAdding the global options:',
    ),
    'The package xcolor is loaded twice with different options.',
    'Remove the options here, and write \\PassOptionsToPackage{table,dvipsnames}{xcolor} before \\documentclass.',
  ],
  [
    error('LaTeX Error: Option clash for package babel.'),
    'The package babel is loaded twice with different options.',
    'Remove the options here, and write \\PassOptionsToPackage{…}{babel} before \\documentclass.',
  ],
  [
    error('Missing $ inserted.', 'Here a formula begins that is not closed.\nl.9 \\end{document}'),
    'A formula begins with "$" and is not closed before the end of its paragraph.',
    'Add the second "$", or write \\$ for the character itself.',
  ],
  [
    error('Missing $ inserted.', 'l.3 $\\mbox{a_b}\n              $'),
    '"_" works only in math.',
    'Write $a_1$ for an index, or a\\_1 for the character itself.',
  ],
  [
    error('Display math should end with $$.', 'Here is a "$" inside the formula.\nl.3 $a\n      $'),
    'A "$" is inside a displayed formula.',
    'Remove it: the whole environment is a formula. For words in it, use \\text{…}.',
  ],
  [
    warning('LaTeX Warning: Command \\texttimes invalid in math mode on input line 3.'),
    'The character "×" works only in text, so it is wrong or missing in this formula.',
    'Write \\times in the formula.',
  ],
  [
    warning("LaTeX Warning: Command \\' invalid in math mode on input line 3."),
    "\\' works only in text, not in a formula.",
    'Put the text into \\text{…}, with the package amsmath.',
  ],
  [
    warning("LaTeX Warning: Hyper reference `sec:tides' on page 1 undefined on input line 3."),
    '\\hyperref[sec:tides]: no \\label has this name.',
    'Add the \\label, or check its name.',
  ],
  [
    warning('Missing character: There is no 中 (U+4E2D) in font [lmroman10-regular]:mapping=tex-text;!'),
    'The font lmroman10-regular has no "中", so it is missing from the PDF.',
    'Choose a font that has it.',
  ],
  [
    warning('Missing character: There is no 这 ("8FD9) in font rm-lmbx12!'),
    'The font rm-lmbx12 has no "这", so it is missing from the PDF.',
    'Choose a font that has it.',
  ],
  [
    warning('Missing character: There is no Ö ("D6) in font cmr10!'),
    'The font cmr10 lacks a character of this text, so it is missing from the PDF.',
    'Write the character as a command. In a formula, use a math command such as \\times.',
  ],
  [
    error('Text line contains an invalid character.', 'l.3 Text ^^@\n           more'),
    'This line contains an invisible control character (^^@), which TeX cannot read.',
    'Delete it: retype the text around it. If the file has many, it is not a text file, or is damaged.',
  ],
  [
    error('Argument of \\@sect has an extra }.', 'l.3 \\section{A\\footnote{x}}'),
    '\\footnote does not work in a heading.',
    'Write the heading without it in brackets before: \\section[Title]{Title\\footnote{…}}.',
  ],
  [
    error('Argument of \\@caption has an extra }.', 'l.3 \\caption{\\begin{itemize}\\item a\\end{itemize}}'),
    'A list or another environment does not work in \\caption.',
    'Write it as text of the figure or table, below \\caption.',
  ],
  [
    error('Paragraph ended before \\addcontentsline was complete.'),
    'A \\caption contains a blank line, or its "}" is missing.',
    'Remove the blank line. For a caption with paragraphs, give the list of figures a short text: \\caption[Short]{Long}.',
  ],
  [
    error('Argument of \\enit@refstar@i has an extra }.'),
    'A label of this list uses a counter without its star.',
    'Write \\arabic*, \\alph*, \\Alph*, \\roman* or \\Roman* in label=….',
  ],
  [
    error('File ended while scanning use of \\@item.'),
    'The "[" of \\item has no "]".',
    'Add the "]" after the label. For a text that begins with "[", write \\item {}[.',
  ],
  [
    error('Paragraph ended before \\lstenv@testopt@ was complete.'),
    'The "[" of \\begin{lstlisting} has no "]".',
    'Add the "]" after the options.',
  ],
  [
    error('Undefined control sequence: \\acrshort', 'l.3 \\acrshort\n        {a}'),
    '\\acrshort is not defined.',
    'Load its package: \\usepackage{glossaries}.',
  ],
  [
    error('Undefined control sequence: \\rowcolors', 'l.3 \\rowcolors\n        {1}{gray}{white}'),
    '\\rowcolors is not defined.',
    'Load its package with an option: \\usepackage[table]{xcolor}.',
  ],
  [
    error('Undefined control sequence: \\ERROR', '\\metre ->\\ERROR\nl.3 3 \\metre'),
    '\\metre works only in a unit.',
    'Write \\unit{\\metre}, or \\qty{…}{\\metre} with a number.',
  ],
  [
    error('LaTeX Error: Lonely \\item--perhaps a missing list environment.', 'l.3 \\State\n       $x$'),
    '\\State works only in the environment algorithmic.',
    'Put the algorithm between \\begin{algorithmic} and \\end{algorithmic}.',
  ],
  [
    error('Class exam Error: I found a question where I expected to find a part .', 'l.3 \\question'),
    '\\question is in the parts environment of the exam class, which allows only \\part.',
    'Add \\end{parts} before it.',
  ],
  [
    warning('Missing character: There is no ]] in font nullfont!'),
    'The tree ends here, and the rest of it is missing from the PDF.',
    'Remove the extra "]", or add the missing "[".',
  ],
  [
    error('Extra alignment tab has been changed to \\cr.', 'Here "&" is in \\author.\nl.9 \\maketitle'),
    '"&" separates table cells, and \\maketitle prints the authors as a table.',
    'Write \\and between two authors, or \\& for the character itself.',
  ],
  [
    error('Extra alignment tab has been changed to \\cr.', 'Here "%" hides the end of a row.\nl.4 Ebb & 30'),
    '"%" begins a comment, which hides the "\\\\" at the end of this row.',
    'Write \\% for the character itself.',
  ],
  [
    error('Misplaced alignment tab character &.', 'Here "&" is in a formula without columns: "gather".\nl.4 a &'),
    '"&" separates columns, which gather does not have.',
    'Use align with the package amsmath, or put \\begin{aligned} and \\end{aligned} into the formula.',
  ],
  [
    error('Missing number, treated as zero.', 'l.4 \\begin{tabularx}{lX}\n       \nl'),
    '\\begin{tabularx} has no width before its columns.',
    'Write it first: \\begin{tabularx}{\\textwidth}{…}.',
  ],
  [
    error(
      'Missing $ inserted.',
      'The name of a command contains a special character: "\\my_value".\nl.2 \\newcommand{\\my_value}{3}',
    ),
    '\\my_value cannot be the name of a command, which consists of letters.',
    'Choose a name without digits, "_" and "-".',
  ],
]

for (const [diagnostic, summary, remedy] of cases)
  test(`explainDiagnostic() explains "${diagnostic.message.slice(0, 70)}" by ${summary}`, () => {
    assert.deepEqual(explainDiagnostic(diagnostic), { summary, remedy })
  })

const DRIVER_MESSAGE =
  "Package hyperref Error: Wrong DVI mode driver option `dvips', because pdfTeX or LuaTeX is running in PDF mode."

const loadedCases: readonly (readonly [preamble: string, message: string, remedy: string])[] = [
  [
    '\\usepackage{pgfplots}',
    'LaTeX Error: Environment groupplot undefined.',
    'Load its library after pgfplots: \\usepgfplotslibrary{groupplots}. It works only in a tikzpicture.',
  ],
  [
    '\\usepackage{pgfplots}',
    'LaTeX Error: Environment axis undefined.',
    'Put it between \\begin{tikzpicture} and \\end{tikzpicture}.',
  ],
  [
    '',
    'LaTeX Error: Environment polaraxis undefined.',
    'Load its package and library: \\usepackage{pgfplots} and \\usepgfplotslibrary{polar}.',
  ],
  [
    '\\usepackage{pgfplots}',
    'Undefined control sequence: \\nextgroupplot',
    'Load \\usepgfplotslibrary{groupplots}, and write it between \\begin{groupplot} and \\end{groupplot}.',
  ],
  [
    '\\usepackage{subfig}',
    'LaTeX Error: Environment subfigure undefined.',
    'It belongs to subcaption, which cannot be used with subfig. Write \\subfloat[…]{…}, or load subcaption instead.',
  ],
  [
    '\\usepackage{longtable}',
    'LaTeX Error: Environment longtable undefined.',
    'Check that the preamble of this document loads its package longtable.',
  ],
  ['\\usepackage[dvips]{hyperref}', DRIVER_MESSAGE, 'Remove the option: the package detects the engine.'],
  [
    '\\documentclass{powerdot}',
    DRIVER_MESSAGE,
    'Remove the option. If the class sets it, compile with LaTeX and dvips: % !TEX program = latex.',
  ],
  ['', 'LaTeX Error: Environment longtable undefined.', 'Load its package: \\usepackage{longtable}.'],
  ['\\documentclass{IEEEtran}', 'LaTeX Error: Environment IEEEkeyword undefined.', 'Did you mean IEEEkeywords?'],
  ['\\documentclass[review]{elsarticle}', 'LaTeX Error: Environment keywords undefined.', 'Did you mean keyword?'],
  ['\\documentclass{scrlttr2}', 'LaTeX Error: Command \\fromnme undefined.', 'Did you mean \\fromname?'],
  ['\\documentclass{constructor}', 'LaTeX Error: Environment itemise undefined.', 'Did you mean itemize?'],
  ['\\documentclass{letter}', 'Undefined control sequence: \\fromnme', 'Did you mean \\fromname?'],
  ['\\documentclass{beamer}', 'Undefined control sequence: \\frametitel', 'Did you mean \\frametitle?'],
  ['\\documentclass{revtex4-2}', 'Undefined control sequence: \\affilation', 'Did you mean \\affiliation?'],
  ['\\usepackage{natbib}', 'Undefined control sequence: \\citpe', 'Did you mean \\citep?'],
  ['\\usepackage{xcolor}', 'Undefined control sequence: \\textcolr', 'Did you mean \\textcolor?'],
  ['\\usepackage{tabularx,pdflscape}', 'LaTeX Error: Environment landscpae undefined.', 'Did you mean landscape?'],
  [
    '\\usepackage{tikz}',
    "Package pgfkeys Error: I do not know the key '/tikz/rounded cornres' and I am going to ignore it.",
    'Did you mean rounded corners?',
  ],
  [
    '\\usepackage{tikz}\\node (a) {A};',
    "Package pgf Error: No shape named `b' is known.",
    'Name the node or coordinate before this line, or check the name.',
  ],
]

for (const [preamble, message, remedy] of loadedCases)
  test(`explainDiagnostic() recommends "${remedy}" for the preamble "${preamble}"`, () => {
    const knowledge = gatherKnowledge(new Map([['main.tex', Buffer.from(preamble)]]))
    assert.equal(explainDiagnostic(error(message), knowledge)?.remedy, remedy)
  })

const pictureCases: readonly (readonly [path: string, name: string, remedy: string])[] = [
  ['figs/tides.webp', 'figs/tides', 'Convert figs/tides.webp to PDF, PNG or JPEG: this format is not supported.'],
  ['figs/tides.SVG', 'tides', 'Convert figs/tides.SVG to PDF, PNG or JPEG: this format is not supported.'],
  ['figs/tides.png', 'tides', 'Did you mean figs/tides.png? Write the path with its folder.'],
  ['tides.gif', 'tides.png', 'Convert tides.gif to PDF, PNG or JPEG: this format is not supported.'],
  ['code/tides.svg', 'code/Tides.svg', 'The file is called code/tides.svg: upper and lower case matter.'],
]

for (const [path, name, remedy] of pictureCases)
  test(`explainDiagnostic() recommends "${remedy}" for the image ${name}`, () => {
    const knowledge = gatherKnowledge(new Map([[path, Buffer.from('')]]))
    assert.equal(explainDiagnostic(error(`LaTeX Error: File \`${name}' not found.`), knowledge)?.remedy, remedy)
  })

for (const [file, remedy] of [
  ['fonts/Lato-Regualr.ttf', 'Did you mean fonts/Lato-Regualr.ttf?'],
  ['fonts/Garamond.otf', 'Add its file to that folder, or check its name.'],
] as const)
  test(`explainDiagnostic() recommends "${remedy}" for a font in a folder that contains ${file}`, () => {
    const knowledge = gatherKnowledge(new Map([[file, Buffer.from('')]]))
    const found = error(
      'Package fontspec Error: The font "Lato-Regular" cannot be found.',
      'l.3 \\setmainfont{Lato-Regular.ttf}[Path=./fonts/]',
    )
    assert.deepEqual(explainDiagnostic(found, knowledge), {
      summary: 'The font "Lato-Regular" is not in the folder set by Path=….',
      remedy,
    })
  })

const pointer = Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`)

for (const message of [
  'pdfTeX error: pdflatex (file ./figs/tides.png): reading image file failed',
  "Unable to load picture or PDF file 'figs/tides.png'.",
])
  test(`explainDiagnostic() recognizes a pointer of Git LFS in "${message}"`, () => {
    const knowledge = gatherKnowledge(new Map([['figs/tides.png', pointer]]))
    assert.deepEqual(explainDiagnostic(error(message), knowledge), {
      summary: 'The file figs/tides.png is a Git LFS pointer: its contents are not in the repository.',
      remedy: 'Commit the file itself: run git lfs untrack "*.png" and git add --renormalize . before the commit.',
    })
  })

for (const [message, file] of [
  ["LaTeX Error: File `shared/intro.tex' not found.", 'shared/intro.tex'],
  ["LaTeX Error: File `../shared/macros.sty' not found.", '../shared/macros.sty'],
  ["I couldn't open database file shared/lib/references.bib", 'shared/lib/references.bib'],
] as const)
  test(`explainDiagnostic() names the submodule of ${file}`, () => {
    const gitmodules = Buffer.from('[submodule "lib"]\n\tpath = shared\n\turl = ../shared.git\n')
    const knowledge = gatherKnowledge(new Map([['.gitmodules', gitmodules]]))
    assert.deepEqual(explainDiagnostic(error(message), knowledge), {
      summary: `The file "${file}" was not found.`,
      remedy: 'The folder shared is a git submodule, which builds do not fetch. Commit its files to this repository.',
    })
  })
