/**
 * Removes new refs whose files are empty after a power failure. The refs of a large push are synced together, after
 * their files were renamed (`serve-pack.ts`), so a name may be on disk before its content. Such a push was not
 * acknowledged, and git refuses another push to a ref that it cannot read.
 */
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'

import { refuseRefName } from '../../domain/git/ref-names.ts'
import { whenAbsent } from '../../base/absent.ts'

/** Removes the refs whose files are empty or contain only whitespace and NULs; the others stay. */
export async function removeTornRefs(gitDir: string, refs: readonly string[]): Promise<void> {
  for (const ref of refs) {
    if (refuseRefName(ref) !== null) continue
    const file = path.join(gitDir, ref)
    const text = await readFile(file, 'latin1').catch(whenAbsent(null))
    if (text !== null && /^[\0\s]*$/.test(text)) await rm(file)
  }
}
