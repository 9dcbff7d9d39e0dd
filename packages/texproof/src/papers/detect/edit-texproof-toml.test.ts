import assert from 'node:assert/strict'
import { test } from 'node:test'

import { editBuildSettings, readBuildSettings } from './edit-texproof-toml.ts'
import type { EditedDocument } from './edit-texproof-toml.ts'

const SOURCE = `# The thesis and its slides.
[[document]] # first
root = "thesis.tex" # the whole text
engine = 'lualatex'
future = true

# For the defense.
[[document]]
root = "slides.tex"
bibliography = "none"

# Every push.
[build]
auto = "branches"
`

const thesis: EditedDocument = { at: 0, root: 'thesis.tex', name: '', engine: 'lualatex', bibliography: '' }
const slides: EditedDocument = { at: 1, root: 'slides.tex', name: '', engine: '', bibliography: 'none' }
const unchanged = { source: SOURCE, documents: [thesis, slides], auto: 'branches', timeout: '' }

const edits = [
  { title: 'nothing', edit: {}, expected: SOURCE },
  {
    title: 'a value, with its comment',
    edit: { documents: [{ ...thesis, root: 'book.tex' }, slides] },
    expected: SOURCE.replace('"thesis.tex"', '"book.tex"'),
  },
  {
    title: 'a new key',
    edit: { timeout: '120s' },
    expected: SOURCE.replace('auto = "branches"\n', 'auto = "branches"\ntimeout = "120s"\n'),
  },
  {
    title: 'a removed key',
    edit: { documents: [{ ...thesis, engine: '' }, slides] },
    expected: SOURCE.replace("engine = 'lualatex'\n", ''),
  },
  {
    title: 'a removed document',
    edit: { documents: [thesis] },
    expected: SOURCE.replace('[[document]]\nroot = "slides.tex"\nbibliography = "none"\n\n', ''),
  },
  {
    title: 'an added document',
    edit: { documents: [thesis, slides, { at: null, root: 'a "b".tex', name: 'ab', engine: '', bibliography: '' }] },
    expected: SOURCE.replace('"none"\n', '"none"\n\n[[document]]\nroot = "a \\"b\\".tex"\nname = "ab"\n'),
  },
]

for (const { title, edit, expected } of edits) {
  test(`the editor of .texproof.toml writes ${title}`, () => {
    const outcome = editBuildSettings({ ...unchanged, ...edit })
    assert.deepEqual(outcome, { kind: 'edited', text: expected, problem: 'unknown key "future" in document[1]' })
  })
}

test('the editor of .texproof.toml creates the file', () => {
  const added = { at: null, root: 'main.tex', name: '', engine: 'xelatex', bibliography: '' }
  assert.deepEqual(editBuildSettings({ source: '', documents: [added], auto: 'demand', timeout: '2m' }), {
    kind: 'edited',
    text: '[[document]]\nroot = "main.tex"\nengine = "xelatex"\n\n[build]\nauto = "demand"\ntimeout = "2m"\n',
    problem: null,
  })
})

const unsupported = [
  {
    title: 'inline tables',
    source: 'document = [{ root = "thesis.tex", engine = "lualatex" }, { root = "slides.tex" }]\n',
  },
  { title: 'dotted keys', source: 'build.auto = "branches"\n' },
  { title: 'a key in a multi-line string', source: `note = """\n[build]\nauto = "demand"\n"""\n${SOURCE}` },
]

for (const { title, source } of unsupported) {
  test(`a change that would break ${title} is not made`, () => {
    const documents = [{ ...thesis, engine: 'xelatex' }]
    const outcome = editBuildSettings({ source, documents, auto: 'default', timeout: '' })
    assert.deepEqual(outcome, { kind: 'unsupported' })
  })
}

test('settings are read from a file with unknown keys, but not from a file that is not TOML', () => {
  assert.deepEqual(readBuildSettings(SOURCE), {
    kind: 'read',
    settings: {
      documents: [
        { root: 'thesis.tex', name: '', engine: 'lualatex', bibliography: '' },
        { root: 'slides.tex', name: '', engine: '', bibliography: 'none' },
      ],
      auto: 'branches',
      timeout: '',
    },
    problem: 'unknown key "future" in document[1]',
  })
  assert.deepEqual(readBuildSettings('[build\n'), {
    kind: 'invalid',
    problem: 'line 1: illegal character in key',
  })
})
