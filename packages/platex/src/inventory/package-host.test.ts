import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openPackageIndex } from './package-index.ts'
import { chooseRelease, findPackageHost, findProvider, installCommand } from './package-host.ts'

const RELEASES = ['debian-12', 'debian-13', 'ubuntu-24.04']
const index = await openPackageIndex('debian-12')
const debian = { index, isApproximate: false, isDebianLike: true, hasTlmgr: false }

test('chooseRelease takes the release of the machine, or else the nearest of its family', () => {
  const releases = [
    'ID=debian\nVERSION_ID="12"\n',
    'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n',
    'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\n',
    'ID=debian\nVERSION_ID="14"\n',
    'ID=debian\nVERSION_CODENAME=forky\n',
    'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="22"\n',
    'ID=fedora\nVERSION_ID=42\n',
    '',
  ]
  assert.deepEqual(
    releases.map((text) => Object.values(chooseRelease(text, RELEASES))),
    [
      ['debian-12', true],
      ['ubuntu-24.04', true],
      ['ubuntu-24.04', false],
      ['debian-13', false],
      ['debian-13', false],
      ['ubuntu-24.04', false],
      ['debian-13', false],
      ['debian-13', false],
    ],
  )
})

test('findProvider uses the first name that a package provides, and the font family last', async () => {
  const found = await Promise.all([
    findProvider(debian, ['nothing.sty', 'skak.sty']),
    findProvider(debian, ['EB Garamond.otf'], 'EB Garamond'),
    findProvider({ ...debian, isDebianLike: false }, ['nothing.sty']),
  ])
  assert.deepEqual(found, [
    { debian: 'texlive-games', texlive: 'skak' },
    { debian: 'fonts-ebgaramond', texlive: null },
    null,
  ])
})

test('installCommand names each package once, for the package manager that has it', async () => {
  const siunitx = { debian: 'absent-science', texlive: 'siunitx' }
  const gs = { debian: 'absent-ghostscript', texlive: null }
  const commands = await Promise.all([
    installCommand(debian, []),
    installCommand(debian, [siunitx, gs, siunitx]),
    installCommand({ ...debian, hasTlmgr: true }, [siunitx, gs, siunitx]),
    installCommand({ ...debian, hasTlmgr: true, isDebianLike: false }, [siunitx]),
    installCommand({ ...debian, isDebianLike: false }, [siunitx]),
  ])
  assert.deepEqual(commands, [
    null,
    'sudo apt-get install absent-science absent-ghostscript',
    'tlmgr install siunitx && sudo apt-get install absent-ghostscript',
    'tlmgr install siunitx',
    null,
  ])
})

test('findPackageHost distinguishes TeX Live with tlmgr from Debian packages', async () => {
  const banners = [
    'pdfTeX 3.14 (TeX Live 2022/Debian)\n',
    'pdfTeX 3.14 (TeX Live 2025)\n',
    'MiKTeX-pdfTeX 4.19 (MiKTeX 24.4)\n',
    null,
  ]
  const hosts = await Promise.all(banners.map((banner) => findPackageHost({ ask: async () => banner })))
  assert.deepEqual(
    hosts.map(({ hasTlmgr }) => hasTlmgr),
    [false, true, false, false],
  )
})
