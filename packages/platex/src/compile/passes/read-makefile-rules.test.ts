import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMakefileRules } from './read-makefile-rules.ts'

test('readMakefileRules distinguishes the files of the job from files of the bundle', () => {
  const rules = 'main.pdf main.log : main.tex \\\n  parts/one\\ two.tex \\\n  article.cls\n'
  const givenFiles = new Set(['paper/main.tex', 'paper/parts/one two.tex', 'paper/unread.tex'])
  const inputs = new Set(['paper/main.tex', 'paper/parts/one two.tex'])
  assert.deepEqual(readMakefileRules(rules, { folder: 'paper', givenFiles }), {
    workingDir: null,
    names: ['main.tex', 'main', 'parts/one two.tex', 'parts/one two', 'article.cls'],
    inputs,
    needed: inputs,
    outputs: new Set(['paper/main.pdf', 'paper/main.log']),
  })
})

test('readMakefileRules finds nothing in an absent file', () => {
  const nothing = { workingDir: null, names: [], inputs: new Set(), needed: new Set(), outputs: new Set() }
  assert.deepEqual(readMakefileRules('', { folder: '', givenFiles: new Set(['main.tex']) }), nothing)
})

test('readMakefileRules accepts any text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      readMakefileRules(text, { folder: '', givenFiles: new Set() })
    }),
  )
})
