import { once } from 'node:events'
import type { Server } from 'node:http'

import type { Listen } from '../../config/parse-listen.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { findPortHolder } from './find-port-holder.ts'

/**
 * Starts to listen and gives the port, which is the one asked for unless that was 0. `flag` is what sets the address.
 *
 * @throws CliError 2 saying who holds the port or why the address cannot be had.
 */
export async function listen(server: Server, { host, port }: Listen, flag = '--listen '): Promise<number> {
  try {
    server.listen({ host: addressOf(host), port })
    await once(server, 'listening')
  } catch (error) {
    throw await explain(error, { host, port, flag })
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** A resolver may name ::1 alone, and then a script that asks 127.0.0.1 finds nobody. */
function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}

async function explain(error: unknown, { host, port, flag }: Listen & { readonly flag: string }): Promise<unknown> {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') {
    const holder = await findPortHolder(port)
    const by = holder === null ? '' : ` by "${holder.name}" (pid ${holder.pid})`
    return refuse(`port ${port} is in use${by}`, `Use another: ${flag}${host === 'localhost' ? '' : host}:${port + 1}`)
  }
  if (code === 'EACCES')
    return refuse(`port ${port} needs more rights than this user has`, `Use one above 1023: ${flag}:3000`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return refuse(
      `this machine has no address "${host}"`,
      'Use 127.0.0.1 (this machine only) or 0.0.0.0 (every network).',
    )
  }
  return error
}

function refuse(message: string, remedy: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, remedy })
}
