import type { Sandbox } from '../sandbox/types.ts'
import type { Engine } from '../base/types.ts'
import { ENGINES } from './engines.ts'

/** Engines that a compile would find, in the order of the table. */
export function listInstalledEngines(sandbox: Pick<Sandbox, 'has'>): readonly Engine[] {
  return Object.values(ENGINES)
    .filter((row) => sandbox.has(row.program))
    .map((row) => row.engine)
}
