import assert from 'node:assert/strict'

import type { Parsers } from '../../../src/base/open-parsers.ts'
import { runDeepDoctor } from '../../../src/cli/doctor/deep/run-deep-doctor.ts'
import { checkState } from './check-state.ts'
import type { FaultOperation } from './fault-operations.ts'
import { openContext } from './fault-setting.ts'

/**
 * Starts a host on the data directory like after a crash, and checks that the operation happened completely or not at all,
 * completely if it was acknowledged, and that `doctor --deep` finds nothing. Resolves to what is wrong, or null.
 */
export async function checkAfterFault(
  operation: FaultOperation | undefined,
  options: {
    readonly folder: string
    readonly dataDir: string
    readonly isAcknowledged: boolean
    readonly parsers: Parsers
  },
): Promise<string | null> {
  const { folder, dataDir, isAcknowledged, parsers } = options
  try {
    const context = await openContext(folder, dataDir, { parsers })
    try {
      await checkState(context)
      if (isAcknowledged) assert.ok(await operation?.isDone(context), 'what was acknowledged has not happened')
      await operation?.check?.(context)
    } finally {
      await context.close()
    }
    const findings = (await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')).filter(
      ({ state }) => state !== 'good',
    )
    assert.deepEqual(findings, [])
    return null
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}
