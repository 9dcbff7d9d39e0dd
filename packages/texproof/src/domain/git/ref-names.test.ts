import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isBranchName, isRefName, refuseRefName } from './ref-names.ts'

const accepted = [
  'main',
  'feature/a/b',
  'ünïcode',
  '\u{1f600}',
  'a.b',
  'a@b',
  '@',
  '-x',
  'HEAD',
  '<img/src=x>',
  'a%2Fb',
  '#1',
  "it's",
]
const refused = [
  '',
  '/',
  'a/',
  '/a',
  'a//b',
  '.a',
  'a/.b',
  'a.',
  'a..b',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?b',
  'a*',
  'a[b',
  'a\\b',
  'a@{1}',
  'a.lock',
  'a.lock/b',
  'a\nb',
  'a\0b',
  'a\x7f',
  '\ud800',
]

for (const name of accepted) {
  test(`isBranchName() accepts ${JSON.stringify(name)}`, () => assert.equal(isBranchName(name), true))
}

for (const name of refused) {
  test(`isBranchName() refuses ${JSON.stringify(name)}`, () => assert.equal(isBranchName(name), false))
}

test('isRefName() refuses a name of one part', () => assert.equal(isRefName('main'), false))

test('refuseRefName() accepts ordinary branches and tags', () => {
  const refs = [
    'refs/heads/main',
    'refs/tags/v1.0',
    'refs/heads/a/b',
    `refs/heads/${'a'.repeat(250)}`,
    'refs/heads/cafe',
  ]
  assert.deepEqual(
    refs.map(refuseRefName),
    refs.map(() => null),
  )
})

const policy = {
  'refs/evil/x': 'only branches (refs/heads/) and tags (refs/tags/) can be pushed',
  HEAD: 'only branches (refs/heads/) and tags (refs/tags/) can be pushed',
  'refs/heads/a..b': 'git does not allow this name',
  'refs/heads/': 'git does not allow this name',
  'refs/tags/v1 submitted': 'the name cannot contain spaces',
  'refs/heads/a:b c': 'the name cannot contain ":"',
  'refs/heads/a\\b': 'the name cannot contain "\\"',
  'refs/heads/HEAD': 'a branch or tag cannot be called HEAD',
  'refs/tags/HEAD': 'a branch or tag cannot be called HEAD',
  'refs/heads/refs/heads/main': 'the name cannot begin with "refs/"',
  'refs/heads/-x': 'no part of the name can begin with "-"',
  'refs/heads/a/--output=b': 'no part of the name can begin with "-"',
  [`refs/heads/${'A'.repeat(40)}`]: 'the name looks like a commit id',
  [`refs/tags/${'0'.repeat(64)}`]: 'the name looks like a commit id',
  [`refs/heads/${'é'.repeat(126)}`]: 'the name is longer than 250 bytes',
}

for (const [ref, reason] of Object.entries(policy)) {
  test(`refuseRefName() refuses ${ref.slice(0, 40)}`, () => assert.equal(refuseRefName(ref), reason))
}
