/** Counters, colors, options, languages and nodes that are not defined; code in Lua and other engines. */
import type { Rule } from '../types.ts'

export const UNKNOWN_NAME_RULES: readonly Rule[] = [
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
    'unmatched-conditional',
    /\\end occurred when (\\if\w*) on line \d+ was incomplete/,
    () => ({
      summary: 'The condition that begins here has no \\fi.',
      remedy: 'Add \\fi where the conditional text ends.',
    }),
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
