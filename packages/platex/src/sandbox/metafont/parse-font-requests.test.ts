import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStandardRequest, parseFontRequests } from './parse-font-requests.ts'

test('parseFontRequests() reads the requests of TeX, each once', () => {
  const bitmap = 'mktexpk --mfmode / --bdpi 600 --mag 1+120/600 --dpi 720 cmfib8'
  assert.deepEqual(parseFontRequests(`mktextfm larm1000\n${bitmap}\nmktextfm larm1000\n`), [
    { program: 'mktextfm', name: 'larm1000', args: [] },
    {
      program: 'mktexpk',
      name: 'cmfib8',
      args: ['--mfmode', '/', '--bdpi', '600', '--mag', '1+120/600', '--dpi', '720'],
    },
  ])
})

for (const line of [
  'mktextfm Times New Roman',
  'mktextfm --destdir=/compile larm1000',
  'mktextfm ../larm1000',
  'mktextfm -x',
  'mktextfm larm1000;id',
  'mktexpk --mfmode ;end --bdpi 600 --mag 1+0/600 --dpi 600 cmfib8',
  'mktexpk --destdir x --bdpi 600 --mag 1+0/600 --dpi 600 cmfib8',
  'sh larm1000',
]) {
  test(`parseFontRequests() leaves out "${line}"`, () => {
    assert.deepEqual(parseFontRequests(line), [])
  })
}

for (const [line, isStandard] of [
  ['mktextfm larm1000', true],
  ['mktexpk --mfmode / --bdpi 600 --mag 1+0/600 --dpi 600 bbm10', true],
  ['mktexpk --mfmode ljfour --bdpi 600 --mag 1+57/600 --dpi 657 bbm10', true],
  ['mktexpk --mfmode epsdrft --bdpi 120 --mag 5+0/600 --dpi 600 bbm10', false],
  ['mktexpk --mfmode / --bdpi 120 --mag 5+0/600 --dpi 600 bbm10', false],
  ['mktexpk --mfmode / --bdpi 600 --mag 5+0/600 --dpi 600 bbm10', false],
  ['mktexpk --mfmode / --bdpi 1200 --mag 1+0/1200 --dpi 1200 bbm10', false],
] as const) {
  test(`isStandardRequest() is ${isStandard} for "${line}"`, () => {
    assert.deepEqual(parseFontRequests(line).map(isStandardRequest), [isStandard])
  })
}
