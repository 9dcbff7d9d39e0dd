import { hash, randomBytes } from 'node:crypto'

/** An unguessable text for cookies and links: 256 bits, base64url. */
export function makeSecretText(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256, hex: the only form in which such a text is stored. 256 random bits need no slow hash. */
export function hashSecretText(text: string): string {
  return hash('sha256', text, 'hex')
}
