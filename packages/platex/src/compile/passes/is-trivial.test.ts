import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTrivial, type FirstPass } from './is-trivial.ts'

const PLAIN: FirstPass = {
  auxTexts: ['\\gdef \\@abspage@last{1}'],
  otherFiles: [],
  missed: ['main.aux'],
  isContent: true,
  sources: ['\\documentclass{article}\\begin{document}x\\end{document}'],
}

test('isTrivial is true for an aux file that contains only the page count', async () => {
  assert.equal(await isTrivial(PLAIN), true)
})

test('isTrivial allows the definitions that packages repeat in every aux', async () => {
  const auxTexts = ['\\providecommand\\HyField@AuxAddToFields[1]{}\n\\babel@aux{english}{}\n\\gdef \\@abspage@last{2}']
  assert.equal(await isTrivial({ ...PLAIN, auxTexts }), true)
})

for (const line of [
  '\\newlabel{a}{{1}{1}}',
  '\\HyPL@Entry{0<</S/D>>}',
  '\\@nameuse{bbl@beforestart}',
  '\\citation{a}',
]) {
  test(`isTrivial is false for an aux file with ${line}`, async () => {
    assert.equal(await isTrivial({ ...PLAIN, auxTexts: [line] }), false)
  })
}

test('isTrivial is false if the pass wrote another file', async () => {
  assert.equal(await isTrivial({ ...PLAIN, otherFiles: ['main.out'] }), false)
})

test('isTrivial is false if the document tried to read another file', async () => {
  assert.equal(await isTrivial({ ...PLAIN, missed: ['main.aux', 'main.toc'] }), false)
})

test('isTrivial is false if the log asks for a pass', async () => {
  assert.equal(await isTrivial({ ...PLAIN, isContent: false }), false)
})

test('isTrivial is false for a source that uses the number of pages', async () => {
  assert.equal(await isTrivial({ ...PLAIN, sources: ['of \\PreviousTotalPages'] }), false)
})
