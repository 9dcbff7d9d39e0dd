import type { Sandbox } from '../sandbox/types.ts'
import { findPackage } from './find-package.ts'
import { listTexFiles } from './list-tex-files.ts'
import { readInventory } from './read-inventory.ts'
import type { PackageAnswer, TexInventory } from './types.ts'

/** An installed package appears after at most this time. */
const KEPT_MS = 600_000

/** Describes the TeX installation of a sandbox, and caches what takes seconds to find. */
export function openInventory(sandbox: Pick<Sandbox, 'ask' | 'has'>): {
  inventory(): Promise<TexInventory>
  findPackage(name: string): Promise<PackageAnswer>
} {
  const inventory = keepFor(KEPT_MS, () => readInventory(sandbox))
  const installed = keepFor(KEPT_MS, async () => ({
    files: await listTexFiles(sandbox),
    // At most one process per package.
    answers: new Map<string, PackageAnswer>(),
  }))
  return {
    inventory,
    async findPackage(typed) {
      const name = typed.trim()
      const { files, answers } = await installed()
      const answer = answers.get(name) ?? (await findPackage(name, { sandbox, files }))
      if (answer.kind === 'installed') answers.set(name, answer)
      return answer
    },
  }
}

/** Caches a promise for some time; failures are not cached. */
function keepFor<Found>(keptMs: number, find: () => Promise<Found>): () => Promise<Found> {
  let kept: { readonly found: Promise<Found>; readonly at: number } | null = null
  return () => {
    if (kept !== null && performance.now() - kept.at < keptMs) return kept.found
    const found = find()
    const mine = { found, at: performance.now() }
    kept = mine
    found.catch(() => {
      // The caller gets the error; the next call retries.
      if (kept === mine) kept = null
    })
    return found
  }
}
