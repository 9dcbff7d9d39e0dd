import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { ALL_INPUTS } from './inputs/all-inputs.ts'
import { runAttack } from './run-attack.ts'
import { startHostTarget, type HostTarget } from './start-target.ts'
import { watchProbes } from './watch-probes.ts'

describe('a host with hostile content', () => {
  let target: HostTarget
  let probes: ReturnType<typeof watchProbes>

  before(async () => {
    target = await startHostTarget()
    probes = watchProbes([
      { name: '/health', url: `${target.url}/health`, headers: {} },
      { name: 'a private page', url: target.url + target.privatePage, headers: { cookie: target.aliceCookie } },
    ])
  })

  after(async () => {
    await probes.stop()
    await target.stop()
  })

  for (const input of ALL_INPUTS.filter(({ isQuick }) => isQuick)) {
    test(`answers every page of ${input.name}, and requests of other users`, async () => {
      const { problems } = await runAttack(target, input)
      const report = await probes.report()
      assert.deepEqual([...problems, ...report.problems], [])
    })
  }
})

test('the hostile suite of the host has at least 150 inputs, each with its own name', () => {
  const names = ALL_INPUTS.map(({ name }) => name)
  assert.deepEqual([names.length >= 150, new Set(names).size], [true, names.length])
})
