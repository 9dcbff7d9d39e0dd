import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Secret } from 'otpauth'

import { findTimeStep, makeTimeSecret, timeSecretAddress } from './time-code.ts'

/** The secret of RFC 6238, appendix B; apps show the last six digits of its codes. */
const secret = Secret.fromLatin1('12345678901234567890').base32
const vectors = [
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
] as const

for (const [seconds, code, step] of vectors) {
  test(`findTimeStep() accepts the code of RFC 6238 at ${seconds} s`, () => {
    assert.equal(findTimeStep(secret, code, seconds * 1000), step)
  })
}

test('findTimeStep() tolerates a clock that is one step off, and no more', () => {
  const [seconds, code, step] = vectors[3]
  const found = [-61, -31, -30, 0, 30, 59, 60, 90].map((late) => findTimeStep(secret, code, (seconds + late) * 1000))
  assert.deepEqual(found, [null, null, step, step, step, step, null, null])
})

test('findTimeStep() accepts only six digits', () => {
  const now = 1_111_111_109_000
  const typed = ['081804', '81804', '0081804', ' 081804', '08180a', '０８１８０４', '']
  assert.deepEqual(
    typed.map((code) => findTimeStep(secret, code, now) !== null),
    [true, false, false, false, false, false, false],
  )
})

test('makeTimeSecret() returns 160 random bits', () => {
  const made = new Set(Array.from({ length: 50 }, makeTimeSecret))
  assert.equal(made.size, 50)
  for (const each of made) assert.match(each, /^[A-Z2-7]{32}$/)
})

test('timeSecretAddress() contains the host and the user in the format of apps', () => {
  assert.equal(
    timeSecretAddress('JBSWY3DPEHPK3PXP', { login: 'alice', host: 'papers.example:8080' }),
    'otpauth://totp/Texproof:alice%40papers.example%3A8080?issuer=Texproof&secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  )
})
