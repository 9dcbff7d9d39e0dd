// The system packages that Texproof requires, each with its reason.
//
// A package with programs, files or TeX files is present if all of them are found. A package with a profile is installed
// only together with TeX, or if the profile is requested: an existing TeX installation is never extended without a
// request (`texproof doctor` shows its contents).
//
// The names are from Debian 12 and 13 and Ubuntu 22.04 and 24.04. Names that a release does not have are skipped.

/**
 * @typedef {object} HostPackage
 * @property {string} name Name of the Debian package.
 * @property {string} reason Shown to the user.
 * @property {readonly string[]} [programs] Names on PATH; `a|b` means either.
 * @property {readonly string[]} [texFiles] Files that `kpsewhich` must find.
 * @property {readonly string[]} [files] Absolute paths.
 * @property {Profile} [profile] The smallest profile that contains it.
 * @property {true} [optional] Required only by some tests, which are skipped without it.
 */

/** @typedef {'small' | 'full'} Profile */

/**
 * The TeX installations that Texproof offers. `full` is the default: a host does not know its future documents, and a
 * missing package fails a build. Sizes are for Debian 12 without TeX.
 *
 * @type {Readonly<Record<Profile, { readonly downloadMb: number, readonly diskMb: number }>>}
 */
export const profiles = {
  small: { downloadMb: 600, diskMb: 1400 },
  full: { downloadMb: 1900, diskMb: 4400 },
}

/** @type {readonly HostPackage[]} */
export const runPackages = [
  { name: 'git', reason: 'repositories, clone and push', programs: ['git'] },
  { name: 'bubblewrap', reason: 'the sandbox around every compile', programs: ['bwrap'] },
  { name: 'util-linux', reason: 'memory and process limits', programs: ['prlimit', 'setpriv'] },
  {
    name: 'libjemalloc2',
    reason: 'returns the memory of large requests to the system',
    files: ['/usr/lib/x86_64-linux-gnu/libjemalloc.so.2|/usr/lib/aarch64-linux-gnu/libjemalloc.so.2'],
  },
  { name: 'curl', reason: 'the examples of the README', programs: ['curl'] },
  { name: 'poppler-utils', reason: 'pages and text of a PDF', programs: ['pdfinfo', 'pdftotext', 'pdftoppm'] },
  {
    name: 'texlive-latex-base',
    reason: 'LaTeX, pdfLaTeX, BibTeX',
    programs: ['pdflatex', 'bibtex', 'makeindex'],
    texFiles: ['article.cls'],
  },
  { name: 'texlive-xetex', reason: 'XeLaTeX', programs: ['xelatex', 'xdvipdfmx'], texFiles: ['xltxtra.sty'] },
  { name: 'texlive-luatex', reason: 'LuaLaTeX', programs: ['lualatex'], texFiles: ['luaotfload.sty'] },
  { name: 'biber', reason: 'bibliographies of biblatex', programs: ['biber'] },
  { name: 'texlive-bibtex-extra', reason: 'biblatex and bibliography styles', texFiles: ['biblatex.sty'] },
  {
    name: 'texlive-latex-recommended',
    reason: 'KOMA-Script, memoir, beamer',
    texFiles: ['scrartcl.cls', 'beamer.cls', 'fontspec.sty'],
  },
  { name: 'texlive-latex-extra', reason: 'the packages that papers load', texFiles: ['todonotes.sty', 'cleveref.sty'] },
  { name: 'texlive-pictures', reason: 'TikZ and pgfplots', texFiles: ['tikz.sty', 'pgfplots.sty'] },
  { name: 'texlive-science', reason: 'siunitx, algorithms', texFiles: ['siunitx.sty', 'algorithm2e.sty'] },
  { name: 'texlive-fonts-recommended', reason: 'Times, Palatino, Helvetica', texFiles: ['ptmr7t.tfm'] },
  { name: 'lmodern', reason: 'Latin Modern, the outlines of the default fonts', texFiles: ['lmodern.sty'] },
  { name: 'cm-super', reason: 'outline fonts for T1 text, instead of bitmaps', texFiles: ['sfrm1000.pfb'] },
  { name: 'texlive-plain-generic', reason: 'ulem, iftex and friends', texFiles: ['ulem.sty'] },
  { name: 'ghostscript', reason: 'EPS figures', programs: ['gs'] },
  { name: 'librsvg2-bin', reason: 'SVG figures', programs: ['rsvg-convert'] },
  { name: 'libtiff-tools', reason: 'TIFF figures as images', programs: ['tiff2pdf'] },
  { name: 'xindy', reason: 'indexes in other alphabets', programs: ['xindy'] },
  { name: 'texlive-publishers', reason: 'classes of IEEE, ACM, APS, Elsevier, Springer', profile: 'small' },
  { name: 'tex-gyre', reason: 'the classic text fonts, for pdfLaTeX', profile: 'small' },
  { name: 'fonts-texgyre', reason: 'the classic text fonts, for XeLaTeX and LuaLaTeX', profile: 'small' },
  { name: 'fonts-lmodern', reason: 'Latin Modern for XeLaTeX and LuaLaTeX', profile: 'small' },
  { name: 'tipa', reason: 'phonetic alphabet', profile: 'small' },
  { name: 'preview-latex-style', reason: 'formulas and figures on pages of their own', profile: 'small' },
  { name: 'texlive-lang-english', reason: 'British hyphenation (180 MB)', profile: 'full' },
  { name: 'texlive-lang-french', reason: 'French', profile: 'small' },
  { name: 'texlive-lang-german', reason: 'German', profile: 'small' },
  { name: 'texlive-lang-italian', reason: 'Italian', profile: 'small' },
  { name: 'texlive-lang-portuguese', reason: 'Portuguese', profile: 'small' },
  { name: 'texlive-lang-spanish', reason: 'Spanish, Catalan', profile: 'small' },
  { name: 'texlive-metapost', reason: 'MetaPost figures under LuaLaTeX', profile: 'full' },
  { name: 'texlive-font-utils', reason: 'conversion of EPS and of fonts', profile: 'full' },
  { name: 'texlive-fonts-extra', reason: 'Libertine, newtx, newpx: used by ACM and many theses', profile: 'full' },
  { name: 'texlive-fonts-extra-links', reason: 'fonts of the system under the names of TeX Live', profile: 'full' },
  { name: 'texlive-humanities', reason: 'critical editions, linguistics', profile: 'full' },
  { name: 'texlive-pstricks', reason: 'PSTricks', profile: 'full' },
  { name: 'texlive-games', reason: 'chess, crosswords, puzzles', profile: 'full' },
  { name: 'texlive-music', reason: 'MusiXTeX, Gregorian chant, guitar chords', profile: 'full' },
  { name: 'fonts-noto-cjk', reason: 'Noto for Chinese, Japanese and Korean', profile: 'full' },
  { name: 'fonts-noto-cjk-extra', reason: 'light and black weights that Chinese classes use', profile: 'full' },
  { name: 'fonts-noto-core', reason: 'Noto for all other scripts', profile: 'full' },
  { name: 'fonts-liberation', reason: 'the metrics of Times, Arial and Courier', profile: 'full' },
  { name: 'fonts-dejavu', reason: 'DejaVu', profile: 'full' },
  { name: 'fonts-freefont-otf', reason: 'FreeSerif, FreeSans and FreeMono', profile: 'full' },
  { name: 'fonts-linuxlibertine', reason: 'Linux Libertine and Biolinum for XeLaTeX', profile: 'full' },
  { name: 'fonts-cmu', reason: 'Computer Modern Unicode, for Cyrillic and Greek', profile: 'full' },
  { name: 'fonts-hosny-amiri', reason: 'Amiri, for Arabic', profile: 'full' },
  { name: 'culmus', reason: 'Hebrew fonts', profile: 'full' },
  { name: 'texlive-lang-arabic', reason: 'Arabic, Persian', profile: 'full' },
  { name: 'texlive-lang-chinese', reason: 'Chinese, with its Fandol fonts', profile: 'full' },
  { name: 'texlive-lang-cjk', reason: 'CJK under pdfLaTeX', profile: 'full' },
  { name: 'texlive-lang-cyrillic', reason: 'Russian, Ukrainian, Bulgarian', profile: 'full' },
  { name: 'texlive-lang-czechslovak', reason: 'Czech, Slovak', profile: 'full' },
  {
    name: 'texlive-lang-european',
    reason: 'the Nordic, Baltic, Dutch, Hungarian, Romanian and Turkish languages',
    profile: 'full',
  },
  { name: 'texlive-lang-greek', reason: 'Greek', profile: 'full' },
  { name: 'texlive-lang-japanese', reason: 'Japanese', profile: 'full' },
  { name: 'texlive-lang-korean', reason: 'Korean', profile: 'full' },
  { name: 'texlive-lang-other', reason: 'Hebrew, Hindi, Thai, Vietnamese and more', profile: 'full' },
  { name: 'texlive-lang-polish', reason: 'Polish', profile: 'full' },
]

/** @type {readonly HostPackage[]} */
export const testPackages = [
  {
    name: 'chromium-headless-shell',
    reason: 'pages in a real browser',
    programs: ['chromium-headless-shell|chromium|chromium-browser|google-chrome'],
    optional: true,
  },
  {
    name: 'fonts-dejavu-core',
    reason: 'font for that browser',
    files: ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'],
    optional: true,
  },
  {
    name: 'postgresql',
    reason: 'the tests of the second database',
    files: [
      '/usr/lib/postgresql/14/bin/initdb|/usr/lib/postgresql/15/bin/initdb|/usr/lib/postgresql/16/bin/initdb|/usr/lib/postgresql/17/bin/initdb|/usr/lib/postgresql/18/bin/initdb',
    ],
    optional: true,
  },
  { name: 'latexmk', reason: 'comparison of passes', programs: ['latexmk'], optional: true },
  { name: 'gh', reason: 'a real client of the API', programs: ['gh'], optional: true },
  {
    name: 'python3-github',
    reason: 'a real client of the API',
    programs: ['python3'],
    files: ['/usr/lib/python3/dist-packages/github/__init__.py'],
    optional: true,
  },
  {
    name: 'ruby-octokit',
    reason: 'a real client of the API',
    programs: ['ruby'],
    files: ['/usr/share/rubygems-integration/all/gems|/usr/lib/ruby/vendor_ruby/octokit.rb'],
    optional: true,
  },
]
