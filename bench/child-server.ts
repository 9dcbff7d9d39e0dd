/** Starts and ends the servers of a benchmark. */
import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'

/** A free port. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Ends a process and waits until it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}

/** Ends a process started with `detached`, and the processes that it forked. */
export async function endProcessGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.pid !== undefined) process.kill(-child.pid)
  await ended
}
