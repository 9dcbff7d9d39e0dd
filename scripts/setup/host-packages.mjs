// What the host must have, as data: one row each, with the reason it is asked for.
//
// A row is *present* when all its programs are on PATH, its files exist and TeX finds its `texFiles`.
// A row without any of these is installed only together with TeX itself: a TeX system that somebody has chosen
// already is theirs, and Texproof adds no collection to it behind their back (`texproof doctor` tells what it has).
//
// Names are those of Debian 12 and 13 and of Ubuntu 22.04 and 24.04; a name that a release does not know is skipped.

/**
 * @typedef {object} HostPackage
 * @property {string} name Name of the Debian package.
 * @property {string} reason Why it is here, for a person.
 * @property {readonly string[]} [programs] Names on PATH, one of which (`a|b`) is enough.
 * @property {readonly string[]} [texFiles] Files that `kpsewhich` finds.
 * @property {readonly string[]} [files] Absolute paths.
 * @property {true} [withTex] Comes with a TeX system that Texproof installs itself.
 * @property {true} [optional] Nothing but some tests needs it: they say so and are skipped.
 */

/** @type {readonly HostPackage[]} */
export const runPackages = [
  { name: 'git', reason: 'repositories, clone and push', programs: ['git'] },
  { name: 'bubblewrap', reason: 'the sandbox around every compile', programs: ['bwrap'] },
  { name: 'util-linux', reason: 'limits of memory and processes', programs: ['prlimit', 'setpriv'] },
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
  { name: 'cm-super', reason: 'outlines for T1 text, else it would need bitmaps', texFiles: ['sfrm1000.pfb'] },
  { name: 'texlive-plain-generic', reason: 'ulem, iftex and friends', texFiles: ['ulem.sty'] },
  { name: 'texlive-publishers', reason: 'classes of IEEE, ACM, APS, Elsevier, Springer', withTex: true },
  { name: 'texlive-fonts-extra', reason: 'Libertine, newtx, newpx: ACM and many theses ask for them', withTex: true },
  { name: 'texlive-humanities', reason: 'critical editions, linguistics', withTex: true },
  { name: 'tex-gyre', reason: 'OpenType forms of the classic text fonts', withTex: true },
  { name: 'texlive-lang-arabic', reason: 'Arabic, Persian', withTex: true },
  { name: 'texlive-lang-chinese', reason: 'Chinese, with its Fandol fonts', withTex: true },
  { name: 'texlive-lang-cjk', reason: 'CJK under pdfLaTeX', withTex: true },
  { name: 'texlive-lang-cyrillic', reason: 'Russian, Ukrainian, Bulgarian', withTex: true },
  { name: 'texlive-lang-czechslovak', reason: 'Czech, Slovak', withTex: true },
  { name: 'texlive-lang-english', reason: 'British hyphenation', withTex: true },
  {
    name: 'texlive-lang-european',
    reason: 'the Nordic, Baltic, Dutch, Hungarian, Romanian and Turkish languages',
    withTex: true,
  },
  { name: 'texlive-lang-french', reason: 'French', withTex: true },
  { name: 'texlive-lang-german', reason: 'German', withTex: true },
  { name: 'texlive-lang-greek', reason: 'Greek', withTex: true },
  { name: 'texlive-lang-italian', reason: 'Italian', withTex: true },
  { name: 'texlive-lang-japanese', reason: 'Japanese', withTex: true },
  { name: 'texlive-lang-korean', reason: 'Korean', withTex: true },
  { name: 'texlive-lang-other', reason: 'Hebrew, Hindi, Thai, Vietnamese and more', withTex: true },
  { name: 'texlive-lang-polish', reason: 'Polish', withTex: true },
  { name: 'texlive-lang-portuguese', reason: 'Portuguese', withTex: true },
  { name: 'texlive-lang-spanish', reason: 'Spanish, Catalan', withTex: true },
]

/** @type {readonly HostPackage[]} */
export const testPackages = [
  { name: 'curl', reason: 'the README is typed as printed', programs: ['curl'] },
  {
    name: 'chromium',
    reason: 'pages and PDFs in a real browser',
    programs: ['chromium|chromium-browser|google-chrome'],
    optional: true,
  },
  {
    name: 'fonts-dejavu-core',
    reason: 'letters for that browser',
    files: ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'],
    optional: true,
  },
  { name: 'latexmk', reason: 'the comparison of passes', programs: ['latexmk'], optional: true },
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
