import { mkdir } from 'node:fs/promises'
import path from 'node:path'

import { checkConnectivity } from './check-connectivity.ts'
import { indexHistory, isWorthIndexing } from './index-history.ts'
import { runGit } from '../process/run-git.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'

/** Time limit that is enough for a history of a million commits. */
const INDEX_TIMEOUT_MS = 30 * 60_000

/**
 * Completes the files of a copy (see `copy-repository.ts`) to a repository: a copy has no empty folders and no index of
 * its history. Returns git's report of missing objects; null if it is complete.
 */
export async function admitCopy(
  gitDir: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string | null> {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    await mkdir(path.join(gitDir, folder), { recursive: true, mode: 0o700 })
  const damage = await checkConnectivity(gitDir, { searchPath: defaultSearchPath, signal })
  if (damage !== null || !(await isWorthIndexing(gitDir))) return damage
  const limits = { timeoutMs: INDEX_TIMEOUT_MS, maxOutputBytes: 64 * 1024, ...(signal === undefined ? {} : { signal }) }
  // Without the index, history is slower until the next push creates it. That is not a reason to refuse the copy.
  await runGit(indexHistory, { gitDir, searchPath: defaultSearchPath, ...limits })
  return null
}
