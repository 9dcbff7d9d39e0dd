import assert from 'node:assert/strict'
import { test } from 'node:test'

import { chooseProviders } from './choose-providers.ts'

const texmf = 'usr/share/texlive/texmf-dist'

function chosen(lines: readonly string[]): readonly string[] {
  return chooseProviders(lines)
    .map(({ name, debian, texlive }) => `${name}: ${debian} ${texlive}`)
    .filter((line) => !line.startsWith('bin/') || lines.some((each) => each.includes(`/${line.split(':')[0]} `)))
}

test('chooseProviders derives the TeX Live package from the folder', () => {
  assert.deepEqual(
    chosen([
      `${texmf}/tex/latex/siunitx/siunitx.sty   tex/texlive-science`,
      `${texmf}/tex/latex/base/article.cls   tex/texlive-latex-base`,
      `${texmf}/bibtex/bst/ieeetran/IEEEtran.bst   tex/texlive-publishers`,
      `${texmf}/fonts/tfm/adobe/times/ptmr7t.tfm   tex/texlive-fonts-recommended`,
      `${texmf}/tex/latex/lonely.sty   tex/texlive-latex-extra`,
    ]),
    [
      'ptmr7t.tfm: texlive-fonts-recommended times',
      'article.cls: texlive-latex-base latex',
      'lonely.sty: texlive-latex-extra -',
      'IEEEtran.bst: texlive-publishers ieeetran',
      'siunitx.sty: texlive-science siunitx',
    ],
  )
})

test('chooseProviders omits files that no document loads, and names that authors use for their own files', () => {
  assert.deepEqual(
    chosen([
      `${texmf}/doc/latex/siunitx/siunitx.sty   doc/texlive-science-doc`,
      `${texmf}/tex/latex/siunitx/siunitx.sty   doc/texlive-science-doc`,
      `${texmf}/tex/context/base/x.tex   tex/context`,
      `${texmf}/tex/plain/base/list.tex   tex/texlive-base`,
      `${texmf}/tex/latex/notes/hand.pdf   tex/texlive-latex-extra`,
      'usr/bin/firefox   web/firefox-esr',
      'usr/share/fonts/truetype/x/Game.ttf   games/some-game',
    ]),
    [],
  )
})

test('chooseProviders prefers system fonts and TeX Live collections', () => {
  assert.deepEqual(
    chosen([
      `${texmf}/fonts/opentype/public/amiri/Amiri.ttf   tex/texlive-fonts-extra`,
      'usr/share/fonts/truetype/amiri/Amiri.ttf   fonts/fonts-hosny-amiri',
      `${texmf}/tex/latex/x/x.sty   tex/other,tex/texlive-latex-extra`,
    ]),
    ['Amiri.ttf: fonts-hosny-amiri -', 'x.sty: texlive-latex-extra x'],
  )
})
