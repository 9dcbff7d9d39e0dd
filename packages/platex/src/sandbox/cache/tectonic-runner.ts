import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareTectonicSupply, type TectonicSupply } from './tectonic-supply.ts'
import type { RunEnd, RunReport, SandboxCommand, SandboxRunOptions } from '../types.ts'
import type { UnprivilegedOwner } from '../unprivileged-owner.ts'

type Run = (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>

/**
 * Wraps `run` so that Tectonic finds its bundle and its format; null = it downloads them itself.
 *
 * Both are created before the first run of Tectonic, which takes some seconds once per machine and counts in its
 * budget. A run that is cancelled or times out meanwhile ends, and the next one continues.
 */
export function tectonicRunner(
  run: Run,
  supply: TectonicSupply | null,
  maker: { readonly workRoot: string; readonly owner: UnprivilegedOwner | null },
): Run {
  if (supply === null) return run
  const { insideDir, insideBundle } = supply
  let ready: Promise<string | null> | null = null
  return async (command, options) => {
    if (command.program !== 'tectonic') return run(command, options)
    const startedAt = performance.now()
    ready ??= prepareTectonicSupply(supply, { ...maker, run })
    const fault = await Promise.race([ready, endOfPatience(options)])
    const durationMs = performance.now() - startedAt
    if (fault === OVER) return { ...NOTHING_RAN, end: endOf(options), durationMs }
    if (fault !== null) {
      // The next run retries: the cause may be fixed by then.
      ready = null
      return { ...NOTHING_RAN, end: { kind: 'exited', exitCode: 1 }, stderr: Buffer.from(fault), durationMs }
    }
    const env = { ...command.env, TECTONIC_CACHE_DIR: join(insideDir, 'cache') }
    const args = ['--bundle', insideBundle, ...command.args]
    const timeoutMs = Math.max(1, options.timeoutMs - durationMs)
    return run({ ...command, args, env }, { ...options, timeoutMs })
  }
}

const OVER = Symbol('over')
const NOTHING_RAN = { stdout: new Uint8Array(), stderr: new Uint8Array() }

/** Resolves when the budget is used up or the caller has cancelled. */
async function endOfPatience({ timeoutMs, signal }: SandboxRunOptions): Promise<typeof OVER> {
  // Aborted: the wait is over.
  await sleep(timeoutMs, null, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => null)
  return OVER
}

function endOf({ signal }: SandboxRunOptions): RunEnd {
  return { kind: signal?.aborted ? 'aborted' : 'timed-out' }
}
