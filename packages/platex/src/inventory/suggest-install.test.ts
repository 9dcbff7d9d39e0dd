import assert from 'node:assert/strict'
import { test } from 'node:test'

import { suggestPackageInstall, suggestProgramInstall } from './suggest-install.ts'

test('suggestPackageInstall names the collection on Debian, and the package where TeX Live installs itself', () => {
  assert.deepEqual(
    [
      suggestPackageInstall('siunitx', 'TeX Live 2022/Debian'),
      suggestPackageInstall('SIunitx', 'TeX Live 2025'),
      suggestPackageInstall('siunitx', null),
      suggestPackageInstall('nosuchpkg', 'TeX Live 2025'),
    ],
    ['sudo apt-get install texlive-science', 'tlmgr install siunitx', 'sudo apt-get install texlive-science', null],
  )
})

test('suggestProgramInstall names each package once', () => {
  assert.deepEqual(
    [
      suggestProgramInstall([], null),
      suggestProgramInstall(['bibtex', 'biber', 'makeindex'], 'TeX Live 2022/Debian'),
      suggestProgramInstall(['xelatex', 'biber'], 'TeX Live 2025'),
    ],
    [null, 'sudo apt-get install texlive-binaries biber', 'tlmgr install collection-xetex biber'],
  )
})
