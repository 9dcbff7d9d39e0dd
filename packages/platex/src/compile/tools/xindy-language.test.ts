import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xindyLanguage } from './xindy-language.ts'

test('xindyLanguage() keeps a language that xindy has', () => {
  assert.deepEqual(xindyLanguage('polish', 'utf8'), ['-L', 'polish', '-C', 'utf8'])
})

test('xindyLanguage() translates a name of babel and chooses a variant', () => {
  assert.deepEqual(xindyLanguage('ngerman', 'utf8'), ['-L', 'german', '-C', 'din5007-utf8'])
})

test('xindyLanguage() keeps a variant that the document chose', () => {
  assert.deepEqual(xindyLanguage('ngerman', 'duden-utf8'), ['-L', 'german', '-C', 'duden-utf8'])
})
