import type { IncomingMessage } from 'node:http'

/**
 * Whether a request has more than one `Authorization` header. Node.js keeps the first one; a proxy in front may have checked
 * another.
 */
export function hasTwoAuthorizations({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 13 && name.toLowerCase() === 'authorization') count += 1
  }
  return count > 1
}
