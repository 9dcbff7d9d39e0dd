import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'

import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

/** Reads a secret from a file, or from standard input for `-`, without its final newline. */
export async function readSecret(path: string): Promise<string> {
  const content = path === '-' ? await text(process.stdin) : await readSecretFile(path)
  const secret = content.replace(/\r?\n$/, '')
  if (secret !== '') return secret
  const place = path === '-' ? 'standard input' : path
  throw new CliError(`${place} is empty`, {
    exitCode: exitCodes.usage,
    remedy: 'Expected: the secret as one line of text.',
  })
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(`cannot read the secret: ${reason}`, { exitCode: exitCodes.usage })
  }
}
