import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

import { findSealingKey, getSealingKey } from './sealing-key.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** The data directory and purpose of a sealed text. It can be opened only with the same values. */
export interface Seal {
  readonly dataDir: string
  /** Use of the sealed text, for example `second-factor:USER_ID`. */
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

/** Decrypts a sealed text; null if it was changed, sealed for another purpose, or its key is missing. */
export async function unsealText(sealed: string, { dataDir, purpose }: Seal): Promise<string | null> {
  const key = await findSealingKey(dataDir)
  return key === null ? null : unsealWithKey(sealed, { key, purpose })
}

/** The same with a key that may differ from the key of the data directory. */
export function unsealWithKey(
  sealed: string,
  { key, purpose }: { readonly key: Buffer; readonly purpose: string },
): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    // The authentication tag is invalid, the only error of final().
    return null
  }
}
