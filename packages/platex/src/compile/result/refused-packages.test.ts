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

/** Lines that the packages themselves write. */
const WITHOUT_RESULTS = {
  'pythontex.sty': [
    'No file pythontex-files-main/main.pytxmcr.\nRun PythonTeX to create it.\n',
    'Package PythonTeX Warning: Missing autoprint content on input line 4.\n',
  ],
  'sagetex.sty': [
    'Package sagetex Warning: there were undefined Sage formulas and/or plots.\n(sagetex)                Run Sage on main.sagetex.sage, and then run LaTeX on main.tex again.\n',
    'Package sagetex Warning: Graphics file sage-plots-for-main.tex/plot-0.pdf on page 1 does not exist. Plot command is on input line 5.\n',
  ],
}
const MISSING_RESULTS = {
  'pythontex.sty':
    'pythontex needs the results of the program pythontex, which does not run here: some are missing. ' +
    'Run it on your computer, and add the folder pythontex-files-… to the project.',
  'sagetex.sty':
    'sagetex needs the results of Sage, which does not run here: some are missing. ' +
    'Run Sage on your computer, and add the file ….sagetex.sout and the folder sage-plots-for-… to the project.',
}

for (const style of ['pythontex.sty', 'sagetex.sty'] as const) {
  const recorder = { ...NO_RECORDER, names: [style] }

  test(`${style} without its results has one warning, which names the program and what to add`, () => {
    const messages = WITHOUT_RESULTS[style].map((log) =>
      warnOfRefusedPackages(recorder, log, 'pdflatex').map(({ message }) => message),
    )
    assert.deepEqual(messages, [[MISSING_RESULTS[style]], [MISSING_RESULTS[style]]])
  })

  test(`${style} with its results has no warning`, () => {
    assert.deepEqual(warnOfRefusedPackages(recorder, '', 'pdflatex'), [])
  })
}

test('a log of many unfinished commands takes linear time', () => {
  assert.deepEqual(namesIn('runsystem(x\r'.repeat(160_000)), [])
  const recorder = { ...NO_RECORDER, names: ['sagetex.sty'] }
  const log = 'Package sagetex Warning: Graphics file \n'.repeat(50_000)
  assert.deepEqual(warnOfRefusedPackages(recorder, log, 'pdflatex'), [])
})
