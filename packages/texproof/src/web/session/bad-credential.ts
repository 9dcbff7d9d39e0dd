/** A token was sent and it is unknown or expired: said on every page, also where none is needed. */
export class BadCredential extends Error {
  override readonly name = 'BadCredential'
}
