import { readFile } from 'node:fs/promises'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** A start requires about 80; the rest is for connections, git and builds. */
const minOpenFiles = 256

/**
 * Returns the limit of open files, and refuses one that is too low for a server. SQLite, git and the sandbox each report it as
 * another failure, or only once the server has clients.
 *
 * @returns Infinity if the limit is unknown, or there is none.
 * @throws CliError with the remedy.
 */
export async function requireOpenFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '') // Without /proc, the limit is unknown.
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [] // May also be `unlimited`.
  const openFiles = Number(limit ?? Infinity)
  if (openFiles >= minOpenFiles) return openFiles
  throw new CliError(`the limit of open files is ${limit}, and a server requires at least ${minOpenFiles}`, {
    exitCode: exitCodes.failed,
    remedy: 'Raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in the systemd unit.',
  })
}
