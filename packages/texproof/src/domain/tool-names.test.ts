import assert from 'node:assert/strict'
import { test } from 'node:test'

import { describeTools } from './tool-names.ts'

const pass = (program: string) => ({ program, reason: null, durationMs: 1, exitCode: 0, timedOut: false })

test('describeTools() names each tool that ran once', () => {
  const passes = ['pdflatex', 'makeindex', 'biber', 'pdflatex'].map(pass)
  assert.equal(describeTools({ engine: 'pdflatex', bibliography: 'biber', passes }), 'pdfLaTeX, MakeIndex and Biber')
})

test('describeTools() omits a bibliography tool that did not run', () => {
  assert.equal(describeTools({ engine: 'pdflatex', bibliography: 'bibtex', passes: [pass('pdflatex')] }), 'pdfLaTeX')
})

test('describeTools() names the chosen tools of a build that has not started', () => {
  assert.equal(describeTools({ engine: 'xelatex', bibliography: 'bibtex', passes: [] }), 'XeLaTeX and BibTeX')
})
