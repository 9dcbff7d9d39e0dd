import { createHmac } from 'node:crypto'

import { sealPurposes } from '../base/sealing/seal-purposes.ts'
import { sealText, unsealText } from '../base/sealing/seal-text.ts'

/** A webhook's secret, sealed for its repository. */
export interface SecretPlace {
  readonly dataDir: string
  readonly repositoryId: number
}

/** Encrypts the secret of a webhook. */
export function sealSecret(secret: string, { dataDir, repositoryId }: SecretPlace): Promise<string> {
  return sealText(secret, { dataDir, purpose: sealPurposes.webhook(repositoryId) })
}

/** Decrypts it; null if the sealing key is missing. */
export function unsealSecret(sealed: string, { dataDir, repositoryId }: SecretPlace): Promise<string | null> {
  return unsealText(sealed, { dataDir, purpose: sealPurposes.webhook(repositoryId) })
}

/** The value of `X-Texproof-Signature-256`. */
export function signPayload(payload: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`
}
