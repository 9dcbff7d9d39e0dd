import { once } from 'node:events'
import type { Server } from 'node:http'

import type { Listen } from '../../config/parse-values.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { findPortHolder } from './find-port-holder.ts'

/**
 * Starts listening and returns the port, which differs from the requested one only for 0. `flag` sets the address.
 *
 * @throws CliError 2 naming the process that uses the port, or why the address is unavailable.
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

/** A resolver may return only ::1, but scripts may connect to 127.0.0.1. */
function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}

async function explain(error: unknown, { host, port, flag }: Listen & { readonly flag: string }): Promise<unknown> {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') {
    const holder = await findPortHolder(port)
    const by = holder === null ? '' : ` by "${holder.name}" (pid ${holder.pid})`
    return refuse(
      `port ${port} is already in use${by}`,
      `Use another port: ${flag}${host === 'localhost' ? '' : host}:${port + 1}`,
    )
  }
  if (code === 'EACCES') return refuse(`no permission to listen on port ${port}`, `Use a port above 1023: ${flag}:3000`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return refuse(
      `address "${host}" is not available on this machine`,
      'Use 127.0.0.1 (this machine only) or 0.0.0.0 (all networks).',
    )
  }
  return error
}

function refuse(message: string, remedy: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, remedy })
}
