import assert from 'node:assert/strict'
import { test } from 'node:test'

import { checkFilePath } from './check-file-path.ts'

test('refuseFilePath() accepts ordinary file names', () => {
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

test('refuseFilePath() returns why a name is refused', () => {
  const told = new Map([
    ['', /Give the file a name/],
    ['/main.tex', /slash/],
    ['figs/', /slash/],
    ['a//b', /two in a row/],
    ['a\\b', /backslash/],
    ['../secret', /"\.\." is no name/],
    ['a/./b', /"\." is no name/],
    ['a/../../b', /"\.\." is no name/],
    ['a\nb', /cannot be seen/],
    ['a\0b', /cannot be seen/],
    ['a\u2028b', /cannot be seen/],
    ['tex.\u202Egpj', /cannot be seen/],
    ['\uD800', /cannot be seen/],
    [' a', /space/],
    ['a /b', /space/],
    ['é'.repeat(128), /longer than 255 bytes/],
    ['a/'.repeat(513), /slash/],
    ['abc/'.repeat(256) + 'a', /longer than 1024 bytes|longer than 1,024 bytes/],
    ['a/'.repeat(33) + 'b', /32 folders/],
  ])
  for (const [name, reason] of told) assert.match(checkFilePath(name) ?? '', reason, JSON.stringify(name))
})

test('refuseFilePath() refuses every spelling of .git', () => {
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
  for (const name of spellings) assert.match(checkFilePath(name) ?? '', /git keeps this name/, JSON.stringify(name))
})
