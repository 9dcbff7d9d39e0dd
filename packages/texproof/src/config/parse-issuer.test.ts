import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseIssuer } from './parse-issuer.ts'

test('an issuer is asked by https, or on this machine', () => {
  const good = ['https://login.uni.example', 'https://login.uni.example/realms/papers', 'http://localhost:8080/']
  const bad = ['', 'login.uni.example', 'http://login.uni.example', 'https://a@uni.example', 'https://uni.example/?a=b']
  assert.deepEqual(
    [...good, ...bad].map((text) => parseIssuer(text)),
    [...good, ...bad.map(() => null)],
  )
})
