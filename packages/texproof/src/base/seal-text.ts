import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

import { findSealingKey, getSealingKey } from './sealing-key.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Where a sealed text belongs: it opens there and nowhere else. */
export interface Seal {
  readonly dataDir: string
  /** Such as `second-factor:ID OF THE USER`. */
  readonly purpose: string
}

/** Encrypts a text with the key of the data directory (AES-256-GCM): nonce, tag, ciphertext, as base64url. */
export async function sealText(text: string, { dataDir, purpose }: Seal): Promise<string> {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, await getSealingKey(dataDir), nonce)
  cipher.setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The text again; null when it was changed, sealed for another purpose, or with a key that is gone. */
export async function unsealText(sealed: string, { dataDir, purpose }: Seal): Promise<string | null> {
  const key = await findSealingKey(dataDir)
  const bytes = Buffer.from(sealed, 'base64url')
  if (key === null || bytes.length < nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    // The tag does not fit, which is the one thing that final() finds.
    return null
  }
}
