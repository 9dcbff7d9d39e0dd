import assert from 'node:assert/strict'
import { test } from 'node:test'

import { checkFilePath } from './check-file-path.ts'

test('checkFilePath() accepts ordinary file names', () => {
  const names = [
    'main.tex',
    'sections/intro.tex',
    'figs/a b.png',
    '.gitignore',
    '.gitattributes',
    '.github/x.yml',
    'résumé.tex',
    '論文/本文.tex',
    '-x',
    'a'.repeat(255),
    'git',
    '.gitx',
    'a:b',
    '...',
  ]
  assert.deepEqual(
    names.filter((name) => checkFilePath(name) !== null),
    [],
  )
})

test('checkFilePath() returns why a name is refused', () => {
  const refused = new Map([
    ['', /Enter a file name/],
    ['/main.tex', /slash/],
    ['figs/', /slash/],
    ['a//b', /contains two in a row/],
    ['a\\b', /backslash/],
    ['../secret', /"\.\." is not a valid name/],
    ['a/./b', /"\." is not a valid name/],
    ['a/../../b', /"\.\." is not a valid name/],
    ['a\nb', /invisible character/],
    ['a\0b', /invisible character/],
    ['a\u2028b', /invisible character/],
    ['tex.\u202Egpj', /invisible character/],
    ['\uD800', /invisible character/],
    [' a', /space/],
    [' '.repeat(300) + 'a', /longer than 255 bytes/],
    ['a /b', /space/],
    ['é'.repeat(128), /longer than 255 bytes/],
    ['a/'.repeat(513), /slash/],
    ['abc/'.repeat(256) + 'a', /longer than 1024 bytes/],
    ['a/'.repeat(33) + 'b', /32 folders/],
  ])
  for (const [name, reason] of refused) assert.match(checkFilePath(name) ?? '', reason, JSON.stringify(name))
})

test('checkFilePath() refuses every spelling of .git', () => {
  const spellings = [
    '.git',
    '.GIT',
    'a/.Git/hooks/post-update',
    '.git./config',
    '.git::$INDEX_ALLOCATION',
    'git~1',
    'GIT~2/config',
    '.g\u200Cit',
    '.gi\uFEFFt',
    '\uFF0Egit',
  ]
  for (const name of spellings) assert.match(checkFilePath(name) ?? '', /reserved by git/, JSON.stringify(name))
})
