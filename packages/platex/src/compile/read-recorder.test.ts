import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRecorder } from './read-recorder.ts'

test('readRecorder distinguishes files of the workspace from files of the TeX system', () => {
  const text = [
    'PWD /compile',
    'INPUT /usr/share/texlive/article.cls',
    'INPUT ./main.tex',
    'INPUT main.tex',
    'OUTPUT main.log',
    'INPUT /compile/part one.tex',
    '',
  ].join('\n')
  assert.deepEqual(readRecorder(text, ''), {
    workingDir: '/compile',
    names: ['/usr/share/texlive/article.cls', './main.tex', 'main.tex', 'main.log', '/compile/part one.tex'],
    inputs: new Set(['main.tex', 'part one.tex']),
    needed: new Set(['main.tex', 'part one.tex']),
    outputs: new Set(['main.log']),
  })
})

test('readRecorder returns names relative to the workspace if TeX ran in a subfolder', () => {
  const text =
    'PWD /compile/paper\nINPUT ./main.tex\nINPUT ../shared/x.tex\nINPUT /compile/shared/y.tex\nOUTPUT main.aux\n'
  const { inputs, outputs } = readRecorder(text, 'paper')
  assert.deepEqual([...inputs, ...outputs], ['paper/main.tex', 'shared/x.tex', 'shared/y.tex', 'paper/main.aux'])
})

test('readRecorder distinguishes inputs of a pass from files that it wrote before reading', () => {
  const text = 'PWD /compile\nINPUT main.aux\nOUTPUT main.aux\nOUTPUT main.cb\nINPUT main.cb\nINPUT main.aux\n'
  assert.deepEqual([...readRecorder(text, '').needed], ['main.aux'])
})

test('readRecorder returns a bounded number of names without duplicates', () => {
  const distinct = Array.from({ length: 100_000 }, (_, at) => `INPUT file-${at}.tex`)
  const repeats = Array.from({ length: 100_000 }, () => 'INPUT main.tex')
  const { names, inputs } = readRecorder([...repeats, ...distinct].join('\n'), '')
  assert.deepEqual([names.length, inputs.size], [20_000, 20_000])
})

test('readRecorder accepts any text', () => {
  fc.assert(fc.property(fc.string(), (text) => readRecorder(text, 'a').inputs.size >= 0))
})
