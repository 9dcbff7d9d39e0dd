/** Commands of LaTeX that people type by hand: suggestions for misspelled ones. */
export const latexCommands: readonly string[] = words(`
  \\author \\title \\date \\maketitle \\thanks \\and \\tableofcontents \\listoffigures \\listoftables \\appendix
  \\part \\chapter \\section \\subsection \\subsubsection \\paragraph \\subparagraph
  \\textbf \\textit \\textsl \\textsc \\texttt \\textsf \\textrm \\textmd \\textup \\emph \\underline
  \\tiny \\scriptsize \\footnotesize \\small \\normalsize \\large \\Large \\LARGE \\huge \\Huge
  \\bfseries \\itshape \\ttfamily \\sffamily \\rmfamily \\scshape \\centering \\raggedright \\raggedleft
  \\label \\ref \\pageref \\cite \\nocite \\bibliography \\bibliographystyle \\bibitem \\footnote \\footnotemark
  \\footnotetext \\caption \\includegraphics \\input \\include \\includeonly \\item \\newline \\linebreak \\newpage
  \\clearpage \\cleardoublepage \\pagebreak \\noindent \\indent \\hspace \\vspace \\hfill \\vfill \\quad \\qquad
  \\usepackage \\documentclass \\newcommand \\renewcommand \\providecommand \\newenvironment \\renewenvironment
  \\newtheorem \\newcounter \\setcounter \\addtocounter \\setlength \\addtolength \\newlength \\pagestyle
  \\thispagestyle \\pagenumbering \\textwidth \\textheight \\linewidth \\columnwidth \\parindent \\parskip
  \\multicolumn \\hline \\cline \\toprule \\midrule \\bottomrule \\cmidrule \\multirow \\raisebox \\mbox \\fbox \\parbox
  \\minipage \\rule \\verb \\today \\LaTeX \\TeX \\dots \\ldots \\cdots \\vdots \\ddots
  \\frac \\sqrt \\sum \\prod \\int \\lim \\infty \\partial \\nabla \\left \\right \\big \\Big \\bigg \\Bigg \\begin \\end
  \\alpha \\beta \\gamma \\delta \\epsilon \\varepsilon \\zeta \\eta \\theta \\vartheta \\iota \\kappa \\lambda \\mu \\nu
  \\xi \\pi \\rho \\sigma \\tau \\upsilon \\phi \\varphi \\chi \\psi \\omega \\Gamma \\Delta \\Theta \\Lambda \\Xi \\Pi
  \\Sigma \\Phi \\Psi \\Omega \\leq \\geq \\neq \\approx \\equiv \\sim \\simeq \\propto \\times \\cdot \\div \\pm \\mp
  \\rightarrow \\leftarrow \\Rightarrow \\Leftarrow \\leftrightarrow \\mapsto \\forall \\exists \\subset \\subseteq
  \\cup \\cap \\setminus \\langle \\rangle \\lfloor \\rfloor \\lceil \\rceil \\overline \\hat \\bar \\tilde \\vec \\dot
  \\mathbf \\mathrm \\mathit \\mathcal \\mathsf \\mathtt \\sin \\cos \\tan \\exp \\log \\max \\min \\sup \\inf \\det
`)

/** Environments of LaTeX itself and of the packages that nearly every paper loads. */
export const latexEnvironments: readonly string[] = words(`
  document abstract itemize enumerate description quote quotation verse center flushleft flushright verbatim tabular
  table figure equation eqnarray array displaymath math minipage thebibliography titlepage picture tabbing
  align gather multline split cases matrix pmatrix bmatrix vmatrix proof theorem lemma frame columns column block
  tikzpicture axis longtable tabularx lstlisting algorithm algorithmic subfigure wrapfigure landscape appendices
`)

/** Commands that only beamer defines: its class, and its package beamerarticle. */
export const beamerCommands: ReadonlySet<string> = new Set(
  words(`
  \\frametitle \\framesubtitle \\usetheme \\usecolortheme \\usefonttheme \\setbeamertemplate \\setbeamercolor
  \\setbeamerfont \\AtBeginSection \\only \\onslide \\uncover \\visible \\invisible \\pause \\alert \\setbeamercovered \\titlegraphic
`),
)

/** Themes and color themes of beamer: suggestions for misspelled names. */
export const beamerThemes: readonly string[] = words(`
  default AnnArbor Antibes Bergen Berkeley Berlin Boadilla CambridgeUS Copenhagen Darmstadt Dresden EastLansing Frankfurt
  Goettingen Hannover Ilmenau JuanLesPins Luebeck Madrid Malmoe Marburg Montpellier PaloAlto Pittsburgh Rochester
  Singapore Szeged Warsaw metropolis albatross beaver beetle crane dolphin dove fly lily monarca orchid rose seagull
  seahorse sidebartab spruce structure whale wolverine professionalfonts serif structurebold structureitalicserif
  structuresmallcapsserif infolines miniframes shadow sidebar smoothbars smoothtree split tree inmargin rectangles
  rounded
`)

/** Units of siunitx: suggestions for misspelled ones. */
export const siunitxUnits: readonly string[] = words(`
  \\metre \\meter \\second \\kilogram \\gram \\ampere \\kelvin \\mole \\candela \\hertz \\newton \\pascal \\joule \\watt
  \\coulomb \\volt \\farad \\ohm \\siemens \\weber \\tesla \\henry \\lumen \\lux \\becquerel \\gray \\sievert \\katal
  \\radian \\steradian \\degreeCelsius \\celsius \\minute \\hour \\day \\degree \\litre \\liter \\tonne \\electronvolt
  \\hectare \\bar \\percent \\decibel \\per \\square \\cubic \\squared \\cubed \\kilo \\mega \\giga \\tera \\milli \\micro
  \\nano \\pico \\femto \\centi \\deci \\hecto
`)

/** Common packages: suggestions for misspelled names. */
export const packageNames: readonly string[] = words(`
  amsmath amssymb amsthm amsfonts mathtools graphicx graphics xcolor color hyperref url cleveref booktabs tabularx
  longtable multirow array siunitx natbib biblatex cite tikz pgfplots listings minted algorithm algorithmic algorithm2e
  algpseudocode geometry fancyhdr setspace titlesec enumitem caption subcaption subfig float wrapfig placeins csquotes
  babel polyglossia fontspec inputenc fontenc lmodern microtype lipsum blindtext todonotes glossaries acronym nomencl
  makeidx imakeidx appendix parskip soul ulem xspace bm cancel physics mhchem chemformula pdfpages verbatim fancyvrb
  etoolbox ifthen calc textcomp gensymb lineno authblk epstopdf pdflscape rotating tocloft titling bookmark nicefrac
  units standalone import subfiles datetime2 tcolorbox mdframed framed multicol paracol footmisc endnotes comment
  xparse changes latexsym stmaryrd dsfont mathrsfs braket upgreek eurosym marvosym pifont fontawesome5 circuitikz
`)

/** Common classes and styles of BibTeX: suggestions for misspelled names. */
export const classNames: readonly string[] = words(`
  article report book letter beamer memoir scrartcl scrreprt scrbook scrlttr2 amsart amsbook standalone exam llncs
  IEEEtran acmart elsarticle revtex4-2 moderncv tufte-book tufte-handout ctexart ltjsarticle extarticle minimal slides
`)
export const bibliographyStyles: readonly string[] = words(`
  plain unsrt alpha abbrv plainnat unsrtnat abbrvnat IEEEtran ieeetr apalike apacite acm siam amsplain chicago agsm
  splncs04 elsarticle-num elsarticle-harv apsrev4-2 ACM-Reference-Format
`)

/** Options of common packages that people type by hand: suggestions for misspelled ones. */
export const optionNames: readonly string[] = words(`
  width height scale angle trim viewport clip page keepaspectratio margin left right top bottom includeheadfoot
  paperwidth paperheight textwidth textheight label leftmargin itemsep topsep parsep labelsep start resume
  language caption basicstyle keywordstyle commentstyle stringstyle numbers numberstyle breaklines frame captionpos
  tabsize showstringspaces backgroundcolor colorlinks linkcolor citecolor urlcolor pdftitle pdfauthor hidelinks
  style sorting backend maxnames minnames maxbibnames maxcitenames giveninits doi isbn url natbib hyperref backref
  xlabel ylabel zlabel xmin xmax ymin ymax legend title domain samples grid color mark thick dashed dotted draw fill
  anchor above below minimum align rotate inner opacity bend shift
  autoplay loop controls poster palindrome step activate addresource flashvars
  description plural symbol Ligatures BoldFont ItalicFont UprightFont Extension linecolor
`)

/** Styles of biblatex: suggestions for misspelled names. */
export const biblatexStyles: readonly string[] = words(`
  numeric numeric-comp numeric-verb alphabetic alphabetic-verb authoryear authoryear-comp authoryear-ibid authortitle
  authortitle-comp authortitle-ibid verbose verbose-ibid verbose-note reading draft debug ieee apa mla chem-acs nature
  science phys chicago-authordate chicago-notes
`)

/** Options of biblatex that accept only certain values. */
export const biblatexValues: ReadonlyMap<string, string> = new Map([
  ['backend', 'biber, bibtex or bibtex8'],
  ['sorting', 'nty, nyt, nyvt, anyt, anyvt, ynt, ydnt or none'],
  ['hyperref', 'true, false or auto'],
  ['backrefstyle', 'none, three, two, two+, three+ or all+'],
  ['autocite', 'plain, inline, footnote or superscript'],
  ['block', 'none, space, par, nbpar or ragged'],
  ['refsection', 'none, part, chapter, section or subsection'],
  ['abbreviate', 'true or false'],
])

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** Commands and environments that common document classes define: suggestions for misspelled ones. */
const NAMES_OF_CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    beamer:
      'frame block alertblock exampleblock columns column overlayarea semiverbatim \\frametitle \\framesubtitle \\usetheme \\usecolortheme \\usefonttheme \\useinnertheme \\useoutertheme \\setbeamertemplate \\setbeamercolor \\setbeamerfont \\setbeamercovered \\AtBeginSection \\AtBeginSubsection \\onslide \\uncover \\visible \\invisible \\pause \\alert \\institute \\subtitle \\titlegraphic \\titlepage \\insertframenumber \\inserttotalframenumber \\hyperlink \\beamerbutton',
    ieeetran:
      'IEEEkeywords IEEEbiography IEEEbiographynophoto IEEEproof IEEEeqnarray \\IEEEauthorblockN \\IEEEauthorblockA \\IEEEauthorrefmark \\IEEEmembership \\IEEEcompsocthanksitem \\IEEEpeerreviewmaketitle \\IEEEraisesectionheading \\IEEEPARstart \\IEEEpubid \\IEEEoverridecommandlockouts',
    acmart:
      'CCSXML acks teaserfigure sidebar marginfigure margintable \\affiliation \\institution \\department \\streetaddress \\city \\state \\country \\postcode \\email \\orcid \\authornote \\authornotemark \\titlenote \\ccsdesc \\keywords \\received \\setcopyright \\copyrightyear \\acmYear \\acmDOI \\acmISBN \\acmConference \\acmBooktitle \\acmPrice \\acmSubmissionID \\acmJournal \\acmVolume \\acmNumber \\acmArticle \\acmMonth \\citestyle \\settopmatter \\shortauthors',
    elsarticle:
      'frontmatter keyword highlights graphicalabstract \\address \\affiliation \\ead \\corref \\cortext \\fnref \\fntext \\tnoteref \\tnotetext \\journal \\biboptions',
    llncs:
      'corollary definition example exercise lemma proof proposition remark theorem \\institute \\inst \\email \\orcidID \\authorrunning \\titlerunning \\keywords \\subtitle \\fnmsep',
    revtex:
      'acknowledgments widetext ruledtabular turnpage \\affiliation \\altaffiliation \\collaboration \\email \\homepage \\preprint \\pacs \\keywords \\onlinecite \\noaffiliation',
    amsart: 'proof \\address \\curraddr \\email \\urladdr \\subjclass \\keywords \\dedicatory \\translator \\commby',
    mnras: 'keywords \\pubyear \\newauthor',
    exam: 'questions parts subparts choices oneparchoices checkboxes solution solutionorbox solutionorlines \\question \\part \\subpart \\choice \\CorrectChoice \\titledquestion \\bonusquestion \\fillin \\fillwithlines \\fillwithdottedlines \\makeemptybox \\gradetable \\printanswers \\noprintanswers \\numquestions \\numpoints \\pointsinmargin \\runningheader \\runningfooter \\firstpageheader \\firstpagefooter \\addpoints \\uplevel \\fullwidth',
    letter:
      'letter \\address \\signature \\opening \\closing \\encl \\cc \\ps \\name \\telephone \\location \\fromname \\fromaddress \\toname \\toaddress \\makelabels',
    scrlttr2:
      'letter \\opening \\closing \\encl \\cc \\ps \\setkomavar \\usekomavar \\setkomafont \\KOMAoptions \\LoadLetterOption \\fromname \\fromsig \\signature \\makelabels',
    moderncv:
      '\\moderncvstyle \\moderncvcolor \\name \\title \\address \\phone \\email \\homepage \\social \\extrainfo \\photo \\quote \\makecvtitle \\cventry \\cvitem \\cvitemwithcomment \\cvdoubleitem \\cvlistitem \\cvlistdoubleitem \\cvcolumn \\cvcolumns \\recipient \\opening \\closing \\enclosure \\makelettertitle \\makeletterclosing',
    koma: '\\KOMAoptions \\setkomafont \\addtokomafont \\usekomafont \\addchap \\addsec \\addpart \\subtitle \\titlehead \\subject \\publishers \\dedication \\extratitle \\uppertitleback \\lowertitleback \\minisec \\captionabove \\captionbelow \\frontmatter \\mainmatter \\backmatter \\marginline \\deffootnote',
    memoir:
      '\\frontmatter \\mainmatter \\backmatter \\chapterstyle \\setsecnumdepth \\settocdepth \\maxsecnumdepth \\midsloppy \\makepagestyle \\makeoddhead \\makeevenhead \\makeoddfoot \\makeevenfoot \\aliaspagestyle \\setlrmarginsandblock \\setulmarginsandblock \\checkandfixthelayout \\tightlists \\pagenote \\epigraph \\newsubfloat \\subcaption \\legend \\DoubleSpacing \\OnehalfSpacing \\SingleSpacing',
    book: '\\frontmatter \\mainmatter \\backmatter',
  }),
)

/** Classes that have the names of another class. */
const SIMILAR_CLASSES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^revtex4/, 'revtex'],
  [/^ams(?:art|book|proc)$/, 'amsart'],
  [/^scr(?:artcl|reprt|book)$/, 'koma'],
]

/** Names that a class defines; commands begin with a backslash. */
export function namesOfClass(name: string): readonly string[] {
  const wanted = name.toLowerCase()
  const key = SIMILAR_CLASSES.find(([pattern]) => pattern.test(wanted))?.[1] ?? wanted
  return NAMES_OF_CLASSES.get(key)?.split(' ') ?? []
}
