/** One rule for each kind of message: a pattern, and its explanation. The first match wins. */
import { closest } from './closest.ts'
import {
  latexCommands,
  latexEnvironments,
  packageNames,
  packageOfCommand,
  packageOfEnvironment,
} from './known-commands.ts'
import { suggestFile } from './suggest-file.ts'
import type { LatexError, LatexWarning } from '../base/types.ts'
import { PACKAGE_RULES } from './package-rules.ts'
import { findMathSign } from './find-math-sign.ts'
import { readUpperLine } from './read-upper-line.ts'
import type { Explanation, Finding, Rule } from './types.ts'

export const RULES: readonly Rule[] = [
  ['undefined-command', /Undefined control sequence:? ?(\\(?:[A-Za-z@_:]+|.))?/, undefinedCommand],
  [
    'undefined-command',
    /^LaTeX (?:cmd )?Error: Command '?(\\[^\s']+)'? undefined/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} is not defined, so it cannot be redefined.`,
      remedy: 'Use \\newcommand to define it, or check its name.',
    }),
  ],
  ['undefined-environment', /Environment (\S+) undefined/, undefinedEnvironment],
  ['missing-package', /File [`'](.+)\.(sty|cls)' not found/, missingPackage],
  [
    'missing-file',
    /File [`'](utf-?8\S*)\.def' not found/i,
    () => ({ summary: 'inputenc does not know this encoding.', remedy: 'Write \\usepackage[utf8]{inputenc}.' }),
    ({ message }) => !message.includes("`utf8.def'"),
  ],
  [
    'missing-file',
    /(?:File|file) [`'"](.+?)['"] not found|No verbatim file (\S+)|Unable to load picture or PDF file '(.+?)'|Cannot find file [`'](.+?)'|Could not read table file '(.+?)'|File '(.+?)' not existent|\(file [`'](.+?)' doesn't exist\)/,
    missingFile,
  ],
  // Files that LaTeX and its packages write are missing in every first pass.
  [
    'missing-file',
    /^No file (?!\S+\.(?:aux|bbl|bcf|toc|lo[a-z]|ind|idx|gl[a-z]|acr|acn|nls|nlo|out|brf|ent|maf|mtc\d*|nav|snm|vrb|xwm|listing)\.$)(\S+)\.$/,
    missingFile,
  ],
  [
    'missing-file',
    /I did not find the tikz library '(.+?)'/,
    ({ match }) => ({
      summary: `The TikZ library "${match[1] ?? ''}" was not found.`,
      remedy: 'Check its name in \\usetikzlibrary.',
    }),
  ],
  [
    'missing-end-document',
    /no legal \\end found|[Ff]ile ended before \\end\{document\}/,
    ({ line }) =>
      line === null
        ? {
            summary: 'The document has no \\end{document}.',
            remedy:
              'Add \\end{document} as the last line. If it is there, an unclosed "{" or a verbatim environment hides it.',
          }
        : {
            summary: 'What begins on this line is not closed, so TeX does not find \\end{document}.',
            remedy:
              'Close the environment or the brace that begins here. A listing does not work in the argument of a command.',
          },
  ],
  [
    'unmatched-environment',
    /File ended while scanning use of \\(?:@?x?verbatim|@x?verbatim|FV@\S*|lst@\S*)\W/,
    () => ({
      summary: 'The verbatim text that begins here does not end.',
      remedy: 'Add its \\end{…}. In a frame of beamer, add the option fragile to the frame.',
    }),
  ],
  [
    'unmatched-environment',
    /File ended while scanning use of \\(?:TX@get@body|collect@\S*body|beamer@collect@@body|\S*collect@body\S*)/,
    () => ({
      summary: 'The environment that begins here has no \\end{…}.',
      remedy: 'Add its \\end{…}, and close every environment inside it before.',
    }),
  ],
  [
    'unclosed-brace',
    /\\end occurred inside a group at level \d+/,
    () => ({
      summary: 'A "{" or \\begingroup that opens here is never closed.',
      remedy: 'Close it where its effect should end.',
    }),
    ({ message }) => !message.includes('semi simple'),
  ],
  [
    'definition-mismatch',
    /File ended while scanning use of \\@cline/,
    () => ({
      summary: '\\cline has no range of columns.',
      remedy: 'Write \\cline{1-1} for one column, \\cline{2-3} for two.',
    }),
  ],
  ['unclosed-brace', /(?:never closed|File ended while scanning use of (\\[^\s.]+))/, unclosed],
  [
    'verb-in-argument',
    /\\verb illegal in (?:command )?argument|\\verb ended by end of line/,
    ({ match }) =>
      match[0].includes('end of line')
        ? {
            summary: '\\verb is not closed on its line.',
            remedy: 'End it with the character that follows \\verb, on the same line.',
          }
        : {
            summary: '\\verb does not work in the argument of another command.',
            remedy: 'Use \\texttt{…} there, or load the package cprotect and put \\cprotect before the outer command.',
          },
  ],
  [
    'verb-in-argument',
    /Paragraph ended before \\@?x?(?:verbatim|FV@\S*|lst@\S*) /,
    () => ({
      summary: 'A verbatim environment does not work in the argument of another command.',
      remedy: 'Move it out of the argument. In a footnote or caption, use \\texttt{…} instead.',
    }),
  ],
  [
    'blank-line-in-math',
    /^(?:Missing \$ inserted|Paragraph ended before \\(?:align|alignat|flalign|gather|multline|equation|eqnarray|split)\*? was complete)/,
    () => ({
      summary: 'A formula contains a blank line, or is not closed before it.',
      remedy: 'Remove the blank line, or close the formula before it.',
    }),
    isAtBlankLine,
  ],
  [
    'runaway-argument',
    /Paragraph ended before (\\\S+) was complete/,
    ({ match }) => ({
      summary: isInternal(match[1])
        ? 'An argument does not end before the blank line.'
        : `The argument of ${match[1] ?? 'a command'} does not end before the blank line.`,
      remedy: 'Close its brace "}", or remove the blank line.',
    }),
  ],
  ['unmatched-environment', /\\begin\{(.+?)\}.* ended by \\end\{(.+?)\}/, unmatchedEnvironment],
  [
    'ampersand-in-text',
    /Misplaced alignment tab character &/,
    () => ({
      summary: '"&" separates table cells.',
      remedy: 'Write \\& for the character itself.',
    }),
  ],
  [
    'extra-cell',
    /Extra alignment tab has been changed to \\cr|Too many columns in eqnarray environment/,
    () => ({
      summary: 'This row has more cells than the table has columns.',
      remedy: 'Add a column to the table, or end the row earlier with \\\\.',
    }),
  ],
  [
    'misplaced-rule',
    /Misplaced \\(?:noalign|omit)/,
    () => ({
      summary: 'A rule or \\multicolumn is not at the beginning of a row or cell.',
      remedy: 'End the row before it with \\\\.',
    }),
  ],
  [
    'unknown-column-type',
    /Illegal (?:character in array arg|pream-token)|Missing (p-arg) in array arg/,
    ({ match }) =>
      match[1] === undefined
        ? {
            summary: 'The table has no column types, or one that is not defined.',
            remedy: 'Write them after \\begin{tabular}: l, c, r or p{3cm}. Other types require a package.',
          }
        : { summary: 'A column of type p has no width.', remedy: 'Write it in braces: p{3cm}.' },
  ],
  [
    'hash-in-text',
    /You can't use `macro parameter character #'/,
    () => ({ summary: '"#" works only in definitions.', remedy: 'Write \\# for the character itself.' }),
  ],
  [
    'no-line-to-end',
    /There's no line here to end/,
    ({ context }) => {
      const name = /^l\.\d+ .*\\\\[be]\s*\n\s*(egin|nd)\{/m.exec(context)?.[1]
      if (name !== undefined) return doubledBackslash(name === 'egin' ? '\\begin' : '\\end')
      return {
        summary: '\\\\ or \\newline is used where no line has begun.',
        remedy: 'Remove it. For space between paragraphs, use \\vspace or \\bigskip.',
      }
    },
  ],
  [
    'undefined-counter',
    /No counter '(.*?)' defined/,
    ({ match }) => ({
      summary: `The counter "${match[1] ?? ''}" is not defined.`,
      remedy: 'Check its name, or define it with \\newcounter.',
    }),
  ],
  [
    'undefined-color',
    /Undefined color (?:model )?[`'](.+?)'/,
    ({ match }) => ({
      summary: `The color "${match[1] ?? ''}" is not defined.`,
      remedy: 'Check its name, define it with \\definecolor, or load xcolor with the option dvipsnames or svgnames.',
    }),
  ],
  [
    'unknown-option',
    /Unknown option [`'](.+?)' for package [`'](.+?)'/,
    ({ match }) => ({
      summary: `The package ${match[2] ?? ''} has no option "${match[1] ?? ''}".`,
      remedy: 'Check the name of the option, or remove it.',
    }),
  ],
  [
    'unknown-language',
    /Package babel Error: (?:Unknown (?:option|language) [`'](.+?)'|You haven't (?:defined|loaded) the language (?:option )?[`']?([^\s`']+?)'?(?: yet)?[.,])/,
    ({ match }) => ({
      summary: `babel does not know the language "${match[1] ?? match[2] ?? ''}".`,
      remedy: 'Check its name, and load it as an option of babel.',
    }),
  ],
  [
    'unknown-option',
    /(?:Package (?:keyval|enumitem|xkeyval) Error: [`']?(.+?)'? undefined|Undefined key [`'](.+?)'|I do not know the key '(?:\/[^']*?)?([^'/]+)'|The key '(?:[^']*?\/)?([^'/]+)' is unknown|Sorry, '(.+?)' is unknown in this context)/,
    ({ match }) => ({
      summary: `"${match.slice(1).find((group) => group !== undefined) ?? ''}" is not an option here.`,
      remedy: 'Check its name in the documentation of the package.',
    }),
  ],
  [
    'unknown-language',
    /Package Listings Error: (?:Couldn't load requested language|language (\S+) undefined)/,
    ({ match }) => ({
      summary: `listings does not know ${match[1] === undefined ? 'this language' : `the language "${match[1]}"`}.`,
      remedy: 'Check its name, or define it with \\lstdefinelanguage.',
    }),
  ],
  [
    'unknown-language',
    /Package polyglossia Warning: Neither file gloss-(.+?)\.ldf/,
    ({ match }) => ({
      summary: `polyglossia does not know the language "${match[1] ?? ''}".`,
      remedy: 'Check its name in \\setmainlanguage or \\setotherlanguage.',
    }),
  ],
  [
    'undefined-glossary-entry',
    /Glossary entry [`'](.+?)' has not been defined/,
    ({ match }) => ({
      summary: `The glossary has no entry "${match[1] ?? ''}".`,
      remedy: 'Define it with \\newglossaryentry or \\newacronym, or check its name.',
    }),
  ],
  [
    'unknown-node',
    /Package (?:pgf|tikz) Error: (?:No shape named [`'](.+?)' is known|Unknown shape [`']{1,2}(.+?)[.'])/,
    ({ match }) => ({
      summary:
        match[1] === undefined
          ? `TikZ does not know the shape "${match[2] ?? ''}".`
          : `The picture has no node or coordinate "${match[1]}".`,
      remedy:
        match[1] === undefined
          ? 'Check its name, or load the TikZ library that defines it.'
          : 'Name the node or coordinate before this line, or check the name.',
    }),
  ],
  [
    'unmatched-conditional',
    /^(?:Extra \\(?:fi|else|or)\b|Incomplete (\\if\w*);)/,
    ({ match }) => {
      const opened = match[1]
      return opened === undefined
        ? { summary: 'This \\fi, \\else or \\or has no \\if….', remedy: 'Add the condition before it, or remove it.' }
        : { summary: `${opened} has no \\fi.`, remedy: 'Add \\fi where the conditional text ends.' }
    },
  ],
  [
    'lua-error',
    /^\[\\(?:directlua|latelua|luaexec)\]:\d+: (.*)|\.lua:\d+: (.*)/,
    ({ match }) => ({
      summary: 'Code in Lua failed.',
      remedy: `Fix the code of \\directlua on this line, or check the arguments of the command: ${(match[1] ?? match[2] ?? '').slice(0, 200)}`,
    }),
  ],
  [
    'tikz-semicolon',
    /Giving up on this path\. Did you forget a semicolon/,
    () => ({ summary: 'A path of TikZ has no ";" at its end.', remedy: 'Add it.' }),
  ],
  [
    'invalid-number',
    /Invalid number '(.*?)'/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a number.`,
      remedy: 'Write digits with at most one decimal marker. In a column of type S, put text in braces: {Text}.',
    }),
  ],
  [
    'wrong-engine',
    /LuaTeX is required for this package|inputenc is not designed for xetex or luatex|requires either XeTeX or LuaTeX|cannot[ -]use[ -]pdftex|requires (?:XeTeX|LuaTeX|LuaLaTeX|XeLaTeX)\b/i,
    () => ({
      summary: 'This package does not work with the engine that compiles the document.',
      remedy: 'Compile with LuaLaTeX or XeLaTeX: % !TEX program = lualatex.',
    }),
    // A class that warns has alternatives.
    ({ type }) => type === 'error',
  ],
  [
    'missing-class',
    /The font size command \\normalsize is not defined/,
    () => ({
      summary: 'The document has no \\documentclass, or its class defines no font sizes.',
      remedy: 'Begin the document with \\documentclass{article}.',
    }),
  ],
  [
    'outside-math',
    /(\\[A-Za-z]+) (?:is )?allowed only in math mode|^Package amsmath Error: (\\\S+) not allowed (?:here|outside)/,
    ({ match }) => ({
      summary: `${match[1] ?? match[2] ?? ''} works only in math.`,
      remedy: 'Put it between $ signs: $…$.',
    }),
  ],
  ['outside-math', /Missing \$ inserted/, outsideMath],
  [
    // listings passes the bytes of a character one by one.
    'unicode-in-listing',
    /Invalid UTF-8 byte sequence \(.*\\expandafter\)/,
    () => ({
      summary: 'Listings can contain only ASCII characters if pdfLaTeX compiles the document.',
      remedy:
        'Compile with LuaLaTeX: % !TEX program = lualatex. Or define the character: \\lstset{literate={ö}{{\\"o}}1}.',
    }),
  ],
  [
    'invalid-encoding',
    /Invalid UTF-8 byte|contains an invalid utf-8 sequence|invalid UTF-8 byte|[Mm]alformed UTF-8/,
    () => ({
      summary: 'The file is not valid UTF-8.',
      remedy: 'Save it as UTF-8 in your editor. An older file in Latin-1 needs \\usepackage[latin1]{inputenc}.',
    }),
  ],
  ['unicode-character', /Unicode character (\S+) \((U\+[0-9A-F]+)\)/, unicodeCharacter],
  [
    'missing-character',
    /^Missing character: There is no (.+?)(?: \(U\+[0-9A-F]+\))? in font ["[]?([^\]":/!]+)/,
    missingCharacter,
  ],
  [
    'undefined-citation',
    /Citation [`'](.+?)'.*undefined|Citation (?:key )?'(.+?)'.*(?:undefined|not found)|didn't find a database entry for "(.+?)"/,
    unknownCitation,
  ],
  ['undefined-reference', /Reference [`'](.+?)'.* undefined/, unknownReference],
  [
    'multiply-defined-label',
    /Label [`'](.+?)' multiply defined/,
    ({ match }) => ({
      summary: `The label "${match[1] ?? ''}" is defined twice.`,
      remedy: 'Rename one of the two: references point to the last one.',
    }),
  ],
  [
    'missing-begin-document',
    /Missing \\begin\{document\}/,
    ({ context }) =>
      /^l\.\d+ \\begin\{d\s*$/m.test(context)
        ? {
            summary: 'This command has too few arguments, so it used \\begin{document} as one.',
            remedy: 'Add the missing argument in braces.',
          }
        : {
            summary: 'There is text before \\begin{document}.',
            remedy: 'Add \\begin{document} before the text, or remove what is not a command from the preamble.',
          },
  ],
  [
    'missing-begin-document',
    /I can't find file [`']\S+\.aux'/,
    () => ({
      summary: 'A command before \\begin{document} has too few arguments, so it used \\begin{document} as one.',
      remedy: 'Check the arguments of the last command before \\begin{document}.',
    }),
  ],
  [
    'preamble-only',
    /Can be used only in preamble/,
    ({ context }) => {
      const command = /^l\.\d+ .*\\(documentclass|bibliography|addbibresource)\b/m.exec(context)?.[1]
      if (command === 'documentclass')
        return {
          summary: 'A file that is read by another document has its own \\documentclass.',
          remedy:
            'Remove its \\documentclass, \\begin{document} and \\end{document}, or use the package subfiles or standalone.',
        }
      if (command === 'bibliography')
        return {
          summary: 'With biblatex, \\bibliography works only before \\begin{document}.',
          remedy: 'Write \\addbibresource{….bib} in the preamble, and \\printbibliography here.',
        }
      return { summary: 'This command works only before \\begin{document}.', remedy: 'Move it to the preamble.' }
    },
  ],
  [
    'option-clash',
    /Option clash for package (\S+?)\.?$/,
    ({ match }) => ({
      summary: `The package ${match[1] ?? ''} is loaded twice with different options.`,
      remedy: 'Load it once, with all options, before the package or class that also loads it.',
    }),
  ],
  [
    'command-already-defined',
    /Command (\\\S+) already defined|LaTeX cmd Error: (?:Command|Environment) '(\S+)' already|Control sequence (\\\S+) already defined/,
    ({ match }) => ({
      summary: `${match.slice(1).find((group) => group !== undefined) ?? ''} is already defined.`,
      remedy: 'Use \\renewcommand to replace it, or choose another name.',
    }),
  ],
  [
    'missing-item',
    /Something's wrong--perhaps a missing \\item/,
    () => ({
      summary: 'This list has text before its first \\item.',
      remedy: 'Start the list with \\item. Options in brackets require \\usepackage{enumitem}.',
    }),
  ],
  [
    'lonely-item',
    /Lonely \\item/,
    () => ({ summary: '\\item is outside of a list.', remedy: 'Put it in an itemize or enumerate environment.' }),
  ],
  [
    'double-script',
    /Double (superscript|subscript)/,
    ({ match }) => ({
      summary: `A symbol has two ${match[1] ?? ''}s.`,
      remedy: 'Group them with braces: a^{b^c}, a_{b_c}.',
    }),
  ],
  [
    'unpaired-delimiter',
    /Missing (?:\\right|delimiter)|Extra \\right|Extra \}, or forgotten \\right/,
    () => ({
      summary: '\\left and \\right do not match in this formula.',
      remedy:
        'Every \\left needs a \\right on the same line of the formula and in the same cell. Use \\right. for an invisible one.',
    }),
  ],
  [
    'extra-closing-brace',
    /Extra \}, or forgotten|has an extra \}/,
    () => ({ summary: 'A "}" has no matching "{", or a "$" before it is missing.', remedy: null }),
  ],
  [
    'unmatched-closing-brace',
    /Too many \}'s/,
    () => ({ summary: 'This "}" has no matching "{".', remedy: 'Remove it, or add the missing "{".' }),
  ],
  [
    'missing-closing-brace',
    /Missing \} inserted/,
    () => ({ summary: 'A "}" or an argument is missing before this position.', remedy: null }),
  ],
  [
    'display-math-end',
    /Display math should end with \$\$/,
    () => ({ summary: 'A displayed formula ends with a single "$".', remedy: 'Write \\[ … \\].' }),
  ],
  [
    'math-delimiter',
    /Bad math environment delimiter|Erroneous nesting of equation structures/,
    ({ match, context }) => {
      const name = /^l\.\d+ .*\\end\{(\w+\*?)\}/m.exec(context)?.[1]
      if (match[0].startsWith('Bad') || name === undefined)
        return {
          summary: 'Math starts inside math, or ends outside of it.',
          remedy: 'Look for a \\(, \\[ or $ that is not closed.',
        }
      return {
        summary: `"${name}" is inside another formula.`,
        remedy: 'Remove the outer formula, or use aligned or gathered inside it.',
      }
    },
  ],
  [
    'missing-unit',
    /Illegal unit of measure/,
    () => ({ summary: 'A length has no unit.', remedy: 'Write a unit after the number: 2cm, 12pt, 1em.' }),
  ],
  [
    'missing-number',
    /Missing number, treated as zero/,
    ({ context }) =>
      /^l\.\d+ .*\\begin\{(?:enumerate|itemize|description)\}\[[^\]]*$/m.test(context)
        ? {
            summary: 'The options of this list require a package.',
            remedy: 'Load it: \\usepackage{enumitem}.',
          }
        : { summary: 'A number or a length is missing here.', remedy: 'Write one: 2cm, 12pt, 1em.' },
  ],
  [
    'dimension-too-large',
    /Dimension too large/,
    () => ({
      summary: 'A length is larger than TeX supports, about 5.7 m (16383 pt).',
      remedy: 'Check the number and its unit. In a plot, scale the data or limit its range.',
    }),
  ],
  [
    'float-in-box',
    /Not in outer par mode/,
    () => ({ summary: 'A figure or table is inside another box.', remedy: 'Move it between two paragraphs.' }),
  ],
  [
    'caption-outside-float',
    /\\caption outside float/,
    () => ({
      summary: '\\caption works only in a figure or table.',
      remedy: 'Put it in one, or load the package caption and use \\captionof.',
    }),
  ],
  [
    'too-many-floats',
    /Too many unprocessed floats|^Output loop---/,
    () => ({
      summary: 'Too many figures and tables are waiting for a page.',
      remedy: 'Add \\clearpage, or allow more positions with [htbp].',
    }),
  ],
  [
    'shell-escape',
    /(?:invoke|run) (?:La)?TeX with the -shell-escape|requires? (?:the )?-?-?shell-escape|shell escape .*disabled|shell-escape mode may not be activated/i,
    () => ({
      summary: 'This package runs external programs, which is disabled.',
      remedy: 'Use listings instead of minted, or add a prepared cache to the project (minted: frozencache).',
    }),
  ],
  [
    'missing-font',
    /The font "(.+?)" cannot be found|^Font \S+?="?(.+?)"? (?:at \S+ |scaled \d+ )?not loadable/,
    ({ match }) => ({
      summary: `The font "${fontName(match[1] ?? match[2] ?? '')}" is not installed.`,
      remedy: 'Add its file to the project, or choose another font.',
    }),
  ],
  [
    'biblatex-mismatch',
    /Found biblatex control file version (\S+), expected version (\S+)/,
    () => ({
      summary: 'The installed versions of biber and biblatex do not match. The document is not the cause.',
      remedy: 'Install biber and biblatex from the same TeX release.',
    }),
  ],
  [
    'bibliography-syntax',
    /I was expecting a|You're missing (?:a|an) |Illegal end of database file|I'm skipping whatever remains of this entry|^Unbalanced braces|BibTeX subsystem: .*(?:syntax error|unbalanced braces)/,
    () => ({
      summary: 'This bibliography entry has a syntax error.',
      remedy:
        'Look at this line and the one before: every field ends with a comma, and every brace and quote must be closed.',
    }),
  ],
  [
    'repeated-entry',
    /^Repeated entry|^biber: Duplicate entry key/,
    () => ({
      summary: 'Two bibliography entries have the same key.',
      remedy: 'Remove one of them, or change its key.',
    }),
  ],
  [
    'capacity-exceeded',
    /TeX capacity exceeded/,
    ({ message }) =>
      message.includes('text input levels')
        ? {
            summary: 'Files include each other without end.',
            remedy: 'Remove the \\input or \\include that reads a file inside itself.',
          }
        : { summary: 'TeX ran out of memory, usually because a command repeats without end.', remedy: null },
  ],
  ['missing-bibliography', /I couldn't open database file (\S+)|^Cannot find '(.+?)'!/, missingDatabase],
  [
    'missing-bibliography-style',
    /I couldn't open style file (\S+)|Package biblatex Error: Style '(.+?)' not found|I found no \\bibstyle command/,
    ({ match }) => {
      const name = match[1] ?? match[2]
      return name === undefined
        ? { summary: 'The document names no bibliography style.', remedy: 'Add \\bibliographystyle{plain}.' }
        : {
            summary: `The bibliography style ${name} was not found.`,
            remedy: 'Check its name, or add the file to the project.',
          }
    },
  ],
  [
    'time-limit',
    /Compilation timed out after (\d+) ms \(pass (\d+), (\S+)\)/,
    ({ match }) => ({
      summary: `Stopped after ${Math.round(Number(match[1]) / 1000)} s, the time limit, in pass ${match[2] ?? ''} (${match[3] ?? ''}).`,
      remedy: 'Look for a command that repeats without end, or include a large drawing as a PDF.',
    }),
  ],
  [
    'resource-limit',
    /Compilation was stopped: (.+?) \(pass/,
    ({ match }) => ({
      summary: `Stopped: ${match[1] ?? ''}.`,
      remedy: 'Usually a command repeats without end.',
    }),
  ],
  [
    'no-pages',
    /^No pages of output/,
    () => ({
      summary: 'The document has no pages.',
      remedy: 'Add text between \\begin{document} and \\end{document}.',
    }),
  ],
  [
    'parameter-number',
    /Illegal parameter number in definition of (\\\S+?)(?: code)?\.?$|You already have nine parameters|Parameters must be numbered consecutively/,
    parameterNumber,
  ],
  [
    'missing-opening-brace',
    /Missing \{ inserted/,
    () => ({ summary: 'An argument in braces is missing before this position.', remedy: 'Write it as {…}.' }),
  ],
  [
    'wrong-mode',
    /You can't use [`'](\\\S+?)' (?:in|here)|(\\begin\{\S+?\}) allowed only in paragraph mode/,
    ({ match }) => ({
      summary: `${match[1] ?? match[2] ?? ''} does not work at this position.`,
      remedy: 'Move it between two paragraphs, or out of the formula, table or box that contains it.',
    }),
    ({ message }) => !message.includes("`\\end'"),
  ],
  [
    'unmatched-environment',
    /^(?:Extra|Missing) \\endgroup/,
    ({ match }) => ({
      summary: match[0].startsWith('Extra')
        ? 'An environment ends here that does not begin.'
        : 'An environment is still open where a "}" closes the text around it.',
      remedy: 'Write every \\begin{…} and its \\end{…} between the same braces.',
    }),
  ],
  [
    'misplaced-class',
    /\\usepackage before \\documentclass|Two \\documentclass/,
    ({ match }) => ({
      summary: match[0].startsWith('Two')
        ? 'The document has two \\documentclass commands.'
        : 'A package is loaded before \\documentclass.',
      remedy: match[0].startsWith('Two')
        ? 'Remove one of them. For a chapter that is also a document, use the package subfiles or standalone.'
        : 'Move \\usepackage below \\documentclass.',
    }),
  ],
  [
    'nested-include',
    /\\include cannot be nested/,
    () => ({ summary: 'A file that is included with \\include contains \\include.', remedy: 'Use \\input there.' }),
  ],
  [
    'nesting-too-deep',
    /Too deeply nested/,
    () => ({
      summary: 'Lists are nested too deeply: LaTeX allows four levels of each kind.',
      remedy: 'Check that every list before this line has its \\end, or use fewer levels.',
    }),
  ],
  [
    'counter-too-large',
    /Counter too large/,
    () => ({
      summary: 'A counter is larger than its style allows: letters end at 26, symbols at 9.',
      remedy: 'Use numbers: \\arabic{…}, or label=\\arabic* with the package enumitem.',
    }),
  ],
  [
    'undefined-tab-stop',
    /Undefined tab position/,
    () => ({ summary: 'This \\> has no tab stop.', remedy: 'Set a tab stop with \\= in a line before it.' }),
  ],
  [
    'missing-title',
    /No \\title given/,
    () => ({ summary: '\\maketitle finds no title.', remedy: 'Add \\title{…} before it.' }),
  ],
  [
    'unknown-float-position',
    /Unknown float option [`'](.+?)'/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a position of a figure or table.`,
      remedy:
        match[1] === 'H'
          ? 'Load the package that defines it: \\usepackage{float}.'
          : 'Use h, t, b or p, such as [htbp].',
    }),
  ],
  [
    'undefined-command',
    /Use of \\\?\?\? doesn't match its definition/,
    ({ context }) => {
      const name = /variable (\\\S+) used/.exec(context.replaceAll(/\s+/g, ' '))?.[1]
      return {
        summary: name === undefined ? 'A variable of expl3 is used in a wrong way.' : `${name} is not defined.`,
        remedy: 'Define it with \\tl_new:N or \\int_new:N, or check its name.',
      }
    },
  ],
  [
    'definition-mismatch',
    /Use of (\\\S+) doesn't match its definition/,
    ({ match }) => ({
      summary: isInternal(match[1])
        ? 'The argument of a command does not have the form that it requires.'
        : `The argument of ${match[1] ?? 'a command'} does not have the form that it requires.`,
      remedy: 'Check the brackets and separators of the command in its documentation.',
    }),
  ],
  [
    'missing-command-name',
    /Missing control sequence inserted/,
    () => ({
      summary: 'The name of a command is missing.',
      remedy: 'Write it with its backslash: \\newcommand{\\name}{…}.',
    }),
  ],
  [
    'command-in-name',
    /Missing \\endcsname inserted/,
    () => ({
      summary: 'A name contains a command.',
      remedy: 'Use letters, digits and punctuation in names of labels, environments, counters and files.',
    }),
  ],
  [
    'ambiguous-fraction',
    /Ambiguous; you need another \{ and \}/,
    () => ({ summary: 'A formula has two \\over.', remedy: 'Write \\frac{…}{…}.' }),
  ],
  [
    'misplaced-limits',
    /Limit controls must follow a math operator/,
    () => ({
      summary: '\\limits follows something that is not an operator.',
      remedy: 'Put it after \\sum, \\int or \\operatorname*{…}.',
    }),
  ],
  [
    'number-too-large',
    /^(?:Number too big|Arithmetic overflow)|Package graphics Error: Division by 0/,
    ({ message }) =>
      message.includes('graphics')
        ? {
            summary: 'A picture or box without width or height cannot be scaled.',
            remedy: 'Put something into the box, or remove \\resizebox.',
          }
        : {
            summary: 'A number is too large for TeX, or is divided by zero.',
            remedy: 'Check the numbers in the calculation on this line.',
          },
  ],
  ...PACKAGE_RULES,
]

/** Commands with "@", "_" or ":" belong to LaTeX and its packages: authors do not write or define them. */
function isInternal(command: string | undefined): boolean {
  return command !== undefined && /[@_:]/.test(command)
}

/** TeX ended a formula at a blank line: the line where it stopped is empty up to there. */
function isAtBlankLine(diagnostic: LatexError | LatexWarning): boolean {
  if (diagnostic.type !== 'error') return false
  if (diagnostic.message.startsWith('Paragraph ended')) return true
  return readUpperLine(diagnostic.context ?? '')?.trim() === ''
}

function undefinedCommand({ match, context, knowledge }: Finding): Explanation {
  const name = match[1] ?? /(\\[A-Za-z@]+)\s*$/m.exec(context)?.[1]
  if (name === undefined) return { summary: 'A command here is not defined.', remedy: null }
  if (isInternal(name) && !knowledge.commands.has(name))
    return {
      summary: `A package or an earlier error left its internal command ${name} undefined.`,
      remedy: 'Fix the errors before this one first. If it remains, check the order in which packages are loaded.',
    }
  const summary = `${name} is not defined.`
  if (name === '\\undefinedpagestyle')
    return { summary: 'The page style is not defined.', remedy: 'Check its name, or load the package that defines it.' }
  if (name === '\\chapter')
    return { summary, remedy: 'Use a class that has chapters, such as report or book, or begin with \\section.' }
  // TeX shows the rest of the line below the command.
  const environment = /^l\.\d+ .*\n\s*\{(\w+)\*?\}/m.exec(context)?.[1]
  if (name.startsWith('\\b') && environment !== undefined && latexEnvironments.includes(environment))
    return { summary, remedy: 'Did you mean \\begin?' }
  const owner = packageOfCommand.get(name)
  if (owner !== undefined) return { summary, remedy: `Load its package: \\usepackage{${owner}}.` }
  const meant = closest(name, new Set([...knowledge.commands, ...latexCommands]))
  if (meant !== null) return { summary, remedy: `Did you mean ${meant}?` }
  return { summary, remedy: 'Define it with \\newcommand, or load the package that provides it.' }
}

function undefinedEnvironment({ match, knowledge }: Finding): Explanation {
  const name = match[1] ?? ''
  const meant = closest(name, new Set([...knowledge.environments, ...latexEnvironments]))
  return {
    summary: `The environment "${name}" is not defined.`,
    remedy: remedyOfEnvironment(name, meant),
  }
}

function remedyOfEnvironment(name: string, meant: string | null): string {
  const owner = packageOfEnvironment.get(name)
  if (owner !== undefined) return `Load its package: \\usepackage{${owner}}.`
  return meant === null ? 'Load the package that provides it, or define it.' : `Did you mean ${meant}?`
}

function missingPackage({ match }: Finding): Explanation {
  const [, name = '', kind] = match
  const theme = /^beamer(?:color|font|inner|outer)?theme(.+)/.exec(name)?.[1]
  if (theme !== undefined)
    return {
      summary: `The beamer theme "${theme}" is not installed.`,
      remedy: `Check its name, or add ${name}.sty to the project.`,
    }
  const noun = kind === 'cls' ? 'document class' : 'package'
  const meant = kind === 'cls' ? null : closest(name, packageNames)
  return {
    summary: `The ${noun} "${name}" is not installed.`,
    remedy:
      meant === null ? `Check the name, or add ${name}.${kind ?? 'sty'} to the project.` : `Did you mean ${meant}?`,
  }
}

function missingFile({ match, knowledge }: Finding): Explanation {
  const name = match.slice(1).find((group) => group !== undefined) ?? ''
  if (knowledge.files.has(name))
    return {
      summary: `The file "${name}" could not be read.`,
      remedy: 'It is damaged, or is not in the format of its extension: export it again.',
    }
  return {
    summary: `The file "${name}" was not found.`,
    remedy: suggestFile(name, knowledge.files) ?? 'Add it to the project, or check its name and folder.',
  }
}

/** Without the brackets of a file name and the features that fontspec adds: `[lmroman10.otf]:mode=node;+tlig;`. */
function fontName(request: string): string {
  return request.replace(/^\[/, '').replace(/(?:\]|:|\/(?:OT|GR|AAT|ICU|[BIS])).*$/, '')
}

function missingDatabase({ match, knowledge }: Finding): Explanation {
  const name = match[1] ?? match[2] ?? ''
  return {
    summary: `The bibliography ${name} was not found.`,
    remedy:
      suggestFile(name, knowledge.files) ??
      'Add it to the project, or check the name in \\bibliography or \\addbibresource.',
  }
}

/** Internal commands that read the argument of a public command. */
const commandOfReader = new Map([
  ['\\@footnotetext', '\\footnote'],
  ['\\@argdef', '\\newcommand'],
])

function unclosed({ match }: Finding): Explanation {
  const command = commandOfReader.get(match[1] ?? '') ?? match[1]
  const isNamed = command !== undefined && !isInternal(command)
  return {
    summary: `A "{"${isNamed ? ` of ${command}` : ''} is never closed.`,
    remedy: 'Close it where the argument ends. TeX noticed it only at the end of the file.',
  }
}

/** TeX shows the digit that it did not expect at the end of the line above it. */
function parameterNumber({ match, context }: Finding): Explanation {
  const command = match[1]
  if (command === undefined)
    return {
      summary: 'The arguments of a definition are not numbered correctly.',
      remedy: 'Number them from #1 to #9. For more, use keys, such as those of the package pgfkeys.',
    }
  const environment = /^\\end(.+)/.exec(command)?.[1]
  if (environment !== undefined)
    return {
      summary: `The end of the environment "${environment}" uses an argument.`,
      remedy: 'Arguments are available only at its beginning: save them there with \\def or \\newcommand.',
    }
  if (isInternal(command) || command.startsWith('\\GetTitleString'))
    return {
      summary: 'The argument of a command contains "#".',
      remedy: 'Write \\# for the character itself, also in addresses in headings and footnotes.',
    }
  const digit = /#(\d)\}?\s*$/.exec(readUpperLine(context) ?? '')?.[1]
  return {
    summary: `The definition of ${command} uses ${digit === undefined ? 'an argument' : `#${digit}, an argument`} that it does not have.`,
    remedy: `Set the number of arguments: \\newcommand{${command}}[${digit ?? 1}]{…}. In a definition inside a definition, write ##1.`,
  }
}

function doubledBackslash(command: string): Explanation {
  return { summary: `${command} has two backslashes.`, remedy: `Write ${command}{…} with one backslash.` }
}

function unmatchedEnvironment({ match, context }: Finding): Explanation {
  const [, begun = '', ended = ''] = match
  if (context.includes('written with two backslashes'))
    return doubledBackslash(begun === 'document' ? '\\begin' : '\\end')
  // The document environment is always open: the other \begin is missing.
  if (begun === 'document')
    return {
      summary: `\\end{${ended}} has no \\begin{${ended}}.`,
      remedy: `Add \\begin{${ended}}, or remove \\end{${ended}}.`,
    }
  if (closest(ended, new Set([begun])) !== null)
    return {
      summary: `\\begin{${begun}} ends with \\end{${ended}}.`,
      remedy: `Write the same name in both: \\end{${begun}}.`,
    }
  return {
    summary: `\\begin{${begun}} has no \\end{${begun}}.`,
    remedy: `Add \\end{${begun}} before \\end{${ended}}.`,
  }
}

function outsideMath({ context }: Finding): Explanation {
  // TeX breaks the line where it stopped: the symbol is the last character of the upper half.
  const upper = readUpperLine(context)?.trimEnd() ?? ''
  const isOpen = upper.replace(/\\.|\$\$/g, '').split('$').length % 2 === 0
  if (isOpen)
    return {
      summary: 'A formula begins with "$" and is not closed before this position.',
      remedy: 'Add the second "$", or write \\$ for the character itself.',
    }
  const sign = /([_^])\s*$/.exec(upper)?.[1] ?? findMathSign(upper)?.sign
  if (sign === undefined)
    return { summary: 'A symbol that works only in math is used in text.', remedy: 'Put it between $ signs: $…$.' }
  return {
    summary: `"${sign}" works only in math.`,
    remedy:
      sign === '_'
        ? 'Write $a_1$ for an index, or a\\_1 for the character itself.'
        : 'Write $a^2$ for a power, or \\textasciicircum{} for the character itself.',
  }
}

/** Characters that people paste into a source, with their commands in math. */
const SIGNS =
  '≤\\leq ≥\\geq ≠\\neq ≈\\approx ∈\\in ∉\\notin ∀\\forall ∃\\exists ∞\\infty →\\rightarrow ←\\leftarrow ⇒\\Rightarrow ⇔\\Leftrightarrow ↔\\leftrightarrow √\\sqrt{…} ∑\\sum ∏\\prod ∫\\int ∂\\partial ∇\\nabla ⊂\\subset ⊆\\subseteq ∪\\cup ∩\\cap ∅\\emptyset −- ℝ\\mathbb{R} ℕ\\mathbb{N} ℤ\\mathbb{Z} ℚ\\mathbb{Q} ℂ\\mathbb{C} α\\alpha β\\beta γ\\gamma δ\\delta ε\\varepsilon ζ\\zeta η\\eta θ\\theta κ\\kappa λ\\lambda μ\\mu ν\\nu ξ\\xi π\\pi ρ\\rho σ\\sigma τ\\tau φ\\varphi χ\\chi ψ\\psi ω\\omega Γ\\Gamma Δ\\Delta Θ\\Theta Λ\\Lambda Π\\Pi Σ\\Sigma Φ\\Phi Ψ\\Psi Ω\\Omega'
const commandOfSign = new Map(SIGNS.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]))

function unicodeCharacter({ match }: Finding): Explanation {
  const [, sign = '', code = ''] = match
  const command = commandOfSign.get(sign)
  if (/^U\+0[45]/.test(code))
    return {
      summary: `pdfLaTeX does not know the character "${sign}" (${code}).`,
      remedy: 'Load \\usepackage[T2A]{fontenc} for Cyrillic, or switch to LuaLaTeX: % !TEX program = lualatex.',
    }
  if (/^U\+(?:200[B-F]|2060|FEFF)$/.test(code))
    return {
      summary: `This line contains an invisible character (${code}) that pdfLaTeX does not know.`,
      remedy: 'Delete it: retype the text around it.',
    }
  const write = command === undefined ? 'Write it as a command' : `Write $${command}$`
  return {
    summary: `pdfLaTeX does not know the character "${sign}" (${code}).`,
    remedy: `${write}, or switch to LuaLaTeX: % !TEX program = lualatex.`,
  }
}

function missingCharacter({ match }: Finding): Explanation | null {
  const [, sign = '', font = ''] = match
  // Another error left no font selected.
  if (font.startsWith('nullfont')) return null
  const command = commandOfSign.get(sign)
  return {
    summary: `The font ${font} has no "${sign}", so it is missing from the PDF.`,
    remedy: `${command === undefined ? 'Choose' : `Write $${command}$, or choose`} a font that has it.`,
  }
}

function unknownCitation({ match, knowledge }: Finding): Explanation {
  const key = match.slice(1).find((group) => group !== undefined) ?? ''
  const meant = closest(key, knowledge.citations)
  return {
    summary: `\\cite{${key}}: the bibliography has no entry with this key.`,
    remedy: meant === null ? 'Add the entry, or check the key.' : `Did you mean ${meant}?`,
  }
}

function unknownReference({ match, knowledge }: Finding): Explanation {
  const name = match[1] ?? ''
  const meant = closest(name, knowledge.labels)
  return {
    summary: `\\ref{${name}}: no \\label has this name.`,
    remedy: meant === null ? 'Add the \\label, or check its name.' : `Did you mean ${meant}?`,
  }
}
