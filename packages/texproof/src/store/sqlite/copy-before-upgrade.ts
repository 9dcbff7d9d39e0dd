/**
 * Copies of the database before each upgrade of its schema, so that the previous version can be started again. Their
 * names contain the number of migrations, so their order does not depend on a clock.
 */
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'

/** Number of copies to keep. */
const KEPT = 3

const form = /^texproof-(\d{4})-migrations\.db$/

/** Copies the database of a data directory as it is, and deletes the oldest copies. */
export async function copyBeforeUpgrade(
  dataDir: string,
  { migrationCount }: { readonly migrationCount: number },
): Promise<void> {
  const folder = join(dataDir, 'before-upgrade')
  await makeFolderDurably(folder)
  const copy = join(folder, `texproof-${String(migrationCount).padStart(4, '0')}-migrations.db`)
  const draft = `${copy}.part`
  await rm(draft, { force: true }) // of an upgrade that was cut off
  try {
    copyDatabase(join(dataDir, 'texproof.db'), draft)
    const file = await open(draft, 'r+')
    try {
      await file.chmod(0o600)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, copy)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(folder)
  const copies = (await readdir(folder)).filter((name) => form.test(name)).toSorted()
  for (const name of copies.slice(0, -KEPT)) await rm(join(folder, name), { force: true })
}

function copyDatabase(path: string, target: string): void {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  try {
    database.prepare('VACUUM INTO ?').run(target)
  } finally {
    database.close()
  }
}
