import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { listIndexedReleases, openPackageIndex } from './package-index.ts'

/** One name of each kind, with its package in Debian 12, Debian 13 and Ubuntu 24.04. */
const PACKAGES: Readonly<Record<string, string>> = {
  'siunitx.sty': 'texlive-science siunitx',
  'moderncv.cls': 'texlive-latex-extra moderncv',
  'IEEEtran.bst': 'texlive-publishers ieeetran',
  'apa.bbx': 'texlive-bibtex-extra biblatex-apa',
  't2aenc.def': 'texlive-lang-cyrillic cyrillic',
  'pstricks.sty': 'texlive-pstricks pstricks',
  'musixtex.sty': 'texlive-music musixtex',
  'skak.sty': 'texlive-games skak',
  'tikzlibraryfeynman.code.tex': 'texlive-pictures tikz-feynman',
  'texgyretermes-regular.otf': 'fonts-texgyre tex-gyre',
  'example-image-a.pdf': 'texlive-latex-extra mwe',
  'ptmr7t.tfm': 'texlive-fonts-recommended times',
  'bin/biber': 'biber biber',
  'bin/xindy': 'xindy xindy',
  'bin/gs': 'ghostscript null',
  'bin/bibtex': 'texlive-binaries bibtex',
}

const FONTS: Readonly<Record<string, string>> = {
  'TeX Gyre Termes': 'fonts-texgyre',
  'EB Garamond': 'fonts-ebgaramond',
  'Noto Serif CJK SC': 'fonts-noto-cjk',
  'Linux Libertine O': 'fonts-linuxlibertine',
  'Latin Modern Roman': 'fonts-lmodern',
  'CMU Serif': 'fonts-cmu',
  Amiri: 'fonts-hosny-amiri',
  IPAexMincho: 'fonts-ipaexfont-mincho',
}

for (const release of ['debian-12', 'debian-13', 'ubuntu-24.04']) {
  describe(`the package index of ${release}`, () => {
    test('finds files and programs', async () => {
      const index = await openPackageIndex(release)
      const found = Object.keys(PACKAGES).map((name) => {
        const provider = index.find(name)
        return [name, `${provider?.debian} ${provider?.texlive}`]
      })
      assert.deepEqual(Object.fromEntries(found), PACKAGES)
    })

    test('finds fonts by their family', async () => {
      const index = await openPackageIndex(release)
      const found = Object.keys(FONTS).map((family) => [family, index.findFont(family)?.debian])
      assert.deepEqual(Object.fromEntries(found), FONTS)
    })

    test('does not match parts of names, or packages by names of another kind', async () => {
      const index = await openPackageIndex(release)
      const names = ['siunitx', 'iunitx.sty', 'siunitx.st', '', 'a b', 'texlive-science', '-', 'list.tex', 'Arno Pro']
      assert.deepEqual(
        names.map((name) => index.find(name) ?? index.findFont(name)),
        names.map(() => null),
      )
    })
  })
}

test('the package index finds a package of TeX Live by its name', async () => {
  const index = await openPackageIndex('debian-12')
  assert.deepEqual(
    ['siunitx', 'texlive-science', 'siunitx.sty'].map((name) => index.findTexLivePackage(name)),
    [{ debian: 'texlive-science', texlive: 'siunitx' }, null, null],
  )
})

test('listIndexedReleases names the releases that have an index', async () => {
  assert.deepEqual(await listIndexedReleases(), ['debian-12', 'debian-13', 'ubuntu-24.04'])
})
