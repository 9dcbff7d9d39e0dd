import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import type { LatexError, LatexWarning } from '../base/types.ts'
import { diagnosticCodes, explainDiagnostic, codeOf } from './explain-diagnostic.ts'
import { closest } from './closest.ts'
import { gatherKnowledge } from './gather-knowledge.ts'
import { suggestFile } from './suggest-file.ts'

const files = new Map(
  Object.entries({
    'main.tex': String.raw`\newcommand{\velocity}{v}\DeclareMathOperator*{\argmax}{argmax}\newtheorem{claim}{Claim}
\def\shortcut{x}\label{sec:channels}`,
    'style.sty': String.raw`\RequirePackage{algpseudocode}\usepackage[style=apa]{biblatex}\usepackage[ngerman]{babel}
%\usepackage{natbib}`,
    'refs.bib': '@book{smith2020,\n title = {Tides}}\n@string{x = "y"}\n@article{green1838,\n}',
    'figs/Plot.pdf': '%PDF',
    'sections/intro.tex': 'Text.',
  }).map(([path, text]) => [path, Buffer.from(text)] as const),
)
const knowledge = gatherKnowledge(files)

function error(message: string, context: string | null = null): LatexError {
  return { type: 'error', file: 'main.tex', line: 3, message, context, source: 'latex' }
}

function warning(message: string): LatexWarning {
  return { type: 'warning', code: 'other', file: null, line: null, message }
}

const cases: readonly (readonly [LatexError | LatexWarning, string | null, string | null])[] = [
  [
    error("LaTeX Error: File `beamerthemeMetropolis.sty' not found."),
    'The beamer theme "Metropolis" is not installed.',
    'Did you mean metropolis? Upper and lower case matter.',
  ],
  [
    error("LaTeX Error: File `TikZ.sty' not found."),
    'The package "TikZ" is not installed.',
    'Did you mean tikz? Upper and lower case matter.',
  ],
  [
    error('Unable to read an entire line---bufsize=200000.'),
    'A line has more than 200000 bytes, which is longer than TeX can read.',
    'Break it into several lines.',
  ],
  [error('Undefined control sequence: \\endIf'), '\\endIf is not defined.', 'Did you mean \\EndIf?'],
  [
    error('Undefined control sequence: \\KwData'),
    '\\KwData is not defined.',
    '\\KwData belongs to the package algorithm2e, but the document loads algpseudocode. Write \\Require.',
  ],
  [
    error('Undefined control sequence: \\citep'),
    '\\citep is not defined.',
    'natbib cannot be used with biblatex. Write \\parencite, or load \\usepackage[natbib=true]{biblatex}.',
  ],
  [
    error('Undefined control sequence: \\secnd', 'l.4 Speed \\SI{3}{\\metre\\per\\secnd}\n                .'),
    '\\secnd is not defined.',
    'Did you mean \\second?',
  ],
  [
    error("Package biblatex Error: Option 'sorting=foo' invalid."),
    '"foo" is not a value of the option sorting of biblatex.',
    'Write nty, nyt, nyvt, anyt, anyvt, ynt, ydnt or none.',
  ],
  [
    error("Package biblatex Error: Style 'numric' not found."),
    'The bibliography style numric was not found.',
    'Did you mean numeric?',
  ],
  [
    error(
      "Package pgfkeys Error: I do not know the key '/tikz/name path', to which you passed 'a', and I am going to ignore it.",
    ),
    '"name path" is not an option here.',
    'Load the TikZ library that defines it: \\usetikzlibrary{intersections}.',
  ],
  [
    error('Package tikz Error: You need to load a decoration library.', 'l.5 \\draw[decorate, decoration={snake}]'),
    'Decorations require a TikZ library.',
    'Load it: \\usetikzlibrary{decorations.pathmorphing}.',
  ],
  [
    error('Package tikz Error: Cannot parse this coordinate.', 'l.7 \\draw (0,0) -- node["x"] (1,1);'),
    'babel makes " a shorthand in this language, which breaks TikZ.',
    'Load the library that avoids it: \\usetikzlibrary{babel}.',
  ],
  [error('Package keyval Error: widht undefined.'), '"widht" is not an option here.', 'Did you mean width?'],
  [
    error("LaTeX Error: The key 'siunitx/3' is unknown and is being ignored."),
    '"3" is not an option here.',
    'A comma separates two options. Write a format with a decimal point: table-format=2.3.',
  ],
  [
    error(
      "Package Listings Error: Couldn't load requested language.",
      'l.4 \\lstinputlisting[language=Pyton]{code.py}',
    ),
    'listings does not support the language "Pyton".',
    'Did you mean Python?',
  ],
  [
    error('Missing number, treated as zero.', 'An argument is missing: "multicols".\nl.5 T\n     ext'),
    '\\begin{multicols} has no number of columns.',
    'Write: \\begin{multicols}{2}.',
  ],
  [
    error('Missing \\endcsname inserted.', 'An argument is missing: "\\textbf".\nl.5 \\end\n     {document}'),
    'An argument of \\textbf is missing, so TeX reads the \\end after it as the argument.',
    'Write all its arguments in braces, or remove \\textbf.',
  ],
  [
    error('Missing \\endcsname inserted.', 'An argument is missing: "resizebox".\nl.5 \\end\n     {document}'),
    '\\resizebox has only one length before the box.',
    'Write width and height, with "!" for the one to calculate: \\resizebox{\\textwidth}{!}{…}.',
  ],
  [
    error('dvips: Could not find figure file Plot.pdf; continuing.'),
    'The file "Plot.pdf" was not found.',
    'Did you mean figs/Plot.pdf? Write the path with its folder.',
  ],
  [
    error('Ghostscript could not make the PDF: /undefinedresult in --div--'),
    'PostScript in the document fails at "div": a number is divided by zero, or the result is not defined.',
    'Check the formulas and coordinates of pstricks, the code in \\special, and EPS images.',
  ],
  [
    error('LaTeX Error: Unicode character 日 (U+65E5) not set up for use with LaTeX.'),
    'pdfLaTeX does not support the character "日" (U+65E5).',
    'For Chinese or Japanese, switch to LuaLaTeX, % !TEX program = lualatex, and load \\usepackage{luatexja}.',
  ],
  [
    error('LaTeX Error: Command \\claim already defined.'),
    'The environment "claim" is already defined.',
    'Remove one of its definitions, or choose another name. A class can define it, too.',
  ],
  [
    error('Paragraph ended before \\@sqrt was complete.', 'Runaway argument?\n3{x}$\n<to be read again>\n\\par'),
    'The "[" of \\sqrt has no "]" before the blank line.',
    'Add the "]" where the option ends.',
  ],
  [
    error(
      'Undefined control sequence.',
      '<argument> C:Users\n                   Bob\nl.3 \\includegraphics{C:\\Users\\Bob\\pic.png}',
    ),
    'A Windows path contains backslashes, which TeX reads as commands.',
    'Add the file to the project and write its name, with "/" for folders: {images/plot.png}.',
  ],
  [
    error(
      "Package pgfplots Error: Sorry, the gnuplot-result file 'tides.pgf-plot.table' could not be found. Maybe you need to enable the shell-escape feature?",
    ),
    'The points of this plot are missing: running gnuplot is disabled, and tides.pgf-plot.table does not exist.',
    'Compile on your computer with -shell-escape and add that file to the project, or plot without gnuplot: \\addplot {…}.',
  ],
  [
    error('main.tex is encoded in UTF-16, which pdflatex cannot read'),
    'main.tex is encoded in UTF-16 ("Unicode" on Windows), which pdflatex cannot read.',
    'Save it as UTF-8 in your editor, or run: iconv -f UTF-16 -t UTF-8.',
  ],
  [
    error('Argument of \\algocf@algocf@eIfthenelsestrip has an extra }.'),
    'A command of algorithm2e has too few arguments.',
    '\\If, \\For and \\While have two: \\If{condition}{block}. \\eIf has three: \\eIf{condition}{block}{else}.',
  ],
  [
    error('Package auto-pst-pdf Error: "shell escape" (or "write18") is not enabled:'),
    'auto-pst-pdf runs LaTeX once more for the drawings, which is disabled.',
    'Use XeLaTeX, which draws pstricks itself: in a project, write % !TEX program = xelatex as the first line.',
  ],
  [
    error('Package luabridge Error: Shell escape seems to be disabled'),
    'This engine converts Markdown by an external program, which is disabled.',
    'Compile with LuaLaTeX, which converts it itself: % !TEX program = lualatex.',
  ],
  [
    error('Package tides Error: You must invoke LaTeX with the -shell-escape flag.'),
    'This package runs external programs, which is disabled.',
    'Compile on your computer with -shell-escape, and add the files that it makes to the project.',
  ],
  [
    error('Package minted Error: You must invoke LaTeX with the -shell-escape flag.'),
    'This package runs external programs, which is disabled.',
    'Use listings instead of minted. Or compile on your computer with -shell-escape, add the folder _minted-… to the project, and load \\usepackage[frozencache,cachedir=_minted-…]{minted}.',
  ],
  [
    error('LaTeX Error: Cannot determine size of graphic in plot.png (no BoundingBox).'),
    'The size of plot.png is unknown: the document makes PostScript, which includes EPS images only.',
    'Remove the option dvips and compile with pdfLaTeX, or convert the image to EPS.',
  ],
  [
    error('File ended while scanning use of \\\\todo.'),
    'A "{" of \\todo is never closed.',
    'Close it where the argument ends. TeX noticed it only at the end of the file.',
  ],
  [
    error('Undefined control sequence: \\affiliation'),
    '\\affiliation is not defined.',
    'It is defined by journal classes such as \\documentclass{revtex4-2}.',
  ],
  [error('Undefined control sequence: \\velocty'), '\\velocty is not defined.', 'Did you mean \\velocity?'],
  [
    error('Paragraph ended before \\emph was complete.', 'Runaway argument?\n{two\n<to be read again>\n\\par'),
    'The argument of \\emph does not end before the blank line.',
    'Close its brace "}", or remove the blank line.',
  ],
  [
    error('Paragraph ended before \\textcolour was complete.', 'Runaway argument?\n<to be read again>\n\\par'),
    'An argument of \\textcolour is missing before the blank line.',
    'Add the argument, or remove the blank line before it.',
  ],
  [
    error('Paragraph ended before \\href@split was complete.', 'Runaway argument?\n<to be read again>\n\\par'),
    'An argument of \\href is missing before the blank line.',
    'Add the argument, or remove the blank line before it.',
  ],
  [
    error('Paragraph ended before \\qty was complete.', 'Runaway argument?\n<to be read again>\n\\par'),
    'An argument of \\qty is missing before the blank line.',
    'Write the unit after the number: \\qty{5}{\\metre}. For a number without a unit, use \\num.',
  ],
  [
    error(
      'Missing \\endcsname inserted.',
      '<to be read again>\n                   \\relax\nl.8 \\qty{5} &\n              3 \\\\',
    ),
    '\\qty has no unit, so TeX reads "&" as the unit.',
    'Write the unit after the number: \\qty{5}{\\metre}. For a number without a unit, use \\num.',
  ],
  [
    error('Undefined control sequence: \\frametitle'),
    '\\frametitle is not defined.',
    'For slides, use \\documentclass{beamer}. In an article, load \\usepackage{beamerarticle}.',
  ],
  [error('Undefined control sequence: \\secton'), '\\secton is not defined.', 'Did you mean \\section?'],
  [
    error('Undefined control sequence: \\includegraphics'),
    '\\includegraphics is not defined.',
    'Load its package: \\usepackage{graphicx}.',
  ],
  [
    error('Undefined control sequence: \\foo'),
    '\\foo is not defined.',
    'Define it with \\newcommand, or load the package that provides it.',
  ],
  [
    error("LaTeX Error: There's no line here to end.", 'l.3 \\\\b\n       egin{itemize}'),
    '\\begin has two backslashes.',
    'Write \\begin{…} with one backslash.',
  ],
  [
    error('LaTeX Error: \\begin{itemize} on input line 1 ended by \\end{itemise}.', 'l.3 \\end{itemise}'),
    '\\begin{itemize} ends with \\end{itemise}.',
    'Write the same name in both: \\end{itemize}.',
  ],
  [
    error('Missing $ inserted.', 'l.3 The \\texttt{my_file.txt}'),
    '"_" works only in math.',
    'Write $a_1$ for an index, or a\\_1 for the character itself.',
  ],
  [
    error('LaTeX Error: Can be used only in preamble.', 'l.3 \\documentclass\n                  {book}'),
    'A file that is read by another document has its own \\documentclass.',
    'Remove its \\documentclass, \\begin{document} and \\end{document}, or use the package subfiles or standalone.',
  ],
  [
    error('LaTeX Error: Can be used only in preamble.', 'l.3 \\bibliography\n                 {refs}'),
    'With biblatex, \\bibliography works only before \\begin{document}.',
    'Write \\addbibresource{….bib} in the preamble, and \\printbibliography here.',
  ],
  [
    error('Missing number, treated as zero.', 'l.3 \\begin{enumerate}[label=(\\alph*\n                )]'),
    'The options of this list require a package.',
    'Load it: \\usepackage{enumitem}.',
  ],
  [
    error(
      "Package amsmath Error: Erroneous nesting of equation structures; trying to recover with `aligned'.",
      'l.7 \\end{align}',
    ),
    '"align" is inside another formula.',
    'Remove the outer formula, or use aligned or gathered inside it.',
  ],
  [
    error('LaTeX Error: Unicode character \u200B (U+200B) not set up for use with LaTeX.'),
    'This line contains an invisible character (U+200B) that pdfLaTeX does not support.',
    'Delete it: retype the text around it.',
  ],
  [
    error('LaTeX Error: Unicode character ≤ (U+2264) not set up for use with LaTeX.'),
    'pdfLaTeX does not support the character "≤" (U+2264).',
    'Write $\\leq$, or switch to LuaLaTeX: % !TEX program = lualatex.',
  ],
  [
    error('File ended while scanning use of \\@footnotetext.'),
    'A "{" of \\footnote is never closed.',
    'Close it where the argument ends. TeX noticed it only at the end of the file.',
  ],
  [
    warning("biber: Duplicate entry key: 'smith' in file 'refs.bib', skipping ..."),
    'Two bibliography entries have the same key.',
    'Remove one of them, or change its key.',
  ],
  [
    warning('Package polyglossia Warning: Neither file gloss-klingon.ldf norfile gloss-klingon.lde exists!'),
    'polyglossia does not support the language "klingon".',
    'Check its name in \\setmainlanguage or \\setotherlanguage.',
  ],
  [warning('Class moderncv Warning: "academicons requires xetex/luatex to work. Using alternatives.".'), null, ''],
  [
    error(
      'Font \\TU/A(0)/m/n/10=[LinLibertine_R.otf]:mode=node;+tlig; at 10pt not loadable: metric data not found or bad.',
    ),
    'The font "LinLibertine_R.otf" is not installed.',
    'Add its file to the project, or choose another font.',
  ],
  [error('LaTeX Error: Environment clam undefined.'), 'The environment "clam" is not defined.', null],
  [
    error('LaTeX Error: Environment itemise undefined.'),
    'The environment "itemise" is not defined.',
    'Did you mean itemize?',
  ],
  [
    error("LaTeX Error: File `Sweave.sty' not found."),
    'The package "Sweave" is not installed: it comes with R.',
    'Copy Sweave.sty from the folder share/texmf/tex/latex of R to the project.',
  ],
  [
    error("I can't write on file `f3998.txt'."),
    'The document cannot write the file f3998.txt.',
    'A compile can create about 4000 files. Look for a loop that writes more, or use one file.',
  ],
  [
    error("I can't write on file `/tides.txt'."),
    'The document cannot write the file /tides.txt.',
    'Write only to files in the folder of the document, without \\openout to other folders.',
  ],
  [
    error('Compilation timed out after 150000 ms (pass 6, pdflatex)'),
    'Stopped at the time limit of 150 s, in pass 6 (pdflatex).',
    'Earlier passes ended, so an endless loop is unlikely. Raise the time limit, or include large drawings as PDFs.',
  ],
  [
    error("LaTeX Error: File `booktab.sty' not found."),
    'The package "booktab" is not installed.',
    'Did you mean booktabs?',
  ],
  [
    error("LaTeX Error: File `nosuchpkg.sty' not found."),
    'The package "nosuchpkg" is not installed.',
    'Check the name, or add nosuchpkg.sty to the project.',
  ],
  [
    error("LaTeX Error: File `figs/plot' not found."),
    'The file "figs/plot" was not found.',
    'The file is called figs/Plot.pdf: upper and lower case matter.',
  ],
  [
    error("Package pdftex.def Error: File `figs/tide-eps-converted-to.pdf' not found: using draft setting."),
    'The file "figs/tide.eps" was not found.',
    'Add it to the project, or check its name and folder.',
  ],
  [
    error("Package Listings Error: File `code/main(.py)' not found."),
    'The file "code/main.py" was not found.',
    'Add it to the project, or check its name and folder.',
  ],
  [
    error("Package svg Error: File `pic.svg' is missing."),
    'The file "pic.svg" was not found.',
    'Add it to the project, or check its name and folder.',
  ],
  [
    error("Package svg Error: File `pic_svg-tex.pdf' is missing."),
    'The image pic.svg was not converted to PDF, because the option inkscape=false forbids it.',
    'Remove the option, or add the converted files to the folder svg-inkscape.',
  ],
  [
    error("LaTeX Error: File `intro.tex' not found."),
    'The file "intro.tex" was not found.',
    'Did you mean sections/intro.tex? Write the path with its folder.',
  ],
  [
    error('File ended while scanning use of \\textbf'),
    'A "{" of \\textbf is never closed.',
    'Close it where the argument ends. TeX noticed it only at the end of the file.',
  ],
  [
    error('LaTeX Error: \\begin{itemize} on input line 3 ended by \\end{document}.'),
    '\\begin{itemize} has no \\end{itemize}.',
    'Add \\end{itemize} before \\end{document}.',
  ],
  [error('Misplaced alignment tab character &.'), '"&" separates table cells.', 'Write \\& for the character itself.'],
  [
    error(
      'Missing $ inserted.',
      '<inserted text>\n                $\nl.3 The range a_\n                0 at the mouth',
    ),
    '"_" works only in math.',
    'Write $a_1$ for an index, or a\\_1 for the character itself.',
  ],
  [
    error('Missing $ inserted.', 'l.3 The \\alpha\n                 is'),
    'A symbol that works only in math is used in text.',
    'Put it between $ signs: $…$.',
  ],
  [
    error('LaTeX Error: Unicode character α (U+03B1) not set up for use with LaTeX.'),
    'pdfLaTeX does not support the character "α" (U+03B1).',
    'Write $\\alpha$, or switch to LuaLaTeX: % !TEX program = lualatex.',
  ],
  [
    warning('Missing character: There is no α (U+03B1) in font [lmroman10-regular]:mapping=tex-text;!'),
    'The font lmroman10-regular has no "α", so it is missing from the PDF.',
    'Write $\\alpha$, or choose a font that has it.',
  ],
  [
    warning('Missing character: There is no ✓ in font "DejaVu Serif/OT:script=latn;"!'),
    'The font DejaVu Serif has no "✓", so it is missing from the PDF.',
    'Choose a font that has it.',
  ],
  [
    warning('Missing character: There is no È in font cmr10!'),
    'The font cmr10 lacks a character of this text, so it is missing from the PDF.',
    'Write the character as a command. In a formula, use a math command such as \\times.',
  ],
  [
    warning("LaTeX Warning: Citation `smth2020' on page 1 undefined on input line 88."),
    '\\cite{smth2020}: the bibliography has no entry with this key.',
    'Did you mean smith2020?',
  ],
  [
    warning("LaTeX Warning: Citation 'green1838' on page 1 undefined on input line 88."),
    '\\cite{green1838}: the entry exists, but is not in the bibliography of the document.',
    'Fix the errors of the bibliography. If there are none, name the file of the entry in \\bibliography or \\addbibresource.',
  ],
  [
    warning("LaTeX Warning: Reference `sec:channels' on page 1 undefined on input line 5."),
    '\\ref{sec:channels}: the \\label exists, but its number is not known.',
    'Check that its file is included and that it is not in a comment. One pass alone does not resolve references.',
  ],
  [
    warning("LaTeX Warning: Reference `sec:chanels' on page 1 undefined on input line 5."),
    '\\ref{sec:chanels}: no \\label has this name.',
    'Did you mean sec:channels?',
  ],
  [
    error('Found biblatex control file version 3.8, expected version 3.10.'),
    'The installed versions of biber and biblatex do not match. The document is not the cause.',
    'Install biber and biblatex from the same TeX release.',
  ],
  [
    error('Emergency stop: job aborted, no legal \\end found'),
    'What begins on this line is not closed, so TeX does not find \\end{document}.',
    'Close the environment or the brace that begins here. A listing does not work in the argument of a command.',
  ],
  [
    { ...error('Emergency stop: job aborted, no legal \\end found'), line: null },
    'The document has no \\end{document}.',
    'Add \\end{document} as the last line. If it is there, an unclosed "{" or a verbatim environment hides it.',
  ],
  [
    error('LaTeX Error: \\begin{document} ended by \\end{docment}.'),
    '\\begin{document} ends with \\end{docment}.',
    'Write the same name in both: \\end{document}.',
  ],
  [
    { ...error('File ended while scanning use of \\next.'), line: null },
    'An environment has no \\end{…}, or its \\begin{…} and \\end{…} are not on lines of their own.',
    'Write each on its own line, and close every environment inside it before.',
  ],
  [
    error('LaTeX Error: Command \\itshape invalid in math mode.'),
    '\\itshape works only in text, but TeX is reading a formula.',
    'Close the formula before it with "$", or put the text into \\text{…}, with the package amsmath.',
  ],
  [
    error('LaTeX Error: \\begin{document} ended by \\end{foo}.'),
    '\\end{foo} has no \\begin{foo}.',
    'Add \\begin{foo}, or remove \\end{foo}.',
  ],
  [
    error('Undefined control sequence: \\@currbox'),
    'A package or an earlier error left its internal command \\@currbox undefined.',
    'Fix the errors before this one first. If it remains, check the order in which packages are loaded.',
  ],
  [
    error("I was expecting a `,' or a `}'"),
    'This bibliography entry has a syntax error.',
    'Look at this line and the one before: every field ends with a comma, and every brace and quote must be closed.',
  ],
  [
    error(
      'BibTeX subsystem: r.bib, line 3, syntax error: found "author", expected end of entry ("}" or ")") (skipping to next "@")',
    ),
    'This bibliography entry has a syntax error.',
    'Look at this line and the one before: every field ends with a comma, and every brace and quote must be closed.',
  ],
  [error('Repeated entry'), 'Two bibliography entries have the same key.', 'Remove one of them, or change its key.'],
  [
    error('LaTeX Error: Invalid UTF-8 byte sequence (éis).'),
    'The file is not valid UTF-8.',
    'Save it as UTF-8 in your editor. An older file in Latin-1 needs \\usepackage[latin1]{inputenc}.',
  ],
  [
    error('String contains an invalid utf-8 sequence.'),
    'The file is not valid UTF-8.',
    'Save it as UTF-8 in your editor.',
  ],
  [
    error('LaTeX Error: \\verb illegal in argument.'),
    '\\verb does not work in the argument of another command.',
    'Use \\texttt{…} there, or load the package cprotect and put \\cprotect before the outer command.',
  ],
  [
    error('LaTeX Error: \\verb ended by end of line.'),
    '\\verb is not closed on its line.',
    'End it with the character that follows \\verb, on the same line.',
  ],
  [
    error('Dimension too large.'),
    'A length is larger than TeX supports, about 5.7 m (16383 pt).',
    'Check the number and its unit. In a plot, scale the data or limit its range.',
  ],
  [
    error('Missing $ inserted.', '<inserted text> \n                $\nl.5 \n    '),
    'A formula contains a blank line, or is not closed before it.',
    'Remove the blank line, or close the formula before it.',
  ],
  [
    error("Package pgfkeys Error: I do not know the key '/tikz/colour', to which you passed 'red'."),
    '"colour" is not an option here.',
    'Did you mean color?',
  ],
  [
    error('LaTeX Error: Environment tikzpicture undefined.'),
    'The environment "tikzpicture" is not defined.',
    'Load its package: \\usepackage{tikz}.',
  ],
  [
    error("Package xcolor Error: Undefined color `reddish'."),
    'The color "reddish" is not defined.',
    'Check its name, define it with \\definecolor, or load xcolor with the option dvipsnames or svgnames.',
  ],
  [
    error('File ended while scanning use of \\beamer@collect@@body.'),
    'The environment that begins here has no \\end{…}.',
    'Add its \\end{…}, and close every environment inside it before.',
  ],
  [
    error("Package glossaries Error: Glossary entry `tide' has not been defined."),
    'The glossary has no entry "tide".',
    'Define it with \\newglossaryentry or \\newacronym, or check its name.',
  ],
  [
    error("Package pgf Error: No shape named `pier' is known."),
    'The picture has no node or coordinate "pier".',
    'Name the node or coordinate before this line, or check the name.',
  ],
  [
    error("Package tikz Error: Unknown shape ``heptagon.'' Using ``rectangle'' instead."),
    'The shape "heptagon" is not defined.',
    'Check its name, or load the TikZ library that defines it.',
  ],
  [error('Extra \\fi.'), 'This \\fi, \\else or \\or has no \\if….', 'Add the condition before it, or remove it.'],
  [
    error('Incomplete \\iftrue; all text was ignored after line 4.'),
    '\\iftrue has no \\fi.',
    'Add \\fi where the conditional text ends.',
  ],
  [
    { ...warning('\\end occurred when \\iftrue on line 4 was incomplete'), file: 'main.tex', line: 4 },
    'The condition that begins here has no \\fi.',
    'Add \\fi where the conditional text ends.',
  ],
  [
    warning('\\end occurred when \\iftrue on line 4 was incomplete'),
    'A condition has no \\fi.',
    'Add \\fi where the conditional text ends.',
  ],
  [
    warning('\\end occurred inside a group at level 1: simple group (level 1) entered at line 3 ({)'),
    'A "{" or \\begingroup is never closed.',
    'Close it where its effect should end.',
  ],
  [error('[\\directlua]:1: boom'), 'Lua code failed.', 'Fix the code on this line: boom'],
  [
    error('Package Listings Error: language klingon undefined.'),
    'listings does not support the language "klingon".',
    'Check its name, or define it with \\lstdefinelanguage.',
  ],
  [
    warning('No file main.ind.'),
    'The index is empty: without \\makeindex, LaTeX does not collect its entries.',
    'Add \\makeindex to the preamble, before \\begin{document}.',
  ],
  [
    warning('No file chapters/intro.tex.'),
    'The file "chapters/intro.tex" was not found.',
    'Did you mean sections/intro.tex? Write the path with its folder.',
  ],
]

for (const [diagnostic, summary, remedy] of cases) {
  test(`explainDiagnostic() explains "${diagnostic.message.slice(0, 60)}"`, () => {
    const explanation = explainDiagnostic(diagnostic, knowledge)
    if (remedy !== null) assert.deepEqual(explanation, summary === null ? null : { summary, remedy })
    else assert.equal(explanation?.summary, summary)
  })
}

test('explainDiagnostic() keeps the remedy found by the compiling machine', () => {
  const remedy = 'Install texlive-games.'
  const missing = { provides: 'skak.sty', debian: 'texlive-games', texlive: 'skak', command: null }
  assert.deepEqual(
    ["LaTeX Error: File `skak.sty' not found.", 'Something new about skak.sty'].map((message) =>
      explainDiagnostic({ ...error(message), remedy, package: missing }),
    ),
    [
      { summary: 'The package "skak" is not installed.', remedy },
      { summary: 'skak.sty is not installed.', remedy },
    ],
  )
})

test('explainDiagnostic() returns null for an unknown message', () => {
  assert.equal(explainDiagnostic(error('Package foo Error: the moon is full.'), knowledge), null)
})

test('explainDiagnostic() accepts any message', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (message, context) => {
      explainDiagnostic(error(message, context), knowledge)
    }),
  )
})

test('gatherKnowledge() finds the definitions of the sources', () => {
  assert.deepEqual(
    {
      commands: [...knowledge.commands],
      environments: [...knowledge.environments],
      labels: [...knowledge.labels],
      citations: [...knowledge.citations],
      packages: [...knowledge.packages],
    },
    {
      commands: ['\\velocity', '\\argmax', '\\shortcut'],
      environments: ['claim'],
      labels: ['sec:channels'],
      citations: ['smith2020', 'green1838'],
      packages: ['algpseudocode', 'biblatex', 'babel'],
    },
  )
})

test('gatherKnowledge() takes linear time, whatever the sources contain', () => {
  const blank = ' '.repeat(1_000_000)
  const sources = ['\\usepackage[', '\\label[', '\\bibitem['].map((command) => command.repeat(100_000))
  const files = new Map(
    [...sources, `\\usepackage${blank}`, `\\newcommand${blank}`].map((text, index) => [
      `${index}.tex`,
      Buffer.from(text),
    ]),
  )
  files.set('lines.bib', Buffer.from(`${'\n'.repeat(1_000_000)}  @book{darwin1859,}`))
  const { commands, labels, packages, citations } = gatherKnowledge(files)
  assert.deepEqual([commands.size, labels.size, packages.size, [...citations]], [0, 0, 0, ['darwin1859']])
})

test('closest() returns null if two candidates are equally close', () => {
  assert.deepEqual([closest('smith', ['smitha', 'smithb']), closest('smith', ['smitha', 'jones'])], [null, 'smitha'])
})

test('closest() prefers the candidate with the same letters', () => {
  assert.equal(closest('citpe', ['cite', 'citep']), 'citep')
})

test('closest() suggests nothing for a name of one letter', () => {
  assert.equal(closest('b', ['a']), null)
})

test('closest() allows one edit in short names', () => {
  assert.deepEqual([closest('abc', ['xbz']), closest('abc', ['abd'])], [null, 'abd'])
})

test('closest() counts a swap of neighbors as one edit', () => {
  assert.equal(closest('depht', ['depth', 'dept1x']), 'depth')
})

test('closest() never returns a candidate more than two edits away', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 5, maxLength: 12 }),
      fc.string({ minLength: 5, maxLength: 12 }),
      (name, other) => {
        const found = closest(name, [other])
        assert.ok(found === null || Math.abs(found.length - name.length) <= 2)
      },
    ),
  )
})

test('suggestFile() suggests a file whose folder and case both differ', () => {
  assert.deepEqual(
    [suggestFile('Plot.PNG', new Set(['figures/plot.png'])), suggestFile('Plot', new Set(['figures/plot.png']))],
    Array(2).fill('Did you mean figures/plot.png? Write the path with its folder, in the same case.'),
  )
})

test('suggestFile() suggests nothing if two files match', () => {
  assert.equal(suggestFile('plot', new Set(['a/plot.pdf', 'b/plot.pdf'])), null)
})

test('explainDiagnostic() suggests a smaller database if biber reached the time limit', () => {
  assert.equal(
    explainDiagnostic(error('Compilation timed out after 60000 ms (pass 2, biber)'))?.remedy,
    'Remove entries that the document does not cite from its .bib files, or raise the time limit: biber reads every entry.',
  )
})

test('explainDiagnostic() explains why a compile was stopped', () => {
  assert.deepEqual(
    [
      explainDiagnostic(error('Compilation timed out after 60000 ms (pass 2, lualatex)'))?.summary,
      explainDiagnostic(error('Compilation timed out after 1500 ms (pass 1, pdflatex)'))?.summary,
      explainDiagnostic(error('Compilation timed out after 500 ms (pass 1, pdflatex)'))?.summary,
      explainDiagnostic(error('Compilation was stopped: it exceeded the memory limit (pass 1, pdflatex)'))?.summary,
      explainDiagnostic(error('No pages of output.'))?.summary,
    ],
    [
      'Stopped at the time limit of 60 s, in pass 2 (lualatex).',
      'Stopped at the time limit of 1.5 s, in pass 1 (pdflatex).',
      'Stopped at the time limit of 500 ms, in pass 1 (pdflatex).',
      'Stopped: it exceeded the memory limit.',
      'The document has no pages.',
    ],
  )
})

test('codeOf returns the code of a diagnostic, by its message or by the code of the parser', () => {
  assert.deepEqual(
    [
      codeOf(error('Undefined control sequence: \\foo')),
      codeOf(warning("Citation `x' on page 1 undefined on input line 3.")),
      codeOf({ ...warning('Overfull \\hbox (3.0pt too wide)'), code: 'overfull-hbox' }),
      codeOf(warning('Something else')),
      codeOf(error('Something else')),
    ],
    ['undefined-command', 'undefined-citation', 'overfull-hbox', null, null],
  )
})

test('diagnosticCodes are unique and safe in a URL', () => {
  assert.deepEqual([...new Set(diagnosticCodes)], diagnosticCodes)
  assert.deepEqual(
    diagnosticCodes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code)),
    [],
  )
})

test('explainDiagnostic() ignores files that LaTeX writes and characters without a font', () => {
  const messages = ['No file main.bbl.', 'Missing character: There is no T (U+0054) in font nullfont!']
  assert.deepEqual(
    messages.map((message) => explainDiagnostic(warning(message))),
    [null, null],
  )
})
