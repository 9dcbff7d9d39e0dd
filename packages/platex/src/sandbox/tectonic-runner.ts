import { join } from 'node:path'
import { prepareTectonicSupply, type TectonicSupply } from './tectonic-supply.ts'
import type { RunReport, SandboxCommand, SandboxRunOptions } from './types.ts'
import type { UnprivilegedOwner } from './unprivileged-owner.ts'

type Run = (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>

/**
 * Wraps a way to run programs so that Tectonic finds its bundle and its format; null = it sees to itself.
 *
 * Both are made before the first run of Tectonic, which takes some seconds once a machine and counts in its budget.
 */
export function tectonicRunner(
  run: Run,
  supply: TectonicSupply | null,
  maker: { readonly workRoot: string; readonly owner: UnprivilegedOwner | null },
): Run {
  if (supply === null) return run
  const { insideDir, bundle } = supply
  let ready: Promise<boolean> | null = null
  return async (command, options) => {
    if (command.program !== 'tectonic') return run(command, options)
    const startedAt = performance.now()
    ready ??= prepareTectonicSupply(supply, { ...maker, run })
    if (!(await ready)) ready = null
    const env = { ...command.env, TECTONIC_CACHE_DIR: join(insideDir, 'cache') }
    const args = ['--bundle', bundle.kind === 'given' ? bundle.path : join(insideDir, 'bundle'), ...command.args]
    const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - startedAt))
    return run({ ...command, args, env }, { ...options, timeoutMs })
  }
}
