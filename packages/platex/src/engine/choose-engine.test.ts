import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEngine } from './choose-engine.ts'

const hostWith = (...programs: string[]) => ({ has: (program: string) => programs.includes(program) })

test('chooseEngine returns the requested engine if it is installed', () => {
  assert.equal(chooseEngine('xelatex', hostWith('xelatex', 'xdvipdfmx', 'tectonic')).engine, 'xelatex')
})

test('chooseEngine returns Tectonic if the requested engine is missing', () => {
  assert.equal(chooseEngine('pdflatex', hostWith('tectonic')).engine, 'tectonic')
})

test('chooseEngine names the missing driver of an engine that writes DVI, which Tectonic cannot replace', () => {
  assert.throws(() => chooseEngine('latex', hostWith('latex', 'dvips', 'tectonic')), {
    name: 'PlatexError',
    code: 'NO_ENGINE',
    message:
      'The engine latex requires gs, not installed here. ' +
      'Debian and Ubuntu: apt install texlive-latex-base ghostscript.',
  })
})

test('chooseEngine throws NO_ENGINE with ways to install one if there is none', () => {
  assert.throws(() => chooseEngine('pdflatex', hostWith()), {
    name: 'PlatexError',
    code: 'NO_ENGINE',
    message: /COMPILE_SERVICE_URL.*TeX Live.*Tectonic/s,
  })
})
