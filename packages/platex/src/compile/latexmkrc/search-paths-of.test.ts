import assert from 'node:assert/strict'
import { constants } from 'node:buffer'
import { test } from 'node:test'
import { findSearchSettings, locate, NO_SEARCH_PATHS, searchEnvironment, searchPathsOf } from './search-paths-of.ts'

function texInputs(latexmkrc: string, { at = 'latexmkrc', root = 'main.tex' } = {}): readonly string[] {
  const paths = [root, 'tex/deep/pier.sty', 'paper/own/quay.sty', 'a,b/c.sty']
  const files = new Map(paths.map((path) => [path, new Uint8Array()]))
  files.set(at, new Uint8Array(Buffer.from(latexmkrc)))
  return searchPathsOf(files, root).TEXINPUTS
}

test('folders of the project are search paths, once each', () => {
  const source = `ensure_path('TEXINPUTS', './tex//', 'tex/deep/', './tex//', '.');`
  assert.deepEqual(texInputs(source), ['tex//', 'tex/deep', '.'])
})

test('folders outside the project and names with special characters are not', () => {
  const source = `ensure_path('TEXINPUTS', '/etc', '../..', '~/tex', 'absent', 'a,b', '$HOME', "$ENV{TEXINPUTS}", '!!tex');`
  assert.deepEqual(texInputs(source), [])
})

test('a Perl variable at the beginning of a path stands for the folder of the latexmkrc', () => {
  const source = `ensure_path('TEXINPUTS', "$dir/tex//", "\${dir}/tex", "$ENV{PWD}//", "$dir/absent");`
  assert.deepEqual(texInputs(source), ['tex//', 'tex', './/'])
})

test('paths are relative to the latexmkrc or to the root file', () => {
  const source = `ensure_path('TEXINPUTS', './tex//', './own', '../tex');`
  const root = 'paper/main.tex'
  assert.deepEqual(texInputs(source, { root }), ['../tex//', 'own', '../tex'])
  assert.deepEqual(texInputs(source, { root, at: 'paper/.latexmkrc' }), ['own', '../tex'])
  assert.deepEqual(texInputs(source, { root, at: 'tex/latexmkrc' }), [])
})

for (const [other, setting] of [
  ['.latexmkrc', 'latexmkrc'],
  ['paper/.latexmkrc', 'latexmkrc'],
] as const) {
  test(`the search paths in ${setting} apply beside a ${other} without any`, () => {
    const root = 'paper/main.tex'
    const texts = {
      [root]: '',
      'sty/pier.sty': '',
      [other]: '$pdf_mode = 1;',
      [setting]: `ensure_path('TEXINPUTS', './sty//');`,
    }
    const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
    assert.deepEqual([searchPathsOf(files, root).TEXINPUTS, findSearchSettings(files, root)], [['../sty//'], setting])
  })
}

test('of a latexmkrc of any size only the beginning is decoded', () => {
  const source = new Uint8Array(constants.MAX_STRING_LENGTH + 1)
  source.set(Buffer.from(`ensure_path('TEXINPUTS', './tex');`))
  const files = new Map([
    ['latexmkrc', source],
    ['tex/pier.sty', new Uint8Array()],
  ])
  assert.deepEqual(searchPathsOf(files, 'main.tex').TEXINPUTS, ['tex'])
})

test('the standard folders follow the folders of the project', () => {
  assert.deepEqual(searchEnvironment({ ...NO_SEARCH_PATHS, TEXINPUTS: ['tex//'], BIBINPUTS: ['bib'] }), {
    TEXINPUTS: '.:tex//:$PLATEX_SUPPLEMENT:',
    BIBINPUTS: '.:bib:',
  })
})

test('a name means the file beside the root file, then one in the folders', () => {
  const givenFiles = new Set(['paper/a.bib', 'lists/a.bib', 'lists/old/b.bib', 'c/d.bib'])
  const find = (name: string) => locate(name, { folder: 'paper', entries: ['../lists//', '../c'], givenFiles })
  assert.deepEqual(['a.bib', 'b.bib', 'd.bib', 'e.bib', '../../f.bib'].map(find), [
    'paper/a.bib',
    'lists/old/b.bib',
    'c/d.bib',
    'paper/e.bib',
    null,
  ])
})
