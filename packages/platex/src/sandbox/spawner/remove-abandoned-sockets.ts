import { readdir, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'

/** Name of the socket in its folder. */
export const SOCKET_NAME = 'socket'

/**
 * Removes the folders whose socket no process listens to: they belong to processes that were killed. A connection is the only
 * test that also holds among containers, whose process ids differ.
 */
export async function removeAbandonedSockets(root: string, prefix: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(prefix)) continue
    const folder = join(root, name)
    if (await isRefused(join(folder, SOCKET_NAME))) await rm(folder, { recursive: true, force: true })
  }
}

/** A missing socket is not refused: its process is about to create it. */
function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path })
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
}
