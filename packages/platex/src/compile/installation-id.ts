import type { Sandbox } from '../sandbox/types.ts'

const ids = new WeakMap<Sandbox, string>()

/** Names the TeX installation that a sandbox shows, for cache keys. A changed installation has a sandbox of its own. */
export function installationId(sandbox: Sandbox): string {
  const id = ids.get(sandbox) ?? crypto.randomUUID()
  ids.set(sandbox, id)
  return id
}
