/** Counters, colors, options, languages and nodes that are not defined; options of other engines. */
import { closest } from '../closest.ts'
import { biblatexValues, optionNames } from '../known-commands.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { decorationLibraryOf, tikzLibraryOf, tikzOptions, tikzShapes } from '../tikz-libraries.ts'
import type { Explanation, Finding, Rule } from '../types.ts'

export const UNKNOWN_NAME_RULES: readonly Rule[] = [
  [
    'unknown-option',
    /^Package changes Error: Undefined changes author: (.+?)\.$/,
    ({ match }) => ({
      summary: `The author "${match[1] ?? ''}" of a change is not defined.`,
      remedy: `Check the identifier, or define it in the preamble: \\definechangesauthor{${match[1] ?? ''}}.`,
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
    'undefined-counter',
    /^Missing number, treated as zero/,
    ({ context }) => ({
      summary: `The counter "${COUNTER.exec(context)?.[1] ?? ''}" is not defined.`,
      remedy: 'Check its name, or define it with \\newcounter.',
    }),
    (diagnostic) => diagnostic.type === 'error' && COUNTER.test(diagnostic.context ?? ''),
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
    'unknown-option',
    /^Package babel Error: Bad option '(.+?)'/,
    ({ match }) => ({
      summary: `babel has no option ${match[1] ?? ''}.`,
      remedy: 'Write the language alone, without quotes: \\usepackage[english]{babel}.',
    }),
  ],
  [
    'undefined-glossary-entry',
    /^Package glossaries Warning: Glossary `(.+?)' doesn't exist/,
    ({ match }) => ({
      summary: `The glossary "${match[1] ?? ''}" does not exist.`,
      remedy: 'Check its type: main, or acronym with the option acronym. Others are defined with \\newglossary.',
    }),
  ],
  [
    'package-order',
    /^Package (\S+) Error: Package [`'](\S+)' required/,
    ({ match }) => ({
      summary: `The package ${match[1] ?? ''} requires the package ${match[2] ?? ''}.`,
      remedy: `Load it in the preamble: \\usepackage{${match[2] ?? ''}}.`,
    }),
  ],
  [
    'unknown-language',
    /Package babel Error: (?:Unknown (?:option|language) [`'](.+?)'|You haven't (?:defined|loaded) the language (?:option )?[`']?([^\s`']+?)'?(?: yet)?[.,])/,
    ({ match }) => ({
      summary: `The language "${match[1] ?? match[2] ?? ''}" is unknown to babel, or is not loaded.`,
      remedy: 'Check its name, and load it as an option of babel.',
    }),
  ],
  [
    'unknown-option',
    /(?:Package (?:keyval|enumitem|xkeyval) Error: [`']?(.+?)'? undefined|Package media9 Error: .*?Unknown option [`'](.+?)'|Undefined key [`'](.+?)'|I do not know the key '(?:\/[^']*?)?([^'/]+)'|The key '(?:[^']*?\/)?([^'/]+)' is unknown|Sorry, '(.+?)' is unknown in this context)/,
    unknownOption,
  ],
  [
    'unknown-option',
    /Package tikz Error: You need to load a decoration library/,
    ({ context }) => ({
      summary: 'Decorations require a TikZ library.',
      remedy: `Load it: \\usetikzlibrary{${decorationLibraryOf(readUpperLine(context) ?? '')}}.`,
    }),
  ],
  [
    'unknown-option',
    /Package biblatex Error: Option '([^'=]+)=([^']*)' invalid/,
    ({ match }) => ({
      summary: `"${match[2] ?? ''}" is not a value of the option ${match[1] ?? ''} of biblatex.`,
      remedy: `Write ${biblatexValues.get(match[1] ?? '') ?? 'one of the values in the documentation of biblatex'}.`,
    }),
  ],
  [
    'unknown-option',
    /Package etoolbox Error: Invalid boolean value '(.*?)'/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a value of this option.`,
      remedy: 'Write true or false.',
    }),
  ],
  [
    'unknown-option',
    /Package fancyhdr Error: Illegal char `(.)' in (\\\w+) argument/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a position in the header or footer.`,
      remedy: 'Use L, C or R, with E for even and O for odd pages: \\fancyhead[LE,RO]{…}.',
    }),
  ],
  [
    'unknown-language',
    /Package Listings Error: (?:Couldn't load requested language|language (\S+) undefined)/,
    ({ match, context }) => {
      const name = match[1] ?? /\blanguage\s*=\s*\{?([A-Za-z+#]+)/.exec(readUpperLine(context) ?? '')?.[1]
      const meant = closest(name?.toLowerCase() ?? '', LISTING_LANGUAGES.keys())
      return {
        summary: `listings does not support ${name === undefined ? 'this language' : `the language "${name}"`}.`,
        remedy:
          meant === null
            ? 'Check its name, or define it with \\lstdefinelanguage.'
            : `Did you mean ${LISTING_LANGUAGES.get(meant) ?? meant}?`,
      }
    },
  ],
  [
    'unknown-language',
    /Package polyglossia Warning: Neither file gloss-(.+?)\.ldf/,
    ({ match }) => ({
      summary: `polyglossia does not support the language "${match[1] ?? ''}".`,
      remedy: 'Check its name in \\setmainlanguage or \\setotherlanguage.',
    }),
  ],
  [
    'undefined-glossary-entry',
    /Glossary entry [`'](.+?)' has not been defined/,
    ({ match, knowledge }) => {
      const meant = closest(match[1] ?? '', knowledge.entries)
      return {
        summary: `The glossary has no entry "${match[1] ?? ''}".`,
        remedy:
          meant === null
            ? 'Define it with \\newglossaryentry or \\newacronym, or check its name.'
            : `Did you mean ${meant}?`,
      }
    },
  ],
  [
    'unknown-node',
    /Package (?:pgf|tikz) Error: No shape named [`'](.+?)' is known/,
    ({ match, knowledge }) => {
      const meant = closest(match[1] ?? '', knowledge.nodes)
      return {
        summary: `The picture has no node or coordinate "${match[1] ?? ''}".`,
        remedy:
          meant === null
            ? 'Name the node or coordinate before this line, or check the name.'
            : `Did you mean ${meant}?`,
      }
    },
  ],
  [
    'unknown-node',
    /Package (?:pgf|tikz) Error: Unknown shape [`']{1,2}(.+?)[.']/,
    ({ match }) => {
      const name = match[1] ?? ''
      const library = tikzLibraryOf(name)
      const meant = closest(name, tikzShapes)
      return {
        summary: `The shape "${name}" is not defined.`,
        remedy:
          library !== null
            ? `Load the TikZ library that defines it: \\usetikzlibrary{${library}}.`
            : meant === null
              ? 'Check its name, or load the TikZ library that defines it.'
              : `Did you mean ${meant}?`,
      }
    },
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
    'unmatched-conditional',
    /\\end occurred when (\\if\w*) on line \d+ was incomplete/,
    ({ line }) => ({
      summary: line === null ? 'A condition has no \\fi.' : 'The condition that begins here has no \\fi.',
      remedy: 'Add \\fi where the conditional text ends.',
    }),
  ],
  [
    'tikz-semicolon',
    /Giving up on this path\. Did you forget a semicolon/,
    () => ({ summary: 'A TikZ path has no ";" at its end.', remedy: 'Add it.' }),
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
    /Package (xeCJK|xltxtra|xunicode|mathspec) Error: .*requires XeTeX/i,
    ({ match }) => ({
      summary: `The package ${match[1] ?? ''} works only with XeLaTeX.`,
      remedy: 'Compile with XeLaTeX: % !TEX program = xelatex.',
    }),
  ],
  [
    'wrong-engine',
    /inputenc is not designed for xetex or luatex/,
    () => ({
      summary: 'LuaLaTeX and XeLaTeX read only UTF-8, so inputenc cannot choose another encoding.',
      remedy: 'Save the file as UTF-8 in your editor, and remove inputenc.',
    }),
  ],
  [
    'wrong-engine',
    /LuaTeX is required for this package|requires (?:LuaTeX|LuaLaTeX)\b(?! or |\/)/i,
    () => ({
      summary: 'This package works only with LuaLaTeX.',
      remedy: 'Compile with LuaLaTeX: % !TEX program = lualatex.',
    }),
    ({ type }) => type === 'error',
  ],
  [
    'wrong-engine',
    /Cannot be run with pdftex|requires either XeTeX or LuaTeX|cannot[ -]use[ -]pdftex|requires (?:XeTeX|LuaTeX|LuaLaTeX|XeLaTeX)\b/i,
    () => ({
      summary: 'This package does not work with the engine that compiles the document.',
      remedy: 'Compile with LuaLaTeX or XeLaTeX: % !TEX program = lualatex.',
    }),
    // A class that warns has alternatives.
    ({ type }) => type === 'error',
  ],
  [
    'wrong-engine',
    /This file needs format `(\S+?)'/,
    ({ match }) => ({
      summary: `This class or package works only with ${match[1] ?? ''}, which makes DVI files.`,
      remedy:
        'Compile with % !TEX program = uplatex, or platex. Or use a class of LuaLaTeX, such as \\documentclass{ltjsarticle}.',
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
]

/** LaTeX stores the value of a counter under this name, which TeX shows if it is not a number. */
const COUNTER = /<to be read again>\s*\\c@(\w+)/

/** Languages of listings, by their name in lower case. */
const LISTING_LANGUAGES: ReadonlyMap<string, string> = new Map(
  'Ada Awk bash C Cobol Erlang Fortran Gnuplot Haskell HTML Java Lisp Logo Lua make Mathematica Matlab ML Octave Pascal Perl PHP Prolog Python R Ruby Scala Scilab sh SQL tcl TeX Verilog VHDL XML XSLT'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
)

function unknownOption({ match }: Finding): Explanation {
  const name = match.slice(1).find((group) => group !== undefined) ?? ''
  const summary = `"${name}" is not an option here.`
  if (match[0].includes("'siunitx/") && /^\d+$/.test(name))
    return { summary, remedy: 'A comma separates two options. Write a format with a decimal point: table-format=2.3.' }
  const library = match[0].startsWith('I do not know the key') ? tikzLibraryOf(name) : null
  if (library !== null)
    return { summary, remedy: `Load the TikZ library that defines it: \\usetikzlibrary{${library}}.` }
  const isOfTikz = match[0].startsWith("I do not know the key '/tikz/")
  const meant = closest(name, isOfTikz ? new Set([...optionNames, ...tikzOptions, ...tikzShapes]) : optionNames)
  return {
    summary,
    remedy: meant === null ? 'Check its name in the documentation of the package.' : `Did you mean ${meant}?`,
  }
}
