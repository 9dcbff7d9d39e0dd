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
import { readUpperLine } from './read-upper-line.ts'
import type { Explanation, Knowledge } from './types.ts'

interface Finding {
  readonly match: RegExpExecArray
  readonly message: string
  /** What TeX printed below the message. */
  readonly context: string
  readonly line: number | null
  readonly knowledge: Knowledge
}

/** The code is part of page addresses and of the API: never reuse one for another kind of message. */
type Rule = readonly [
  code: string,
  pattern: RegExp,
  explain: (finding: Finding) => Explanation | null,
  /** If the message alone does not determine the kind. */
  applies?: (diagnostic: LatexError | LatexWarning) => boolean,
]

export const RULES: readonly Rule[] = [
  ['undefined-command', /Undefined control sequence:? ?(\\(?:[A-Za-z@]+|.))?/, undefinedCommand],
  [
    'undefined-command',
    /^LaTeX Error: Command (\\\S+) undefined/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} is not defined, so it cannot be redefined.`,
      remedy: 'Use \\newcommand to define it, or check its name.',
    }),
  ],
  ['undefined-environment', /Environment (\S+) undefined/, undefinedEnvironment],
  ['missing-package', /File [`'](.+)\.(sty|cls)' not found/, missingPackage],
  [
    'missing-file',
    /(?:File|file) [`'"](.+?)['"] not found|No verbatim file (\S+)|Unable to load picture or PDF file '(.+?)'|Cannot find file [`'](.+?)'|Could not read table file '(.+?)'/,
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
            remedy: 'Close the environment or the brace that begins here.',
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
  ['unclosed-brace', /(?:never closed|File ended while scanning use of (\\\S+))/, unclosed],
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
    () => ({ summary: '"&" separates table cells.', remedy: 'Write \\& for the character itself.' }),
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
    /Illegal (?:character in array arg|pream-token)/,
    () => ({
      summary: 'The table has a column type that is not defined.',
      remedy: 'Use l, c, r or p{width}, or load the package that defines the type.',
    }),
  ],
  [
    'hash-in-text',
    /You can't use `macro parameter character #'/,
    () => ({ summary: '"#" works only in definitions.', remedy: 'Write \\# for the character itself.' }),
  ],
  [
    'no-line-to-end',
    /There's no line here to end/,
    () => ({
      summary: '\\\\ or \\newline is used where no line has begun.',
      remedy: 'Remove it. For space between paragraphs, use \\vspace or \\bigskip.',
    }),
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
    /Undefined color [`'](.+?)'/,
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
    /Package babel Error: (?:Unknown (?:option|language) [`'](.+?)'|You haven't (?:defined|loaded) the language (?:option )?(\S+?)(?: yet)?[.,])/,
    ({ match }) => ({
      summary: `babel does not know the language "${match[1] ?? match[2] ?? ''}".`,
      remedy: 'Check its name, and load it as an option of babel.',
    }),
  ],
  [
    'unknown-option',
    /(?:Package (?:keyval|enumitem|xkeyval) Error: [`']?(.+?)'? undefined|Undefined key [`'](.+?)'|I do not know the key '(?:\/[^']*?)?([^'/]+)'|The key '(?:[^']*?\/)?([^'/]+)' is unknown)/,
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
      remedy: 'Write digits with at most one decimal marker.',
    }),
  ],
  [
    'wrong-engine',
    /LuaTeX is required for this package|inputenc is not designed for xetex or luatex|requires either XeTeX or LuaTeX|cannot[ -]use[ -]pdftex|requires (?:XeTeX|LuaTeX|LuaLaTeX|XeLaTeX)\b/i,
    () => ({
      summary: 'This package does not work with the engine that compiles the document.',
      remedy: 'Compile with LuaLaTeX or XeLaTeX: % !TEX program = lualatex.',
    }),
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
    () => ({
      summary: 'There is text before \\begin{document}.',
      remedy: 'Add \\begin{document} before the text, or remove what is not a command from the preamble.',
    }),
  ],
  [
    'preamble-only',
    /Can be used only in preamble/,
    () => ({ summary: 'This command works only before \\begin{document}.', remedy: 'Move it to the preamble.' }),
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
    /Command (\\\S+) already defined/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} is already defined.`,
      remedy: 'Use \\renewcommand to replace it, or choose another name.',
    }),
  ],
  [
    'missing-item',
    /Something's wrong--perhaps a missing \\item/,
    () => ({ summary: 'This list has text before its first \\item.', remedy: 'Start the list with \\item.' }),
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
    'unpaired-delimiter',
    /Missing (?:\\right|delimiter)|Extra \\right/,
    () => ({
      summary: '\\left and \\right do not match in this formula.',
      remedy: 'Every \\left needs a \\right. Use \\right. for an invisible one.',
    }),
  ],
  [
    'display-math-end',
    /Display math should end with \$\$/,
    () => ({ summary: 'A displayed formula ends with a single "$".', remedy: 'Write \\[ … \\].' }),
  ],
  [
    'math-delimiter',
    /Bad math environment delimiter|Erroneous nesting of equation structures/,
    () => ({
      summary: 'Math starts inside math, or ends outside of it.',
      remedy: 'Look for a \\(, \\[ or $ that is not closed.',
    }),
  ],
  [
    'missing-unit',
    /Illegal unit of measure/,
    () => ({ summary: 'A length has no unit.', remedy: 'Write a unit after the number: 2cm, 12pt, 1em.' }),
  ],
  [
    'missing-number',
    /Missing number, treated as zero/,
    () => ({ summary: 'A number or a length is missing here.', remedy: 'Write one: 2cm, 12pt, 1em.' }),
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
    /Too many unprocessed floats/,
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
    /The font "(.+?)" cannot be found/,
    ({ match }) => ({
      summary: `The font "${match[1] ?? ''}" is not installed.`,
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
    /I was expecting a|Illegal end of database file|I'm skipping whatever remains of this entry|^Unbalanced braces|BibTeX subsystem: .*(?:syntax error|unbalanced braces)/,
    () => ({
      summary: 'This bibliography entry has a syntax error.',
      remedy:
        'Look at this line and the one before: every field ends with a comma, and every brace and quote must be closed.',
    }),
  ],
  [
    'repeated-entry',
    /^Repeated entry/,
    () => ({
      summary: 'Two bibliography entries have the same key.',
      remedy: 'Remove one of them, or change its key.',
    }),
  ],
  [
    'capacity-exceeded',
    /TeX capacity exceeded/,
    () => ({ summary: 'TeX ran out of memory, usually because a command repeats without end.', remedy: null }),
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
]

/** Commands with an "@" belong to LaTeX and its packages: authors do not write or define them. */
function isInternal(command: string | undefined): boolean {
  return command?.includes('@') === true
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
  return {
    summary: `The file "${name}" was not found.`,
    remedy: suggestFile(name, knowledge.files) ?? 'Add it to the project, or check its name and folder.',
  }
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

function unclosed({ match }: Finding): Explanation {
  const command = match[1]
  const isNamed = command !== undefined && !isInternal(command)
  return {
    summary: `A "{"${isNamed ? ` of ${command}` : ''} is never closed.`,
    remedy: 'Close it where the argument ends. TeX noticed it only at the end of the file.',
  }
}

function unmatchedEnvironment({ match }: Finding): Explanation {
  const [, begun = '', ended = ''] = match
  // The document environment is always open: the other \begin is missing.
  if (begun === 'document')
    return {
      summary: `\\end{${ended}} has no \\begin{${ended}}.`,
      remedy: `Add \\begin{${ended}}, or remove \\end{${ended}}.`,
    }
  return {
    summary: `\\begin{${begun}} has no \\end{${begun}}.`,
    remedy: `Add \\end{${begun}} before \\end{${ended}}.`,
  }
}

function outsideMath({ context }: Finding): Explanation {
  // TeX breaks the line where it stopped: the symbol is the last character of the upper half.
  const sign = /([_^])\s*$/.exec(readUpperLine(context) ?? '')?.[1]
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

/** Greek characters that people paste into a source. */
const GREEK =
  'α\\alpha β\\beta γ\\gamma δ\\delta ε\\varepsilon ζ\\zeta η\\eta θ\\theta κ\\kappa λ\\lambda μ\\mu ν\\nu ξ\\xi π\\pi ρ\\rho σ\\sigma τ\\tau φ\\varphi χ\\chi ψ\\psi ω\\omega Γ\\Gamma Δ\\Delta Θ\\Theta Λ\\Lambda Π\\Pi Σ\\Sigma Φ\\Phi Ψ\\Psi Ω\\Omega'
const commandOfSign = new Map(GREEK.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]))

function unicodeCharacter({ match }: Finding): Explanation {
  const [, sign = '', code = ''] = match
  const command = commandOfSign.get(sign)
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
