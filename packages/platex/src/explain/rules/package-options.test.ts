import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LatexError, LatexWarning } from '../../base/types.ts'
import { explainDiagnostic } from '../explain-diagnostic.ts'
import { gatherKnowledge } from '../gather-knowledge.ts'

function error(message: string, context: string | null = null): LatexError {
  return { type: 'error', file: 'main.tex', line: 3, message, context, source: 'latex' }
}

function warning(message: string): LatexWarning {
  return { type: 'warning', code: 'other', file: 'refs.bib', line: 3, message }
}

const cases: readonly (readonly [LatexError | LatexWarning, summary: string, remedy: string])[] = [
  [
    error("Package xcolor Error: Undefined color model `hex'."),
    'xcolor has no color model "hex".',
    'Use HTML, RGB, rgb, cmyk or gray: \\definecolor{name}{HTML}{FF0000}.',
  ],
  [
    error('Illegal parameter number in definition of \\XC@@tmp.'),
    'A color starts with "#", as in HTML. LaTeX does not support this.',
    'Write its six digits after [HTML]: \\textcolor[HTML]{FF0000}{…}.',
  ],
  [
    error("Package color Error: Argument `255' not in range [0,1]."),
    '"255" is not a number from 0 to 1, the values of this color model.',
    'Numbers from 0 to 255 belong to the model RGB, in capital letters; the model rgb takes numbers from 0 to 1.',
  ],
  [
    error("Package acro Error: You forgot to set the mandatory property `long' for acronym `cpu' on line 3"),
    'The acronym "cpu" has no long.',
    'Add it: long = ….',
  ],
  [
    error("Package scrbase Error: unknown option `fontsze=12pt'."),
    'KOMA-Script has no option "fontsze".',
    'Check its name and value in the documentation of KOMA-Script.',
  ],
  [
    error("Package xkeyval Error: `descripton' undefined in families `glossentry'."),
    '"descripton" is not an option here.',
    'Did you mean description?',
  ],
  [
    error("LaTeX Error: The key 'fontspec-opentype/Ligature' is unknown and is being ignored."),
    '"Ligature" is not an option here.',
    'Did you mean Ligatures?',
  ],
  [
    error("Package kvsetkeys Error: Undefined key `linecolr'."),
    '"linecolr" is not an option here.',
    'Did you mean linecolor?',
  ],
  [
    error("Class scrartcl Error: undefined old font command `\\bf'."),
    'scrartcl no longer supports the old command \\bf.',
    'Write \\textbf{…} or \\bfseries.',
  ],
  [
    error('Class memoir Error: Font command \\rm is not supported.'),
    'memoir no longer supports the old command \\rm.',
    'Write \\textrm{…} or \\rmfamily, in a formula \\mathrm{…}.',
  ],
  [
    error('Class tufte-book Error: \\subsubsectionis undefined by this class.'),
    'tufte-book does not have \\subsubsection.',
    'Use \\section, \\subsection or \\paragraph.',
  ],
  [
    error("Package amsmath Error: \\begin{split} won't work here."),
    'The environment "split" works only inside a formula.',
    'Put it into one: \\begin{equation} \\begin{split} … \\end{split} \\end{equation}.',
  ],
  [
    error('Missing number, treated as zero.', '<to be read again> \n        \\ALG@b@2@EndFor@0 \nl.7 \\EndFor'),
    '\\EndFor does not end the block that is open here.',
    'Write the end of the innermost block: \\EndIf, \\EndFor, \\EndWhile or \\EndFunction.',
  ],
  [
    error('Missing number, treated as zero.', 'l.7 \\hspace{x'),
    'A number or a length is missing here.',
    'Write one: 2cm, 12pt, 1em.',
  ],
  [
    error(
      "LaTeX Error: Command `\\Bbbk' already defined.",
      'TeX reported it at amssymb.sty:261.\nl.261 \\DeclareMathSymbol{\\Bbbk}           {\\mathord}{AMSb}{"7C}',
    ),
    'A package or class that this line loads defines \\Bbbk, which is already defined.',
    'Two packages, or the class and a package, define the same command: remove one of them, if the other provides what you need.',
  ],
  [
    error('LaTeX Error: Command \\vec already defined.', 'l.3 \\newcommand{\\vec}{x}'),
    '\\vec is already defined.',
    'Use \\renewcommand to replace it, or choose another name.',
  ],
  [
    error('LaTeX Error: Command \\c@g@acro@cpu@int already defined.'),
    'The acronym "cpu" is defined twice.',
    'Remove one of the two, or change its identifier.',
  ],
  [
    error('Illegal parameter number in definition of \\foo code.', 'l.3 \\NewDocumentCommand{\\foo}{m}{#1 #2}'),
    'The definition of \\foo uses #2, an argument that it does not have.',
    'Describe each argument: \\NewDocumentCommand{\\foo}{m m}{…}. In a definition inside a definition, write ##1.',
  ],
  [
    error('Undefined control sequence: \\PSTricks'),
    'pstricks draws with PostScript, which the engine that compiles the document cannot read.',
    'Compile with LaTeX and dvips, % !TEX program = latex, or with XeLaTeX: % !TEX program = xelatex.',
  ],
  [
    error('Undefined control sequence: \\metre', 'l.3 \\SI{5}{\\metre\n                  }'),
    '\\metre is not defined.',
    'Load the package of units: \\usepackage{siunitx}.',
  ],
  [
    error('Undefined control sequence: \\STATE'),
    '\\STATE is not defined.',
    'Load its package: \\usepackage{algorithmic}.',
  ],
  [
    error('Critical Package xeCJK Error: The xeCJK package requires XeTeX to function.'),
    'The package xeCJK works only with XeLaTeX.',
    'Compile with XeLaTeX: % !TEX program = xelatex.',
  ],
  [
    warning('BibTeX: string name "acm" is undefined'),
    '"acm" is neither in braces nor an abbreviation, so it is missing from the bibliography.',
    'Put text in braces: {…}. Months are abbreviations without braces: jan, feb, mar.',
  ],
  [
    warning('BibTeX: entry type for "a" isn\'t style-file defined'),
    'The bibliography style does not support the type of the entry "a".',
    'Check the word after "@": @article, @book, @inproceedings, @misc. Other types require biblatex.',
  ],
  [
    error(
      'Missing } inserted.',
      'Here "%" begins a comment that contains the missing "}".\nl.8 \\end{thebibliography}',
    ),
    '"%" begins a comment, which hides the "}" at the end of the argument.',
    'Write \\% for the character itself.',
  ],
]

test('explainDiagnostic() names the language that polyglossia has not loaded', () => {
  const source = Buffer.from('\\usepackage{polyglossia}')
  const knowledge = gatherKnowledge(new Map([['main.tex', source]]))
  assert.deepEqual(explainDiagnostic(error('Undefined control sequence: \\textfrench'), knowledge), {
    summary: '\\textfrench is not defined.',
    remedy: 'Load the language in the preamble: \\setotherlanguage{french}.',
  })
})

for (const [diagnostic, summary, remedy] of cases)
  test(`explainDiagnostic() explains "${diagnostic.message.slice(0, 70)}" by ${summary}`, () => {
    assert.deepEqual(explainDiagnostic(diagnostic), { summary, remedy })
  })
