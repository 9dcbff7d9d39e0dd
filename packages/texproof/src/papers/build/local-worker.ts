import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'

/**
 * The name under which a host holds leases. It is the same after a restart: the lock of the data directory proves that the
 * earlier process has ended, so the next one takes its builds at once.
 */
export function localWorker(dataDir: string): string {
  const place = createHash('sha256')
    .update(`${hostname()}\0${resolve(dataDir)}`)
    .digest('hex')
  return `local-${place.slice(0, 16)}`
}
