import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { NotFound } from '../session/errors.ts'

/** An image that is opened directly runs no scripts. */
const POLICY = "default-src 'none'; sandbox"

/** `GET /assets/avatars/{id}`: an image, addressed by the hash of its content and immutable. Avatars are public. */
export async function sendAvatar(c: Context, { store }: Pick<Deps, 'store'>): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const found = /^[0-9a-f]{64}$/.test(id) ? await store.avatars.find(id) : null
  if (found === null) throw new NotFound()
  return c.body(found.bytes, 200, {
    'content-type': found.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': POLICY,
    // The API returns this address, so pages of other sites may embed the image.
    'cross-origin-resource-policy': 'cross-origin',
  })
}
