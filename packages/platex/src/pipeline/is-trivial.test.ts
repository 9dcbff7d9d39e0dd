import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTrivial, type FirstPass } from './is-trivial.ts'

const PLAIN: FirstPass = {
  auxTexts: ['\\gdef \\@abspage@last{1}'],
  otherFiles: [],
  missed: ['main.aux'],
  logText: 'No file main.aux.\nOutput written on main.pdf (1 page, 100 bytes).\n',
  sources: ['\\documentclass{article}\\begin{document}x\\end{document}'],
}

test('isTrivial holds for an aux that only counts pages', () => {
  assert.equal(isTrivial(PLAIN), true)
})

test('isTrivial allows the definitions that packages repeat in every aux', () => {
  const auxTexts = ['\\providecommand\\HyField@AuxAddToFields[1]{}\n\\babel@aux{english}{}\n\\gdef \\@abspage@last{2}']
  assert.equal(isTrivial({ ...PLAIN, auxTexts }), true)
})

for (const line of [
  '\\newlabel{a}{{1}{1}}',
  '\\HyPL@Entry{0<</S/D>>}',
  '\\@nameuse{bbl@beforestart}',
  '\\citation{a}',
]) {
  test(`isTrivial does not hold for an aux with ${line}`, () => {
    assert.equal(isTrivial({ ...PLAIN, auxTexts: [line] }), false)
  })
}

test('isTrivial does not hold when the pass left another file', () => {
  assert.equal(isTrivial({ ...PLAIN, otherFiles: ['main.out'] }), false)
})

test('isTrivial does not hold when the document asked for another file', () => {
  assert.equal(isTrivial({ ...PLAIN, missed: ['main.aux', 'main.toc'] }), false)
})

test('isTrivial does not hold when the log asks for a pass', () => {
  const logText = 'LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.\n'
  assert.equal(isTrivial({ ...PLAIN, logText }), false)
})

test('isTrivial does not hold for a source that asks for the number of pages', () => {
  assert.equal(isTrivial({ ...PLAIN, sources: ['of \\PreviousTotalPages'] }), false)
})
