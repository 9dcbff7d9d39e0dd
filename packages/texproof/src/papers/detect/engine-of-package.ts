/**
 * Packages and classes that only one engine can run.
 *
 * TeX Live keeps them in folders of their engine: the names come from `tex/xelatex`, `tex/lualatex` and `tex/luatex`
 * that a document loads itself, without packages that test which engine runs, and from `tex/latex`, as far as they load
 * fontspec and test nothing. `fontspec` and similar packages run in two engines, of which XeLaTeX is faster. `markdown` runs in
 * all, but only LuaTeX converts the text without a shell.
 */
import type { ProjectEngine } from '@texproof/platex'

import type { PackageUse } from './scan-tex-source.ts'

/** Families of packages, by the beginning of their names. */
const FAMILIES: readonly (readonly [RegExp, ProjectEngine])[] = [
  // These two do nothing in other engines.
  [/^lua(?!tex85$|inputenc$)/, 'lualatex'],
  [/^(?:ltj|lltj)/, 'lualatex'],
  [/^(?:bidi|xepersian|xeCJK|xunicode|zxja)/, 'xelatex'],
  // Their drawings are PostScript, which the driver of XeTeX can convert and pdfTeX cannot.
  [/^(?:pstricks|pst-|auto-pst-pdf$)/, 'xelatex'],
]

const NAMES: readonly (readonly [ProjectEngine, string])[] = [
  [
    'lualatex',
    `addliga arabluatex autopuncitems barracuda beamer-rl chickenize cloze combofont ctablestack datestamp ekdosis emoji
    emojicite gregoriosyms gregoriotex hmtrump hu-berlin-letter innerscript interpreter japanese-mathformulas letgut
    linebreaker lyluatex markdown nodetree novel odsfile pdfArticle penlight piton placeat plantuml pyluatex scikgtex
    selnolig semesterplanner simurgh stricttex truthtable tsvtemplate typewriter uninormalize unitconv wallcalendar
    yamlvars auto-pst-pdf-lua enigma lutabulartools`,
  ],
  [
    'xelatex',
    `arabxetex xltxtra mathspec xecyr ctex ctexart ctexbook ctexrep ctexbeamer exam-zh BHCexam arabic-book buctthesis
    businesscard-qrcode cqubeamer facture facture-belge-simple-sans-tva fixlatvian fontbook fontwrap hfutthesis hithesis
    imsproc interchar kurdishlipsum langscibook mynsfc na-box na-position nanicolle philokalia ptext quran-de resumecls
    sexam simpleresumecv simplethesisdissertation tabriz-thesis technionThesis tetragonos thesis-qom ucharclasses unisugar
    wexam xdupgthesis xduugthesis xduugtp xechangebar xecolor xeindex xesearch xespotcolor xetexko xevlna yazd-thesis
    zbMATH zhfont zhulem zitie fontspec unicode-math polyglossia mathfont aboensis akshar bangla bitart bitbook bitgrad
    bithesis book-of-common-prayer bookshelf brandeis-problemset ctexcap cv4tw easybase easybook fontmfizz fontsetup
    gfsneohellenicot helmholtz-ellis-ji-notation iffont lexend missaali modeles-factures-belges-associations qyxf-book
    realscripts symbats3 thaispec tipauni typicons ukbill unicodefonttable univie-ling-expose univie-ling-handout
    univie-ling-paper univie-ling-thesis uwa-letterhead uwa-pcf uwa-pif xduthesis`,
  ],
  // Slides that draw with PostScript.
  ['latex', 'powerdot prosper'],
  ['platex', 'jsarticle jsbook jsreport jspf kiyou jarticle jbook jreport tarticle tbook treport'],
  ['uplatex', 'ujarticle ujbook ujreport utarticle utbook utreport'],
]

const ENGINE_OF_NAME: ReadonlyMap<string, ProjectEngine> = new Map(
  NAMES.flatMap(([engine, names]) => names.split(/\s+/).map((name): [string, ProjectEngine] => [name, engine])),
)

/** Classes that run in several engines, of which an option selects one. */
const CLASSES_WITH_OPTION: ReadonlyMap<string, ProjectEngine | undefined> = new Map([
  ['jlreq', 'lualatex'],
  ...['bxjsarticle', 'bxjsbook', 'bxjsreport', 'bxjsslide'].map((name): [string, undefined] => [name, undefined]),
])

/** The engine that a package or class requires, as far as its name and options say. */
export function findEngineOfPackage({ name, options }: PackageUse): ProjectEngine | undefined {
  const words = options.split(',')
  if (CLASSES_WITH_OPTION.has(name)) {
    const selected = (['uplatex', 'platex', 'lualatex', 'xelatex', 'pdflatex'] as const).find((one) =>
      words.includes(one),
    )
    const isDvi = words.some((word) => /^(?:dvi=)?dvipdfmx$/.test(word))
    return selected ?? (isDvi ? 'uplatex' : CLASSES_WITH_OPTION.get(name))
  }
  const known = ENGINE_OF_NAME.get(name)
  if (known === 'platex' && words.includes('uplatex')) return 'uplatex'
  return known ?? FAMILIES.find(([pattern]) => pattern.test(name))?.[1]
}
