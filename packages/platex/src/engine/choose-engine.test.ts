import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEngine } from './choose-engine.ts'

const hostWith = (...programs: string[]) => ({ has: (program: string) => programs.includes(program) })

test('chooseEngine takes the engine asked for when it is installed', () => {
  assert.equal(chooseEngine('xelatex', hostWith('xelatex', 'tectonic')).engine, 'xelatex')
})

test('chooseEngine takes Tectonic when the engine asked for is missing', () => {
  assert.equal(chooseEngine('pdflatex', hostWith('tectonic')).engine, 'tectonic')
})

test('chooseEngine throws NO_ENGINE and names the ways to get one when there is none', () => {
  assert.throws(() => chooseEngine('pdflatex', hostWith()), {
    name: 'PlatexError',
    code: 'NO_ENGINE',
    message: /COMPILE_SERVICE_URL.*TeX Live.*Tectonic/s,
  })
})
