import { findDebianPackage } from './find-debian-package.ts'

/** Debian packages by the program that they bring. */
const DEBIAN: Readonly<Record<string, string>> = {
  pdflatex: 'texlive-latex-recommended',
  xelatex: 'texlive-xetex',
  lualatex: 'texlive-luatex',
  bibtex: 'texlive-binaries',
  biber: 'biber',
  makeindex: 'texlive-binaries',
}

/** TeX Live's names for what brings a program. */
const TEX_LIVE: Readonly<Record<string, string>> = {
  pdflatex: 'latex-bin',
  xelatex: 'collection-xetex',
  lualatex: 'collection-luatex',
}

/**
 * What an administrator types to have a package of TeX Live: its own installer knows packages by their names, Debian has
 * them in collections. null where no package is called so.
 */
export function suggestPackageInstall(name: string, release: string | null): string | null {
  const collection = findDebianPackage(name)
  if (collection === null) return null
  return isOfDebian(release) ? `sudo apt-get install ${collection}` : `tlmgr install ${name.toLowerCase()}`
}

/** What an administrator types to have programs; null where none is missing. */
export function suggestProgramInstall(missing: readonly string[], release: string | null): string | null {
  if (missing.length === 0) return null
  const names = isOfDebian(release) ? DEBIAN : TEX_LIVE
  const packages = [...new Set(missing.map((name) => names[name] ?? name))].join(' ')
  return isOfDebian(release) ? `sudo apt-get install ${packages}` : `tlmgr install ${packages}`
}

/** Where there is no TeX Live yet, the one that is asked for most is. */
function isOfDebian(release: string | null): boolean {
  return release === null || release.includes('Debian')
}
