import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LimitEnforcement } from '@texproof/platex/project'

import { findRegistrationRisk, isOpenRegistrationSafe } from './open-registration.ts'

const strong = { disk: null, memory: null }
const weak = { disk: null, memory: { code: 'MEMORY_WATCHED', reason: 'Memory is watched.', remedy: 'Delegate=yes' } }

const papersWith = (limits: LimitEnforcement) => ({ describeLimits: async () => limits })

test('open registration requires a sandbox and build limits that the kernel enforces', async () => {
  const config = { sandbox: 'required', registrationLimits: 'kernel' } as const
  assert.deepEqual(
    [
      await isOpenRegistrationSafe({ config, papers: papersWith(strong) }),
      await isOpenRegistrationSafe({ config, papers: papersWith(weak) }),
      await isOpenRegistrationSafe({ config: { ...config, sandbox: 'none' }, papers: papersWith(strong) }),
    ],
    [true, false, false],
  )
})

test('the risk of open registration names what is missing', async () => {
  const config = { sandbox: 'required', registrationLimits: 'kernel' } as const
  assert.deepEqual(
    [
      await findRegistrationRisk({ config, papers: papersWith(strong) }),
      await findRegistrationRisk({ config, papers: papersWith(weak) }),
      await findRegistrationRisk({ config: { ...config, sandbox: 'none' }, papers: papersWith(weak) }),
    ],
    [null, 'the kernel does not enforce the limits of builds', 'builds run without a sandbox'],
  )
})

test('open registration with watched limits is a choice of the operator, and still requires a sandbox', async () => {
  const config = { sandbox: 'required', registrationLimits: 'any' } as const
  assert.deepEqual(
    [
      await isOpenRegistrationSafe({ config, papers: papersWith(weak) }),
      await isOpenRegistrationSafe({ config: { ...config, sandbox: 'none' }, papers: papersWith(weak) }),
    ],
    [true, false],
  )
})
