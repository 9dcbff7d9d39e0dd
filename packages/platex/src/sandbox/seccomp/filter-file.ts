import { createHash } from 'node:crypto'
import { access, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildFilter, type FilterArchitecture } from './build-filter.ts'

/**
 * Writes the filter of this processor below `cacheDir` unless it is there, and returns its path.
 *
 * Open the file anew for each run: bubblewrap reads to its end, and an inherited descriptor shares one position.
 */
export async function prepareFilterFile(cacheDir: string, architecture: FilterArchitecture): Promise<string> {
  const filter = buildFilter(architecture)
  const name = createHash('sha256').update(filter).digest('hex').slice(0, 16)
  const path = join(cacheDir, `filter-${name}.bpf`)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    const draft = `${path}.draft-${process.pid}`
    await writeFile(draft, filter, { mode: 0o444 })
    await rename(draft, path)
  }
  return path
}
