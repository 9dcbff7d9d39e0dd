import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRegistrationRisk, isOpenRegistrationSafe } from './open-registration.ts'

const strong = { disk: null, memory: null }
const weak = { disk: null, memory: { code: 'MEMORY_WATCHED', reason: 'Memory is watched.', remedy: 'Delegate=yes' } }

test('open registration requires a sandbox and build limits that the kernel enforces', () => {
  const config = { sandbox: 'required', registrationLimits: 'kernel' } as const
  assert.deepEqual(
    [
      isOpenRegistrationSafe({ config, papers: { limits: strong } }),
      isOpenRegistrationSafe({ config, papers: { limits: weak } }),
      isOpenRegistrationSafe({ config: { ...config, sandbox: 'none' }, papers: { limits: strong } }),
    ],
    [true, false, false],
  )
})

test('the risk of open registration names what is missing', () => {
  const config = { sandbox: 'required', registrationLimits: 'kernel' } as const
  assert.deepEqual(
    [
      findRegistrationRisk({ config, papers: { limits: strong } }),
      findRegistrationRisk({ config, papers: { limits: weak } }),
      findRegistrationRisk({ config: { ...config, sandbox: 'none' }, papers: { limits: weak } }),
    ],
    [null, 'the kernel does not enforce the limits of builds', 'builds run without a sandbox'],
  )
})

test('open registration with watched limits is a choice of the operator, and still requires a sandbox', () => {
  const config = { sandbox: 'required', registrationLimits: 'any' } as const
  assert.deepEqual(
    [
      isOpenRegistrationSafe({ config, papers: { limits: weak } }),
      isOpenRegistrationSafe({ config: { ...config, sandbox: 'none' }, papers: { limits: weak } }),
    ],
    [true, false],
  )
})
