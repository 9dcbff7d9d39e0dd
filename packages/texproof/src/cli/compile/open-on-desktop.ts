import { setTimeout as sleep } from 'node:timers/promises'

import openWithDesktop from 'open'

/** A failing opener exits at once; a working one may run as long as its window. */
const patienceMs = 1_000

/** Opens a file or an address with the desktop's default application; false if there is none. */
export async function openOnDesktop(target: string): Promise<boolean> {
  const heard = new AbortController()
  try {
    const opener = await openWithDesktop(target)
    const exit = Promise.withResolvers<number | null>()
    opener.once('exit', exit.resolve).once('error', () => exit.resolve(1))
    const patience = sleep(patienceMs, null, { signal: heard.signal })
    const code = await Promise.race([exit.promise, patience])
    return code === null || code === 0
  } catch {
    return false // No opener at all, as on a server.
  } finally {
    heard.abort()
  }
}
