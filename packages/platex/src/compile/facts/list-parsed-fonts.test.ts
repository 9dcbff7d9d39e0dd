import assert from 'node:assert/strict'
import { test } from 'node:test'

import { listParsedFonts } from './list-parsed-fonts.ts'

const CACHE = '/scratch/texmf-var/luatex-cache/generic/fonts/otl'
const FONTS = '/usr/share/texmf/fonts/opentype'

test('listParsedFonts() finds the files of fonts that were not in the cache', () => {
  const names = [
    `${FONTS}/Fira_Sans-Bold.otf`,
    `${FONTS}/lmroman10-regular.otf`,
    `${FONTS}/NotoSerifCJK-Regular.ttc`,
    `${FONTS}/NotoSerifCJK-Bold.ttc`,
    `${CACHE}/fira-sans-bold.lua`,
    `${CACHE}/lmroman10-regular.luc`,
    `${CACHE}/notoserifcjk-regular-3.lua`,
  ]
  assert.deepEqual(listParsedFonts(names), [
    { path: `${FONTS}/Fira_Sans-Bold.otf`, number: null },
    { path: `${FONTS}/NotoSerifCJK-Regular.ttc`, number: 3 },
  ])
})

test('listParsedFonts() ignores fonts of the project and names that TeX or Lua would interpret', () => {
  const paths = ['tides.otf', './tides.otf', '/x/tides".otf', '/x/\\tides.otf', '/x/%/tides.otf', '/x\n/tides.otf']
  assert.deepEqual(listParsedFonts([...paths, `${CACHE}/tides.lua`]), [])
})

test('listParsedFonts() lists at most 64 fonts', () => {
  const stems = Array.from({ length: 1_000 }, (_, at) => `font${at}`)
  const names = stems.flatMap((stem) => [`/x/${stem}.otf`, `${CACHE}/${stem}.lua`])
  assert.equal(listParsedFonts(names).length, 64)
})
