/**
 * The key that seals secrets in the database. It is in a file next to the database, so a copy of the database alone
 * reveals no secrets; a backup of the data directory contains both. It is created with the first secret and never
 * changes.
 */
import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { syncFolder } from '../durable-file.ts'

const keyBytes = 32

/** Name of the key file in the data directory, readable only by its owner. */
export const sealingKeyFile = 'sealing.key'

/**
 * The key of a data directory; null if nothing was ever sealed there, or the file is missing.
 *
 * @throws when the file does not contain a valid key.
 */
export async function findSealingKey(dataDir: string): Promise<Buffer | null> {
  const path = join(dataDir, sealingKeyFile)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  if (!/^[0-9a-f]{64}\n$/.test(text)) throw new Error(`${path} contains no key: restore it from a backup`)
  return Buffer.from(text.trim(), 'hex')
}

/** The key of a data directory, created if there is none: concurrent processes all get the same. */
export async function getSealingKey(dataDir: string): Promise<Buffer> {
  return (await findSealingKey(dataDir)) ?? (await createSealingKey(dataDir, randomBytes(keyBytes).toString('hex')))
}

/** Saves a key of 64 hexadecimal digits in a data directory; false if the directory has another key. */
export async function saveSealingKey(dataDir: string, key: string): Promise<boolean> {
  const saved = (await findSealingKey(dataDir)) ?? (await createSealingKey(dataDir, key))
  return saved.toString('hex') === key
}

async function createSealingKey(dataDir: string, key: string): Promise<Buffer> {
  const path = join(dataDir, sealingKeyFile)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${key}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    // A link is created atomically, and never replaces an existing one.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    // Before the database contains what only this key can decrypt.
    await syncFolder(dataDir)
  } finally {
    await rm(draft, { force: true })
  }
  const made = await findSealingKey(dataDir)
  if (made === null) throw new Error(`${path} was deleted while it was being created`)
  return made
}
