import { isLoopback } from '../config/read-config.ts'

/**
 * The address that a request came from. A proxy on this machine is believed when it names the address it was asked from,
 * by the last entry of `X-Forwarded-For`, the one it wrote itself; no other client is.
 */
export function clientAddress(remoteAddress: string | undefined, forwardedFor: string | undefined): string {
  const address = remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
  const forwarded = forwardedFor?.split(',').at(-1)?.trim()
  const isProxied = forwarded !== undefined && /^[0-9a-fA-F.:]{2,45}$/.test(forwarded) && isLoopback(address)
  return isProxied ? forwarded : address
}
