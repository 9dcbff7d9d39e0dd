import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'

/** Prefix of the names under which servers and commands hold leases. */
export const LOCAL_WORKERS = 'local-'

/** The name under which a server of a PostgreSQL database holds leases. */
export function instanceWorker(instanceId: string): string {
  return `${LOCAL_WORKERS}${instanceId}`
}

/**
 * The name under which a host holds leases. It is the same after a restart: the lock of the data directory proves that the
 * earlier process has ended, so the next one takes its builds at once.
 */
export function localWorker(dataDir: string): string {
  const place = createHash('sha256')
    .update(`${hostname()}\0${resolve(dataDir)}`)
    .digest('hex')
  return `${LOCAL_WORKERS}${place.slice(0, 16)}`
}
