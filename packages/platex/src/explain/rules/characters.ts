/** Characters that work only in math or are missing in a font; citations and labels. */
import { closest } from '../closest.ts'
import { findMathSign } from '../find-math-sign.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { OPEN_FORMULA_NOTE, SPLIT_CHARACTER_NOTE } from '../mistake-notes.ts'
import type { Explanation, Finding, Rule } from '../types.ts'
import { hasNote } from './shared.ts'

export const CHARACTER_RULES: readonly Rule[] = [
  [
    'outside-math',
    /(\\[A-Za-z]+) (?:is )?allowed only in math mode|^Package amsmath Error: (\\\S+) not allowed (?:here|outside)/,
    ({ match }) => ({
      summary: `${match[1] ?? match[2] ?? ''} works only in math.`,
      remedy: 'Put it between $ signs: $…$.',
    }),
  ],
  [
    'outside-math',
    /Command \\end\{(\S+?)\} invalid in math mode/,
    ({ match }) => ({
      summary: `A formula begins with "$" and is not closed before \\end{${match[1] ?? ''}}.`,
      remedy: 'Add the second "$", or write \\$ for the character itself.',
    }),
  ],
  [
    'outside-math',
    /Missing \$ inserted/,
    () => ({
      summary: 'A formula begins with "$" and is not closed before the end of its paragraph.',
      remedy: 'Add the second "$", or write \\$ for the character itself.',
    }),
    (diagnostic) => hasNote(diagnostic, OPEN_FORMULA_NOTE),
  ],
  ['outside-math', /Missing \$ inserted/, outsideMath],
  [
    // listings passes the bytes of a character one by one.
    'unicode-in-listing',
    /Invalid UTF-8 byte sequence \((?:.\\expandafter\)|.*\\lst@)/,
    () => ({
      summary: 'Listings can contain only ASCII characters if pdfLaTeX compiles the document.',
      remedy:
        'Compile with LuaLaTeX: % !TEX program = lualatex. Or define the character: \\lstset{literate={ö}{{\\"o}}1}.',
    }),
  ],
  [
    'invalid-encoding',
    /^(\S.*) is encoded in UTF-16, which (\S+)/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} is encoded in UTF-16 ("Unicode" on Windows), which ${match[2] ?? ''} cannot read.`,
      remedy: 'Save it as UTF-8 in your editor, or run: iconv -f UTF-16 -t UTF-8.',
    }),
  ],
  [
    'unicode-character',
    /Unicode character \S* ?\(U\+FFFD\)/,
    () => ({
      summary:
        'This line contains the replacement character (U+FFFD): the original character was lost when the file was converted.',
      remedy: 'Type the character again. If there are many, convert the original file to UTF-8 again.',
    }),
  ],
  [
    'unicode-character',
    /Invalid UTF-8 byte/,
    () => ({
      summary: 'A command took only part of a character as its argument.',
      remedy: 'Put the argument in ASCII braces: \\textbf{é}.',
    }),
    (diagnostic) => hasNote(diagnostic, SPLIT_CHARACTER_NOTE),
  ],
  [
    'invalid-encoding',
    /cannot be read in encoding|Invalid UTF-8 byte|contains an invalid utf-8 sequence|invalid UTF-8 byte|[Mm]alformed UTF-8/,
    ({ message }) => ({
      summary: 'The file is not valid UTF-8.',
      // Only LaTeX for pdfTeX supports other encodings.
      remedy: `Save it as UTF-8 in your editor.${message.startsWith('LaTeX Error: ') ? ' An older file in Latin-1 needs \\usepackage[latin1]{inputenc}.' : ''}`,
    }),
  ],
  ['unicode-character', /Unicode character (\S+) \((U\+[0-9A-F]+)\)/, unicodeCharacter],
  [
    'unicode-character',
    /^Text line contains an invalid character/,
    ({ context }) => ({
      summary: `This line contains an invisible control character${CONTROL.exec(context)?.[1] === undefined ? '' : ` (${CONTROL.exec(context)?.[1] ?? ''})`}, which TeX cannot read.`,
      remedy: 'Delete it: retype the text around it. If the file has many, it is not a text file, or is damaged.',
    }),
  ],
  [
    'missing-character',
    /^Missing character: There is no (.+?)(?: \((?:U\+|")[0-9A-F]+\))? in font ["[]?([^\]":/!]+)/,
    missingCharacter,
  ],
  [
    'wrong-mode',
    /^LaTeX Warning: Command (\\\S+) invalid in math mode/,
    ({ match }) => {
      const [sign, command] = TEXT_SIGNS.get(match[1] ?? '') ?? []
      return sign === undefined
        ? {
            summary: `${match[1] ?? ''} works only in text, not in a formula.`,
            remedy: 'Put the text into \\text{…}, with the package amsmath.',
          }
        : {
            summary: `The character "${sign}" works only in text, so it is wrong or missing in this formula.`,
            remedy: `Write ${command ?? ''} in the formula.`,
          }
    },
  ],
  [
    'wrong-mode',
    /^LaTeX Error: Command (\\[A-Za-z]+) invalid in math mode/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} works only in text, but TeX is reading a formula.`,
      remedy: 'Close the formula before it with "$", or put the text into \\text{…}, with the package amsmath.',
    }),
  ],
  [
    'undefined-citation',
    /Citation [`'](.+?)'.*undefined|Citation (?:key )?'(.+?)'.*(?:undefined|not found)|didn't find a database entry for "(.+?)"/,
    unknownCitation,
  ],
  ['undefined-reference', /(?:Reference|(Hyper) reference) [`'](.+?)'.* undefined/, unknownReference],
  [
    'multiply-defined-label',
    /Label [`'](.+?)' multiply defined/,
    ({ match }) => ({
      summary: `The label "${match[1] ?? ''}" is defined twice.`,
      remedy: 'Rename one of the two: references point to the last one.',
    }),
  ],
]

/** A control character as TeX prints it. */
const CONTROL = /^l\.\d+ .*(\^\^.)\s*$/m

function outsideMath({ context }: Finding): Explanation {
  // TeX breaks the line where it stopped: the symbol is the last character of the upper half.
  const upper = readUpperLine(context)?.trimEnd() ?? ''
  const isOpen = upper.replace(/\\.|\$\$/g, '').split('$').length % 2 === 0 && !TEXT_IN_FORMULA.test(upper)
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

/** Text in a formula, where TeX stopped in it or at its end: \mbox{a_b}. */
const TEXT_IN_FORMULA = /\\(?:[mf]box|text[a-z]*)\{[^{}$]*\}?$/

/** Characters that people paste into a source, with their commands in math. */
const SIGNS =
  '≤\\leq ≥\\geq ≠\\neq ≈\\approx ∈\\in ∉\\notin ∀\\forall ∃\\exists ∞\\infty →\\rightarrow ←\\leftarrow ⇒\\Rightarrow ⇔\\Leftrightarrow ↔\\leftrightarrow √\\sqrt{…} ∑\\sum ∏\\prod ∫\\int ∂\\partial ∇\\nabla ⊂\\subset ⊆\\subseteq ∪\\cup ∩\\cap ∅\\emptyset −- ℝ\\mathbb{R} ℕ\\mathbb{N} ℤ\\mathbb{Z} ℚ\\mathbb{Q} ℂ\\mathbb{C} α\\alpha β\\beta γ\\gamma δ\\delta ε\\varepsilon ζ\\zeta η\\eta θ\\theta κ\\kappa λ\\lambda μ\\mu ν\\nu ξ\\xi π\\pi ρ\\rho σ\\sigma τ\\tau φ\\varphi χ\\chi ψ\\psi ω\\omega Γ\\Gamma Δ\\Delta Θ\\Theta Λ\\Lambda Π\\Pi Σ\\Sigma Φ\\Phi Ψ\\Psi Ω\\Omega'

/** Commands of text that LaTeX has for a character: the character, and its command in math. */
const TEXT_SIGNS: ReadonlyMap<string, readonly [sign: string, command: string]> = new Map([
  ['\\texttimes', ['×', '\\times']],
  ['\\textdegree', ['°', '^\\circ']],
  ['\\textpm', ['±', '\\pm']],
  ['\\textdiv', ['÷', '\\div']],
  ['\\textmu', ['µ', '\\mu']],
  ['\\textperiodcentered', ['·', '\\cdot']],
  ['\\textlnot', ['¬', '\\neg']],
  ['\\textrightarrow', ['→', '\\rightarrow']],
  ['\\textleftarrow', ['←', '\\leftarrow']],
  ['\\textonesuperior', ['¹', '^1']],
  ['\\texttwosuperior', ['²', '^2']],
  ['\\textthreesuperior', ['³', '^3']],
])

const commandOfSign = new Map(SIGNS.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]))

function unicodeCharacter({ match }: Finding): Explanation {
  const [, sign = '', code = ''] = match
  const command = commandOfSign.get(sign)
  if (code.startsWith('U+04'))
    return {
      summary: `pdfLaTeX does not support the character "${sign}" (${code}).`,
      remedy: 'Load \\usepackage[T2A]{fontenc} for Cyrillic, or switch to LuaLaTeX: % !TEX program = lualatex.',
    }
  const plain = plainOf(sign)
  if (plain !== null)
    return {
      summary: `"${sign}" (${code}) looks like "${plain}", but TeX requires the ASCII character.`,
      remedy: `Replace it with ${plain}.`,
    }
  const script = scriptOf(code)
  if (script !== null)
    return {
      summary: `pdfLaTeX does not support the character "${sign}" (${code}).`,
      remedy: `For ${script[0]}, switch to LuaLaTeX, % !TEX program = lualatex, and load \\usepackage{${script[1]}}.`,
    }
  if (code.startsWith('U+1F'))
    return {
      summary: `pdfLaTeX does not support the character "${sign}" (${code}).`,
      remedy:
        'Remove it, or include it as an image. LuaLaTeX prints emoji if the document chooses a font that has them.',
    }
  if (/^U\+(?:00[01][0-9A-F]|007F|200[B-F]|202[A-E]|206[0-9]|FEFF)$/.test(code))
    return {
      summary: `This line contains an invisible character (${code}) that pdfLaTeX does not support.`,
      remedy: 'Delete it: retype the text around it.',
    }
  const write = command === undefined ? 'Write it as a command' : `Write $${command}$`
  return {
    summary: `pdfLaTeX does not support the character "${sign}" (${code}).`,
    remedy: `${write}, or switch to LuaLaTeX: % !TEX program = lualatex.`,
  }
}

/** The sign with a meaning for TeX that a wide character of East Asian input looks like; null for other characters. */
function plainOf(sign: string): string | null {
  const plain = sign.normalize('NFKC')
  return plain !== sign && /^[\\{}$%&#^_~[\]]$/.test(plain) ? plain : null
}

/** The language of a character of East Asia and its package; null for other characters. */
function scriptOf(code: string): readonly [language: string, name: string] | null {
  const value = Number.parseInt(code.slice(2), 16)
  if (value >= 0x3040 && value <= 0x30ff) return ['Japanese', 'luatexja']
  if (value >= 0xac00 && value <= 0xd7a3) return ['Korean', 'kotex']
  const isHan = value >= 0x4e00 && value <= 0x9fff
  const isPunctuation = (value >= 0x3000 && value <= 0x303f) || (value >= 0xff00 && value <= 0xffef)
  if (isHan || isPunctuation) return ['Chinese or Japanese', 'luatexja']
  return null
}

function missingCharacter({ match, message }: Finding): Explanation | null {
  const [, sign = '', font = ''] = match
  // pdfTeX prints a number of its font, of at most two digits, as if it were a character.
  if (/^[^\u0020-\u007E]$/.test(sign) && !/\((?:U\+|"[0-9A-F]{3,})|in font ["[]/.test(message))
    return {
      summary: `The font ${font} lacks a character of this text, so it is missing from the PDF.`,
      remedy: 'Write the character as a command. In a formula, use a math command such as \\times.',
    }
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
  if (knowledge.citations.size === 0)
    return {
      summary: `\\cite{${key}}: the document has no bibliography with entries.`,
      remedy: 'Name its file: \\bibliography{….bib}, or \\addbibresource{….bib} with biblatex.',
    }
  if (knowledge.citations.has(key))
    return {
      summary: `\\cite{${key}}: the entry exists, but is not in the bibliography of the document.`,
      remedy:
        'Fix the errors of the bibliography. If there are none, name the file of the entry in \\bibliography or \\addbibresource.',
    }
  const meant = closest(key, knowledge.citations)
  return {
    summary: `\\cite{${key}}: the bibliography has no entry with this key.`,
    remedy: meant === null ? 'Add the entry, or check the key.' : `Did you mean ${meant}?`,
  }
}

function unknownReference({ match, knowledge }: Finding): Explanation {
  const [, link, name = ''] = match
  const command = link === undefined ? `\\ref{${name}}` : `\\hyperref[${name}]`
  if (knowledge.labels.has(name))
    return {
      summary: `${command}: the \\label exists, but its number is not known.`,
      remedy:
        'Check that its file is included and that it is not in a comment. One pass alone does not resolve references.',
    }
  const meant = closest(name, knowledge.labels)
  return {
    summary: `${command}: no \\label has this name.`,
    remedy: meant === null ? 'Add the \\label, or check its name.' : `Did you mean ${meant}?`,
  }
}
