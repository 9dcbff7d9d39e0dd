/** A file that a document or compile may require, and the packages that provide it. */
export interface Provider {
  /** Name without folder, or `bin/NAME` for a program. */
  readonly name: string
  readonly debian: string
  /** TeX Live package; `-` if the path does not show it. */
  readonly texlive: string
}

/** Files that documents load, directly or through packages. */
const TEX_FILES =
  /\.(?:sty|cls|tex|def|ldf|lbx|bbx|cbx|dbx|bst|fd|clo|cfg|lua|enc|ltx|otf|ttf|ttc|ist|dict|xdy|fontspec|ini|rtx|mld|tfm|pfb|map)$|^example-.*\.(?:pdf|png|jpg)$/i
const FONT_FILES = /\.(?:otf|ttf|ttc)$/i
const FONT_PACKAGE = /^(?:fonts|ttf|otf|texlive|tex)-|^culmus|^lmodern$/

/** Programs of a compile that are not part of TeX Live. */
const PROGRAMS: ReadonlySet<string> = new Set(
  'biber xindy texindy gs epstopdf rsvg-convert inkscape gnuplot asy pygmentize pdftoppm pdftocairo pdfinfo pdftotext latexmk latexdiff bwrap prlimit git'.split(
    ' ',
  ),
)

/** Facts that the file lists do not contain: names created by update-alternatives, and preferred packages. */
const PROVIDERS: readonly Provider[] = [
  { name: 'bin/bibtex', debian: 'texlive-binaries', texlive: 'bibtex' },
  { name: 'bin/bib2gls', debian: 'texlive-bibtex-extra', texlive: 'bib2gls' },
  { name: 'bin/biber', debian: 'biber', texlive: 'biber' },
  { name: 'bin/lualatex', debian: 'texlive-luatex', texlive: 'collection-luatex' },
  { name: 'bin/makeglossaries', debian: 'texlive-latex-extra', texlive: 'glossaries' },
  { name: 'bin/makeindex', debian: 'texlive-binaries', texlive: 'makeindex' },
  { name: 'bin/pdflatex', debian: 'texlive-latex-recommended', texlive: 'collection-latexrecommended' },
  { name: 'bin/texindy', debian: 'xindy', texlive: 'xindy' },
  { name: 'bin/upmendex', debian: 'texlive-binaries', texlive: 'upmendex' },
  { name: 'bin/xelatex', debian: 'texlive-xetex', texlive: 'collection-xetex' },
  { name: 'bin/xindy', debian: 'xindy', texlive: 'xindy' },
]

/**
 * One provider for each name in a list of files as Debian and Ubuntu publish it (`PATH   SECTION/PACKAGE[,…]`), sorted.
 * Where several packages provide a name, the one whose file TeX would find comes first.
 */
export function chooseProviders(contents: readonly string[]): readonly Provider[] {
  const best = new Map<string, { readonly provider: Provider; readonly rank: string }>()
  for (const line of contents) {
    const gap = line.search(/\s+\S+$/)
    const path = line.slice(0, gap)
    for (const owner of line.slice(gap).trim().split(',')) {
      const provider = readProvider(path, owner.slice(owner.lastIndexOf('/') + 1))
      if (provider === null) continue
      const rank = rankOf(path, provider)
      const known = best.get(provider.name)
      if (known === undefined || rank < known.rank) best.set(provider.name, { provider, rank })
    }
  }
  const found = new Map([...best].map(([name, { provider }]) => [name, provider]))
  for (const provider of PROVIDERS) found.set(provider.name, provider)
  return [...found.values()].toSorted((left, right) => compare(keyOf(left), keyOf(right)))
}

function readProvider(path: string, debian: string): Provider | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  // The last one contains only links to fonts of other packages, under TeX Live names.
  if (/\s/.test(name) || /-(?:doc|dev|dbg|examples)$|^texlive-fonts-extra-links$/.test(debian)) return null
  if (path.startsWith('usr/bin/')) {
    const isProgram = PROGRAMS.has(name) || (debian.startsWith('texlive-') && /^[a-z]/.test(name))
    return isProgram ? { name: `bin/${name}`, debian, texlive: '-' } : null
  }
  if (path.startsWith('usr/share/fonts/')) {
    return FONT_FILES.test(name) && FONT_PACKAGE.test(debian) ? { name, debian, texlive: '-' } : null
  }
  const tree = /^usr\/share\/(?:texlive\/texmf-dist|texmf-dist|texmf)\/(tex|fonts|bibtex|makeindex|xindy)\/(.+)$/.exec(
    path,
  )
  if (tree === null || !TEX_FILES.test(name)) return null
  const [, root = '', rest = ''] = tree
  if (/^(?:context|texinfo|latex-dev)\//.test(rest)) return null
  const texlive = texlivePackage(root, rest.split('/').slice(0, -1))
  return mayBeUsersOwn(name, texlive) ? null : { name, debian, texlive }
}

/** `list.tex` and `sample.tex` are in TeX Live, but authors use these names for their own files. */
function mayBeUsersOwn(name: string, texlive: string): boolean {
  return name.endsWith('.tex') && !/\.code\.tex$|^pst/.test(name) && !name.includes(texlive)
}

/** TeX Live gives each package a folder of its name in every tree: `tex/latex/NAME`, `fonts/tfm/SUPPLIER/NAME`. */
function texlivePackage(root: string, folders: readonly string[]): string {
  const name = root === 'fonts' ? (folders[2] ?? folders[1]) : root === 'makeindex' ? folders[0] : folders[1]
  if (root === 'tex' && name === 'base' && folders[0] === 'latex') return 'latex'
  return name ?? '-'
}

/** Smaller is better. */
function rankOf(path: string, { name, debian }: Provider): string {
  const isSystemFont = FONT_FILES.test(name) && path.startsWith('usr/share/fonts/')
  return [
    // XeTeX finds fonts by family name only if fontconfig lists them.
    isSystemFont ? 0 : 1,
    /^(?:fonts|texlive)-/.test(debian) ? 0 : 1,
    /\/(?:tex\/latex|tex\/generic|bibtex\/bst)\//.test(path) ? 0 : 1,
    debian,
  ].join(' ')
}

function keyOf({ debian, texlive, name }: Provider): string {
  return `${debian} ${texlive} ${name}`
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
