import type { Engine } from '../../src/base/types.ts'

/** A document that requires one missing name, and the Debian package that provides it. */
export interface RemedyCase {
  /** The missing name, as in the diagnostic. */
  readonly provides: string
  /** Expected Debian package, chosen by hand. */
  readonly debian: string
  readonly engine: Engine
  readonly source: string
  readonly files?: Readonly<Record<string, string>>
}

const document = (preamble: string, body = 'Text.', documentClass = 'article'): string =>
  `\\documentclass{${documentClass}}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`

const usePackage = (name: string, debian: string, body?: string): RemedyCase => ({
  provides: `${name}.sty`,
  debian,
  engine: 'pdflatex',
  source: document(`\\usepackage{${name}}`, body),
})

const useClass = (name: string, debian: string): RemedyCase => ({
  provides: `${name}.cls`,
  debian,
  engine: 'pdflatex',
  source: document('', 'Text.', name),
})

const useLanguage = (name: string, debian: string): RemedyCase => ({
  provides: `${name}.ldf`,
  debian,
  engine: 'pdflatex',
  source: document(`\\usepackage[${name}]{babel}`),
})

const useFont = (family: string, debian: string, engine: Engine = 'xelatex'): RemedyCase => ({
  provides: family,
  debian,
  engine,
  source: document(`\\usepackage{fontspec}\\setmainfont{${family}}`),
})

const useBibliographyStyle = (name: string, debian: string): RemedyCase => ({
  provides: `${name}.bst`,
  debian,
  engine: 'pdflatex',
  source: document('', `\\cite{a}\\bibliographystyle{${name}}\\bibliography{refs}`),
  files: { 'refs.bib': '@book{a, author = {Alice Ames}, title = {Tides}, publisher = {Press}, year = 2020}\n' },
})

/** Fonts and programs. Documents reach these errors only if their packages are installed. */
const fontsAndPrograms: readonly RemedyCase[] = [
  useFont('Andika', 'fonts-sil-andika'),
  useFont('Linux Libertine O', 'fonts-linuxlibertine'),
  useFont('Liberation Serif', 'fonts-liberation'),
  useFont('Charis SIL', 'fonts-sil-charis'),
  // luaotfload searches without the blanks, and says so.
  { ...useFont('Gentium Plus', 'fonts-sil-gentiumplus', 'lualatex'), provides: 'GentiumPlus' },
  {
    provides: 'biber',
    debian: 'biber',
    engine: 'pdflatex',
    source: document(
      '\\begin{filecontents}{b.bib}\n@book{a, title = {Tides}}\n\\end{filecontents}\n\\usepackage{biblatex}\\addbibresource{b.bib}',
      '\\cite{a}\\printbibliography',
    ),
  },
  {
    provides: 'xindy',
    debian: 'xindy',
    engine: 'pdflatex',
    source: document(
      '\\usepackage[xindy]{glossaries}\\makeglossaries\\newglossaryentry{a}{name=a,description={b}}',
      '\\gls{a}\\printglossaries',
    ),
  },
]

/** Packages, classes, languages, bibliography styles, encodings, pictures and TeX fonts. */
const files: readonly RemedyCase[] = [
  usePackage('siunitx', 'texlive-science', '\\qty{5}{m}'),
  usePackage('algorithm2e', 'texlive-science'),
  usePackage('mhchem', 'texlive-science', '\\ce{H2O}'),
  usePackage('skak', 'texlive-games'),
  usePackage('chessboard', 'texlive-games'),
  usePackage('sudoku', 'texlive-games'),
  usePackage('musixtex', 'texlive-music'),
  usePackage('guitar', 'texlive-music'),
  usePackage('songs', 'texlive-music'),
  usePackage('pstricks', 'texlive-pstricks'),
  usePackage('pst-plot', 'texlive-pstricks'),
  usePackage('pst-barcode', 'texlive-pstricks'),
  usePackage('gb4e', 'texlive-humanities'),
  usePackage('linguex', 'texlive-humanities'),
  usePackage('reledmac', 'texlive-humanities'),
  usePackage('todonotes', 'texlive-latex-extra', '\\todo{More}'),
  usePackage('cleveref', 'texlive-latex-extra'),
  usePackage('tikz', 'texlive-pictures', '\\tikz \\draw (0,0) -- (1,1);'),
  usePackage('pgfplots', 'texlive-pictures'),
  usePackage('biblatex', 'texlive-bibtex-extra'),
  usePackage('apacite', 'texlive-bibtex-extra'),
  usePackage('vntex', 'texlive-lang-other'),
  useClass('IEEEtran', 'texlive-publishers'),
  useClass('elsarticle', 'texlive-publishers'),
  useClass('llncs', 'texlive-publishers'),
  useClass('exam', 'texlive-latex-extra'),
  useLanguage('greek', 'texlive-lang-greek'),
  useLanguage('polish', 'texlive-lang-polish'),
  useLanguage('czech', 'texlive-lang-czechslovak'),
  useLanguage('spanish', 'texlive-lang-spanish'),
  useLanguage('italian', 'texlive-lang-italian'),
  useLanguage('swedish', 'texlive-lang-european'),
  useBibliographyStyle('IEEEtran', 'texlive-publishers'),
  useBibliographyStyle('plainyr', 'texlive-bibtex-extra'),
  {
    ...usePackage('fontenc', 'texlive-lang-cyrillic'),
    provides: 't2aenc.def',
    source: document('\\usepackage[T2A]{fontenc}'),
  },
  {
    ...usePackage('graphicx', 'texlive-latex-extra'),
    provides: 'example-image-a',
    source: document('\\usepackage{graphicx}', '\\includegraphics{example-image-a}'),
  },
  {
    ...usePackage('skak', 'texlive-games'),
    provides: 'skak10',
    source: document('\\font\\chess=skak10', '{\\chess Q}'),
  },
]

/** Cases from small packages of Debian 12; cases of one round run together. */
export const remedyRounds: readonly (readonly RemedyCase[])[] = [fontsAndPrograms, files]
