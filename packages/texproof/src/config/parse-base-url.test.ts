import assert from 'node:assert/strict'
import { it } from 'node:test'

import { parseBaseUrl } from './parse-base-url.ts'

it('parseBaseUrl drops the trailing slash and keeps a path', () => {
  const texts = [
    'https://papers.example.org/',
    'http://localhost:3000',
    'https://example.org/papers/',
    'HTTPS://Example.ORG:443',
  ]
  assert.deepEqual(texts.map(parseBaseUrl), [
    'https://papers.example.org',
    'http://localhost:3000',
    'https://example.org/papers',
    'https://example.org',
  ])
})

it('parseBaseUrl refuses what cannot begin an address', () => {
  const texts = [
    'papers.example.org',
    'ftp://example.org',
    'https://example.org/?a=1',
    'https://example.org/#a',
    'https://a:b@example.org',
    '',
  ]
  assert.deepEqual(
    texts.map(parseBaseUrl),
    texts.map(() => null),
  )
})
