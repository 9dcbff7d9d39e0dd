import type { Sandbox } from '../sandbox/types.ts'

const ids = new WeakMap<Sandbox, string>()

/** Identifies the TeX installation of a sandbox, for cache keys. A changed installation gets a new sandbox. */
export function installationId(sandbox: Sandbox): string {
  const id = ids.get(sandbox) ?? crypto.randomUUID()
  ids.set(sandbox, id)
  return id
}
