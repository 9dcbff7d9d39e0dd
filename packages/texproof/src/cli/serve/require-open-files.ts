import { readFile } from 'node:fs/promises'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** A start requires about 80; the rest is for connections, git and builds. */
const minOpenFiles = 256

/**
 * Refuses a limit of open files that is too low for a server. SQLite, git and the sandbox each report it as another
 * failure, or only once the server has clients.
 *
 * @throws CliError with the remedy.
 */
export async function requireOpenFiles(): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '') // Without /proc, the limit is unknown.
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [] // May also be `unlimited`.
  if (limit === undefined || Number(limit) >= minOpenFiles) return
  throw new CliError(`the limit of open files is ${limit}, and a server requires at least ${minOpenFiles}`, {
    exitCode: exitCodes.failed,
    remedy: 'Raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in the systemd unit.',
  })
}
