import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_RECORDER } from '../read-recorder.ts'
import { warnOfRefusedPackages } from './refused-packages.ts'

function namesIn(log: string): readonly string[] {
  return warnOfRefusedPackages(NO_RECORDER, log, 'pdflatex').map(({ message }) => message.split(' ')[0] ?? '')
}

test('a refused command of the log is named, unless the pipeline runs it', () => {
  const log = 'runsystem(repstopdf a.eps)...disabled.\nrunsystem(gnuplot (a) b)...disabled (restricted).\n'
  assert.deepEqual(namesIn(log), ['gnuplot'])
})

function namesFor(style: string, engine: 'pdflatex' | 'lualatex'): readonly string[] {
  const recorder = { ...NO_RECORDER, names: [`/usr/share/texmf/tex/latex/${style}`] }
  return warnOfRefusedPackages(recorder, '', engine).map(({ message }) => message.split(' ')[0] ?? '')
}

test('markdown needs a shell in an engine without Lua', () => {
  assert.deepEqual([namesFor('markdown.sty', 'pdflatex'), namesFor('markdown.sty', 'lualatex')], [['markdown'], []])
})

test('lilyglyphs needs no shell', () => {
  assert.deepEqual(namesFor('lilyglyphs.sty', 'lualatex'), [])
})

test('a log of many unfinished commands takes linear time', () => {
  assert.deepEqual(namesIn('runsystem(x\r'.repeat(160_000)), [])
})
