/** Code in Lua and expl3, and commands of other engines. */
import { BAD_NAME_NOTE, CUT_LUA_NOTE } from '../mistake-notes.ts'
import { readUpperLine } from '../read-upper-line.ts'
import type { Explanation, Finding, Rule } from '../types.ts'
import { hasNote } from './shared.ts'

const EXPL3 =
  /^Undefined control sequence: \\(?:tl|cs|int|seq|prop|clist|bool|str|fp|msg|keys|dim|skip|box|coffin|regex|file|iow|ior|prg|exp|use|group|token|peek|quark|sys|text|hook|l|g|c)$/

export const PROGRAMMING_RULES: readonly Rule[] = [
  [
    'undefined-command',
    EXPL3,
    () => ({
      summary: 'expl3 names, which contain "_" and ":", work only after \\ExplSyntaxOn.',
      remedy: 'Write \\ExplSyntaxOn before this code and \\ExplSyntaxOff after it.',
    }),
    // TeX shows the rest of the name below the command.
    (diagnostic) => diagnostic.type === 'error' && /^l\.\d+ .*\n\s*_[A-Za-z]/m.test(diagnostic.context ?? ''),
  ],
  [
    'undefined-command',
    /^Undefined control sequence: (\\(?:directlua|latelua|luaexec|luadirect|XeTeX\w+|pdfoutput|pdfliteral|pdfminorversion|pdf(?:obj)?compresslevel|pdfinfo|pdfcatalog|pdfsuppresswarningpagegroup|pdfgentounicode|pdfmap(?:file|line)|kanjiskip))$/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} is a command of another engine.`,
      remedy: `Compile with ${engineOf(match[1] ?? '')}, or write the document without it.`,
    }),
  ],
  [
    'missing-file',
    /^(?:\[\\directlua\]:\d+: )?(?:cannot open (?:file ')?([^\s':]+)|module '(\S+?)' not found)/,
    ({ match }) => ({
      summary: `The Lua file "${match[1] ?? match[2] ?? ''}" was not found.`,
      remedy: 'Add it to the project, or check its name. Lua searches from the folder of the root file.',
    }),
  ],
  [
    'missing-command-name',
    /^/,
    ({ context }) => ({
      summary: `${/"(.+?)"/.exec(context)?.[1] ?? 'This'} cannot be the name of a command, which consists of letters.`,
      remedy: 'Choose a name without digits, "_" and "-".',
    }),
    (diagnostic) => hasNote(diagnostic, BAD_NAME_NOTE),
  ],
  [
    'lua-error',
    /^/,
    () => ({
      summary: 'In \\directlua, "%" begins a comment of TeX, which hides the rest of the line from Lua.',
      remedy: 'Load \\usepackage{luacode} and write the code in the environment luacode*, or in a .lua file.',
    }),
    (diagnostic) => hasNote(diagnostic, CUT_LUA_NOTE),
  ],
  [
    'lua-error',
    /^Here "--" makes the rest of \\directlua a comment/,
    () => ({
      summary: 'TeX passes \\directlua code to Lua as one line, so "--" comments out the rest.',
      remedy:
        'Begin the comment with "%" instead, or write the code in the environment luacode* of the package luacode.',
    }),
  ],
  ['lua-error', /^\[\\(?:directlua|latelua|luaexec)\]:\d+: (.*)|\.lua:\d+: (.*)/, luaError],
  [
    'parameter-number',
    /^LaTeX cmd Error: Invalid argument type '(.*?)' in command '(\S+?)'/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a type of an argument of ${match[2] ?? 'a command'}.`,
      remedy: 'Write m for an argument in braces, o or O{default} for an option in brackets, s for a star.',
    }),
  ],
  [
    'command-already-defined',
    /^LaTeX Error: Control sequence (\\\S*_\S*) already defined/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} is already defined.`,
      remedy: 'Remove one of its definitions, or choose another name.',
    }),
  ],
]

function engineOf(command: string): string {
  if (/lua/.test(command)) return 'LuaLaTeX: % !TEX program = lualatex'
  if (command.startsWith('\\XeTeX')) return 'XeLaTeX: % !TEX program = xelatex'
  return command === '\\kanjiskip' ? 'upLaTeX: % !TEX program = uplatex' : 'pdfLaTeX: % !TEX program = pdflatex'
}

function luaError({ match, message, context }: Finding): Explanation {
  const said = (match[1] ?? match[2] ?? '').slice(0, 200)
  const isOwn = message.startsWith('[\\') || /\\(?:directlua|luaexec|luadirect)\b/.test(readUpperLine(context) ?? '')
  return {
    summary: 'Lua code failed.',
    remedy: isOwn ? `Fix the code on this line: ${said}` : `Check the arguments of the command on this line: ${said}`,
  }
}
