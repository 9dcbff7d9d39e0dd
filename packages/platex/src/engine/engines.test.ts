import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from './engines.ts'

const PASS = { rootName: 'main.tex', jobName: 'main', isDraft: false, synctex: false, passes: 'auto' } as const

test('every TeX engine runs without shell, without questions and with a recorder file', () => {
  const switches = ['-interaction=nonstopmode', '-file-line-error', '-recorder', '-no-shell-escape', '-jobname=main']
  for (const engine of ['pdflatex', 'xelatex', 'lualatex', 'latex', 'uplatex'] as const) {
    assert.deepEqual(ENGINES[engine].arguments(PASS).slice(0, switches.length), switches)
  }
})

test('a draft pass produces no pages and no SyncTeX data', () => {
  const draft = ENGINES.pdflatex.arguments({ ...PASS, isDraft: true, synctex: true })
  assert.deepEqual([draft.includes('-draftmode'), draft.includes('-synctex=-1')], [true, false])
})

test('engines that read Unicode get no table of characters', () => {
  const pass = { ...PASS, translateFile: 'il2-pl' }
  const withTable = Object.values(ENGINES)
    .filter((row) => row.arguments(pass).includes('-translate-file=il2-pl'))
    .map(({ engine }) => engine)
  assert.deepEqual(withTable, ['pdflatex', 'latex', 'platex', 'uplatex'])
})

test('a root file that looks like a switch is passed as a file', () => {
  for (const row of Object.values(ENGINES)) {
    assert.equal(row.arguments({ ...PASS, rootName: '-output-directory=x.tex' }).at(-1), './-output-directory=x.tex')
  }
})

test('Tectonic repeats as often as the caller requests', () => {
  const { arguments: argumentsOf } = ENGINES.tectonic
  assert.deepEqual(argumentsOf({ ...PASS, passes: 3 }).slice(-3), ['--reruns', '2', 'main.tex'])
})
