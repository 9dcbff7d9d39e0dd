/** One rule a kind of message, in TeX's words on the left and in plain ones on the right. The first that fits wins. */
import { closest } from './closest.ts'
import { latexCommands, latexEnvironments, packageNames, packageOfCommand } from './known-commands.ts'
import { suggestFile } from './suggest-file.ts'
import type { Advice, Knowledge } from './types.ts'

interface Finding {
  readonly match: RegExpExecArray
  readonly message: string
  /** What TeX printed below the message. */
  readonly context: string
  readonly knowledge: Knowledge
}

/** The code is the name of the kind, in addresses and for programs: it is never given to another kind. */
type Rule = readonly [code: string, pattern: RegExp, advise: (finding: Finding) => Advice | null]

export const RULES: readonly Rule[] = [
  ['undefined-command', /Undefined control sequence:? ?(\\(?:[A-Za-z@]+|.))?/, undefinedCommand],
  ['undefined-environment', /Environment (\S+) undefined/, undefinedEnvironment],
  ['missing-package', /File [`'](.+)\.(sty|cls)' not found/, missingPackage],
  [
    'missing-file',
    /(?:File|file) [`'"](.+?)['"] not found|Unable to load picture or PDF file '(.+?)'|Cannot find file [`'](.+?)'/,
    missingFile,
  ],
  ['unclosed-brace', /(?:never closed|File ended while scanning use of (\\\S+))/, unclosed],
  [
    'runaway-argument',
    /Paragraph ended before (\\\S+) was complete/,
    ({ match }) => ({
      summary: `The argument of ${match[1] ?? 'a command'} does not end before the blank line.`,
      remedy: 'Close its brace "}", or take the blank line out.',
    }),
  ],
  ['unmatched-environment', /\\begin\{(.+?)\}.* ended by \\end\{(.+?)\}/, unmatchedEnvironment],
  [
    'ampersand-in-text',
    /Misplaced alignment tab character &/,
    () => ({ summary: '"&" separates table cells.', remedy: 'In text write \\&.' }),
  ],
  [
    'extra-cell',
    /Extra alignment tab has been changed to \\cr/,
    () => ({
      summary: 'This row has more cells than the table has columns.',
      remedy: 'Add a column to the table, or end the row with \\\\ before.',
    }),
  ],
  ['outside-math', /Missing \$ inserted/, outsideMath],
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
      summary: `Two places carry the label "${match[1] ?? ''}".`,
      remedy: 'Give one of them another name: references lead to the last.',
    }),
  ],
  [
    'missing-begin-document',
    /Missing \\begin\{document\}/,
    () => ({
      summary: 'Text stands before \\begin{document}.',
      remedy: 'Move it behind, or remove what is no command from the preamble.',
    }),
  ],
  [
    'preamble-only',
    /Can be used only in preamble/,
    () => ({
      summary: 'This command belongs before \\begin{document}.',
      remedy: 'Move it to the preamble.',
    }),
  ],
  [
    'option-clash',
    /Option clash for package (\S+?)\.?$/,
    ({ match }) => ({
      summary: `The package ${match[1] ?? ''} is loaded twice, with other options each time.`,
      remedy: 'Load it once, before what loads it too, with all the options.',
    }),
  ],
  [
    'command-already-defined',
    /Command (\\\S+) already defined/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} has a meaning already.`,
      remedy: 'Use \\renewcommand to replace it, or choose another name.',
    }),
  ],
  [
    'missing-item',
    /Something's wrong--perhaps a missing \\item/,
    () => ({
      summary: 'This list has text before its first \\item.',
      remedy: 'Begin with \\item.',
    }),
  ],
  [
    'lonely-item',
    /Lonely \\item/,
    () => ({ summary: '\\item stands outside of a list.', remedy: 'Put it in an itemize or enumerate.' }),
  ],
  [
    'double-script',
    /Double (superscript|subscript)/,
    ({ match }) => ({
      summary: `Two ${match[1] ?? ''}s stand on one symbol.`,
      remedy: 'Group them with braces: a^{b^c}, a_{b_c}.',
    }),
  ],
  [
    'extra-closing-brace',
    /Extra \}, or forgotten/,
    () => ({ summary: 'A "}" closes nothing, or a "$" before it is missing.', remedy: null }),
  ],
  [
    'unmatched-closing-brace',
    /Too many \}'s/,
    () => ({ summary: 'This "}" closes nothing.', remedy: 'Take it out, or find the "{" that is missing.' }),
  ],
  [
    'missing-closing-brace',
    /Missing \} inserted/,
    () => ({ summary: 'A "}" is missing before this place.', remedy: null }),
  ],
  [
    'unpaired-delimiter',
    /Missing (?:\\right|delimiter)|Extra \\right/,
    () => ({
      summary: '\\left and \\right do not pair up in this formula.',
      remedy: 'Every \\left needs a \\right; \\right. closes without a sign.',
    }),
  ],
  [
    'display-math-end',
    /Display math should end with \$\$/,
    () => ({ summary: 'A displayed formula ends with one "$" only.', remedy: 'Write \\[ … \\].' }),
  ],
  [
    'math-delimiter',
    /Bad math environment delimiter/,
    () => ({
      summary: 'Math begins within math, or ends where there is none.',
      remedy: 'Look for a \\( \\[ or $ that is not closed.',
    }),
  ],
  [
    'missing-unit',
    /Illegal unit of measure/,
    () => ({ summary: 'A length has no unit.', remedy: 'Write 2cm, 12pt or 1em.' }),
  ],
  [
    'missing-number',
    /Missing number, treated as zero/,
    () => ({ summary: 'A number or a length is missing here.', remedy: 'Write 2cm, 12pt or 1em.' }),
  ],
  [
    'float-in-box',
    /Not in outer par mode/,
    () => ({ summary: 'A figure or table stands within another box.', remedy: 'Move it between two paragraphs.' }),
  ],
  [
    'caption-outside-float',
    /\\caption outside float/,
    () => ({
      summary: '\\caption works in a figure or a table only.',
      remedy: 'Put it in one, or load the package caption and use \\captionof.',
    }),
  ],
  [
    'too-many-floats',
    /Too many unprocessed floats/,
    () => ({
      summary: 'Too many figures and tables wait for a page.',
      remedy: 'Write \\clearpage, or let them float with [htbp].',
    }),
  ],
  [
    'shell-escape',
    /(?:invoke|run) (?:La)?TeX with the -shell-escape|requires? (?:the )?-?-?shell-escape|shell escape .*disabled/i,
    () => ({
      summary: 'This package wants to run programs, which is off here.',
      remedy: 'Use listings in place of minted, or a cache that you push along (frozencache).',
    }),
  ],
  [
    'missing-font',
    /The font "(.+?)" cannot be found/,
    ({ match }) => ({
      summary: `The font "${match[1] ?? ''}" is not installed here.`,
      remedy: 'Put its file into the repository, or choose another font.',
    }),
  ],
  [
    'biblatex-mismatch',
    /Found biblatex control file version (\S+), expected version (\S+)/,
    () => ({
      summary: 'biber and biblatex of this server do not fit together: the server has the problem, not the paper.',
      remedy: 'Tell its administrator: texproof doctor names the versions.',
    }),
  ],
  [
    'capacity-exceeded',
    /TeX capacity exceeded/,
    () => ({ summary: 'The document asks for more than TeX can hold, most often in an endless loop.', remedy: null }),
  ],
  ['missing-bibliography', /I couldn't open database file (\S+)/, missingDatabase],
  [
    'missing-bibliography-style',
    /I couldn't open style file (\S+)/,
    ({ match }) => ({
      summary: `The bibliography style ${match[1] ?? ''} is neither here nor in the repository.`,
      remedy: 'Check its name in \\bibliographystyle, or add the file.',
    }),
  ],
  [
    'time-limit',
    /Compilation timed out after (\d+) ms \(pass (\d+), (\S+)\)/,
    ({ match }) => ({
      summary: `Stopped after ${Math.round(Number(match[1]) / 1000)} s, in pass ${match[2] ?? ''} (${match[3] ?? ''}): no compile may take longer.`,
      remedy: 'Look for a command that repeats itself without end, or make a large drawing a PDF of its own.',
    }),
  ],
  [
    'resource-limit',
    /Compilation was stopped: (.+?) \(pass/,
    ({ match }) => ({
      summary: `Stopped: ${match[1] ?? ''}.`,
      remedy: 'Most often a command repeats itself without end.',
    }),
  ],
  [
    'no-pages',
    /^No pages of output/,
    () => ({
      summary: 'The document has no pages.',
      remedy: 'Put something to be typeset between \\begin{document} and \\end{document}.',
    }),
  ],
]

function undefinedCommand({ match, context, knowledge }: Finding): Advice {
  const name = match[1] ?? /(\\[A-Za-z@]+)\s*$/m.exec(context)?.[1]
  if (name === undefined) return { summary: 'A command here is not defined.', remedy: null }
  const summary = `${name} is not defined.`
  const owner = packageOfCommand.get(name)
  if (owner !== undefined) return { summary, remedy: `It comes with a package: \\usepackage{${owner}}.` }
  const meant = closest(name, new Set([...knowledge.commands, ...latexCommands]))
  if (meant !== null) return { summary, remedy: `Did you mean ${meant}?` }
  return { summary, remedy: 'Define it with \\newcommand, or load the package that provides it.' }
}

function undefinedEnvironment({ match, knowledge }: Finding): Advice {
  const name = match[1] ?? ''
  const meant = closest(name, new Set([...knowledge.environments, ...latexEnvironments]))
  return {
    summary: `There is no environment "${name}".`,
    remedy: meant === null ? 'Load the package that provides it.' : `Did you mean ${meant}?`,
  }
}

function missingPackage({ match }: Finding): Advice {
  const [, name = '', kind] = match
  const noun = kind === 'cls' ? 'document class' : 'package'
  const meant = kind === 'cls' ? null : closest(name, packageNames)
  return {
    summary: `The ${noun} "${name}" is not installed here.`,
    remedy:
      meant === null
        ? `Check its name, or put ${name}.${kind ?? 'sty'} into the repository.`
        : `Did you mean ${meant}?`,
  }
}

function missingFile({ match, knowledge }: Finding): Advice {
  const name = match.slice(1).find((group) => group !== undefined) ?? ''
  const near = suggestFile(name, knowledge.files)
  return {
    summary: `The file "${name}" was not found.`,
    remedy: near === null ? 'Push it along, or check its name and folder.' : near,
  }
}

function missingDatabase({ match, knowledge }: Finding): Advice {
  const name = match[1] ?? ''
  return {
    summary: `The bibliography ${name} was not found.`,
    remedy: suggestFile(name, knowledge.files) ?? 'Push it along, or check its name in \\bibliography.',
  }
}

function unclosed({ match }: Finding): Advice {
  const command = match[1]
  return {
    summary: `A "{"${command === undefined ? '' : ` of ${command}`} is never closed.`,
    remedy: 'TeX noticed only at the end of the file. Close it where the argument ends.',
  }
}

function unmatchedEnvironment({ match }: Finding): Advice {
  const [, begun = '', ended = ''] = match
  return { summary: `\\begin{${begun}} has no \\end{${begun}}.`, remedy: `\\end{${ended}} came first.` }
}

function outsideMath({ context }: Finding): Advice {
  // TeX breaks the line where it stopped: the sign is the last of the upper half.
  const sign = /([_^])\s*$/m.exec(context.split('\n').find((line) => /^l\.\d+ /.test(line)) ?? '')?.[1]
  if (sign === undefined)
    return { summary: 'A sign that works only in math stands in text.', remedy: 'Put $ … $ around it.' }
  return {
    summary: `"${sign}" works only in math.`,
    remedy:
      sign === '_'
        ? 'Write $a_1$, or a\\_1 for the sign itself.'
        : 'Write $a^2$, or \\textasciicircum{} for the sign itself.',
  }
}

/** Greek as people paste it. */
const GREEK =
  'α\\alpha β\\beta γ\\gamma δ\\delta ε\\varepsilon ζ\\zeta η\\eta θ\\theta κ\\kappa λ\\lambda μ\\mu ν\\nu ξ\\xi π\\pi ρ\\rho σ\\sigma τ\\tau φ\\varphi χ\\chi ψ\\psi ω\\omega Γ\\Gamma Δ\\Delta Θ\\Theta Λ\\Lambda Π\\Pi Σ\\Sigma Φ\\Phi Ψ\\Psi Ω\\Omega'
const commandOfSign = new Map(GREEK.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]))

function unicodeCharacter({ match }: Finding): Advice {
  const [, sign = '', code = ''] = match
  const command = commandOfSign.get(sign)
  const write = command === undefined ? 'Write it as a command' : `Write $${command}$`
  return {
    summary: `pdfLaTeX has no "${sign}" (${code}) here.`,
    remedy: `${write}, or typeset with LuaLaTeX: % !TEX program = lualatex.`,
  }
}

function missingCharacter({ match }: Finding): Advice {
  const [, sign = '', font = ''] = match
  const command = commandOfSign.get(sign)
  return {
    summary: `The font ${font} has no "${sign}": it is missing from the PDF.`,
    remedy: `${command === undefined ? 'Choose' : `Write $${command}$, or choose`} a font that has it.`,
  }
}

function unknownCitation({ match, knowledge }: Finding): Advice {
  const key = match.slice(1).find((group) => group !== undefined) ?? ''
  const meant = closest(key, knowledge.citations)
  return {
    summary: `\\cite{${key}} is not in the bibliography.`,
    remedy: meant === null ? 'Add an entry with this key, or check the key.' : `Closest key: ${meant}.`,
  }
}

function unknownReference({ match, knowledge }: Finding): Advice {
  const name = match[1] ?? ''
  const meant = closest(name, knowledge.labels)
  return {
    summary: `\\ref{${name}} leads nowhere: no \\label has this name.`,
    remedy: meant === null ? null : `Did you mean ${meant}?`,
  }
}
