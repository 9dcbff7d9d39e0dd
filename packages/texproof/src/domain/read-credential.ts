/**
 * The token in an `Authorization` header: Bearer, or Basic with any username and the token as password, as sent by git.
 * A token as the username with an empty or dummy password is also accepted, because some clients have only one field.
 */
export function readCredential(
  header: string | undefined,
): { readonly kind: 'none' } | { readonly kind: 'token'; readonly token: string } {
  if (header === undefined) return { kind: 'none' }
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(header) ?? []
  if (/^(?:bearer|token)$/i.test(scheme)) return { kind: 'token', token: value }
  if (!/^basic$/i.test(scheme)) return { kind: 'token', token: '' }
  const pair = Buffer.from(value, 'base64').toString()
  const colon = pair.indexOf(':')
  const user = colon === -1 ? pair : pair.slice(0, colon)
  const password = colon === -1 ? '' : pair.slice(colon + 1)
  return { kind: 'token', token: user.startsWith('pst_') && !password.startsWith('pst_') ? user : password }
}
