import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { requireKnownMigrations } from './backup-head.ts'
import type { BackupHead } from './backup-head.ts'
import { checkContents } from './check-contents.ts'
import type { BackupContents } from './check-contents.ts'
import { readBackup } from './read-backup.ts'
import type { ReadEntries } from './read-backup.ts'

/** Options of a verification. */
export interface VerifyOptions {
  readonly onProgress?: (readBytes: number) => void
  readonly onRepository?: (fullName: string) => void
  readonly signal?: AbortSignal
}

/**
 * Restores a backup to a temporary folder and opens everything in it.
 *
 * @throws BackupError which describes the defect.
 */
export async function verifyBackup(
  path: string,
  options: VerifyOptions = {},
): Promise<BackupHead & BackupContents & ReadEntries> {
  const scratch = await mkdtemp(join(tmpdir(), 'texproof-verify-'))
  const folder = join(scratch, 'data')
  try {
    const head = await readBackup(path, {
      ...options,
      scratch,
      place: (name) => join(folder, name),
      onHead: requireKnownMigrations,
    })
    return { ...head, ...(await checkContents(folder, options)) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
