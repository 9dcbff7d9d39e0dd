import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readCredential } from './read-credential.ts'

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

const cases: readonly (readonly [name: string, header: string | undefined, token: string | null])[] = [
  ['no header', undefined, null],
  ['any username and the token as password', basic('alice:pst_abc'), 'pst_abc'],
  ['the token as username', basic('pst_abc:'), 'pst_abc'],
  ['the token as username with a dummy password', basic('pst_abc:x-oauth-basic'), 'pst_abc'],
  ['a token as both', basic('pst_one:pst_two'), 'pst_two'],
  ['a password with colons', basic('alice:a:b'), 'a:b'],
  ['Bearer', 'Bearer pst_abc', 'pst_abc'],
  ['token', 'token pst_abc', 'pst_abc'],
  ['another scheme', 'Digest pst_abc', ''],
  ['a scheme without value', 'Basic', ''],
]

for (const [name, header, token] of cases) {
  test(`readCredential() reads ${name}`, () => {
    assert.deepEqual(readCredential(header), token === null ? { kind: 'none' } : { kind: 'token', token })
  })
}
