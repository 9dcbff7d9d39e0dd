import { isLoopback } from '../config/read-config.ts'

/**
 * The client address of a request. Only a proxy on this machine is trusted: the last entry of its `X-Forwarded-For`,
 * which it added itself, is the address.
 */
export function clientAddress(remoteAddress: string | undefined, forwardedFor: string | undefined): string {
  const address = remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
  const forwarded = forwardedFor?.split(',').at(-1)?.trim()
  const isProxied = forwarded !== undefined && /^[0-9a-fA-F.:]{2,45}$/.test(forwarded) && isLoopback(address)
  return isProxied ? forwarded : address
}
