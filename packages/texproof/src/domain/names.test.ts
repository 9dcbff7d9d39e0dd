import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { nameKey, parseLogin, parseRepositoryName, reservedLogins } from './names.ts'

test('parseLogin() accepts letters, digits and single hyphens inside, up to 39 characters', () => {
  const good = ['a', 'Alice', 'a-b-c', '0', '007', 'x'.repeat(39)]
  assert.deepEqual(good.map(parseLogin), good)
})

test('parseLogin() refuses everything else', () => {
  const bad = ['', '-a', 'a-', 'a--b', 'a_b', 'a.b', 'a b', 'a/b', 'x'.repeat(40), 'ali\u0441e', 'alice\n', '\u212Aate']
  assert.deepEqual(
    [...bad, null, 7, ['alice']].filter((input) => parseLogin(input) !== null),
    [],
  )
})

test('parseLogin() refuses every reserved word in any case', () => {
  const words = [...reservedLogins].flatMap((word) => [word, word.toUpperCase()])
  assert.deepEqual(
    words.filter((word) => parseLogin(word) !== null),
    [],
  )
})

test('parseRepositoryName() accepts letters, digits, dots, hyphens and underscores, up to 100 characters', () => {
  const good = ['a', '.github', '-', '_', '...', 'a.b-c_D', 'git', 'wiki', 'x.gitt', 'x'.repeat(100)]
  assert.deepEqual(good.map(parseRepositoryName), good)
})

test('parseRepositoryName() refuses everything else', () => {
  const bad = [
    '',
    '.',
    '..',
    'a b',
    'a/b',
    'a\\b',
    'a+b',
    'abc\n',
    '\nabc',
    'a\0',
    'é',
    'x'.repeat(101),
    'a.git',
    'a.GIT',
    'a.wiki',
  ]
  assert.deepEqual(
    [...bad, null, 7, ['a'], {}].filter((input) => parseRepositoryName(input) !== null),
    [],
  )
})

test('parseRepositoryName() refuses names that could leave the folder or be read as an option', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
      const name = parseRepositoryName(text)
      return name === null || (/^[\w.-]+$/.test(name) && name !== '.' && name !== '..')
    }),
  )
})

test('nameKey() folds only ASCII letters', () => {
  assert.deepEqual(['Tides', 'tides', '\u212Aate', 'İx'].map(nameKey), ['tides', 'tides', '\u212Aate', 'İx'])
})
