/**
 * Removes new refs whose files a power cut left empty. The refs of a large push are flushed together, after their files
 * have their names (`serve-pack.ts`), so in between a name may be on the disk before its content. Such a push was not
 * acknowledged, and git refuses to push again to a ref that it cannot read.
 */
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'

import { refuseRefName } from '../../domain/git/ref-names.ts'
import { whenAbsent } from '../../base/absent.ts'

/** Removes those of the refs that have a file without a single readable character; the others stay as they are. */
export async function removeTornRefs(gitDir: string, refs: readonly string[]): Promise<void> {
  for (const ref of refs) {
    if (refuseRefName(ref) !== null) continue
    const file = path.join(gitDir, ref)
    const text = await readFile(file, 'latin1').catch(whenAbsent(null))
    if (text !== null && /^[\0\s]*$/.test(text)) await rm(file)
  }
}
