import assert from 'node:assert/strict'
import { test } from 'node:test'

import { localPath } from './local-path.ts'

const elsewhere = [
  'https://evil.example',
  'http://evil.example/x',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  'https:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  '\t//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nLocation: https://evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/../..//evil.example',
  '/%2e//evil.example',
  'evil.example',
  '@evil.example',
  '/\u0000',
  '',
]

test('localPath() returns / for every address of another host', () => {
  assert.deepEqual(
    elsewhere.map((text) => localPath(text)),
    elsewhere.map(() => '/'),
  )
})

test('localPath() keeps path and query of this host', () => {
  assert.equal(localPath('/alice/tides/pdf/main?doc=thesis'), '/alice/tides/pdf/main?doc=thesis')
})
