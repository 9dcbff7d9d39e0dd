import { accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { BackupError } from '../backup/backup-error.ts'
import { findStorageFailure } from '../base/storage-failure.ts'
import { ConfigError } from '../config/config-error.ts'
import { StoreRefused, StoreUnavailable } from '../store/sqlite/store-errors.ts'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { say } from './say.ts'

/** Prints why a command failed, and returns the exit code. */
export function reportFailure(error: unknown): ExitCode {
  if (error instanceof CliError) {
    sayWithRemedy(error.message, error.remedy)
    return error.exitCode
  }
  if (error instanceof ConfigError) {
    sayWithRemedy(error.message, error.remedy)
    return exitCodes.usage
  }
  if (error instanceof BackupError || error instanceof StoreRefused || error instanceof StoreUnavailable) {
    sayWithRemedy(error.message, error.remedy)
    return exitCodes.failed
  }
  const reason = error instanceof Error ? error : new Error(String(error))
  const place = placeOfSyntaxError(reason)
  if (place !== null) say(place)
  if (isAboutTemporaryFolder(reason)) {
    sayWithRemedy(
      `cannot use ${tmpdir()} for temporary files: ${reason.message}`,
      'Set TMPDIR to a writable directory.',
    )
    return exitCodes.failed
  }
  const isFull = findStorageFailure(reason) === 'full'
  sayWithRemedy([...listCauses(reason)].join(': '), isFull ? 'Free up disk space, and run the command again.' : null)
  // Known conditions have a code and a clear message; for internal errors the stack is printed, too.
  if (!('code' in reason)) say(reason.stack?.split('\n').slice(1).join('\n') ?? '')
  return exitCodes.failed
}

/** Whether a file cannot be created because the folder of temporary files is missing or closed to this user. */
function isAboutTemporaryFolder(error: Error): boolean {
  const path = 'path' in error ? String(error.path) : ''
  if (path !== tmpdir() && !path.startsWith(join(tmpdir(), '/'))) return false
  try {
    accessSync(tmpdir(), constants.W_OK | constants.X_OK)
    return !statSync(tmpdir()).isDirectory()
  } catch {
    return true // Missing, or closed to this user.
  }
}

/** Place of a syntax error: Node puts file, line and a caret above the stack. Null for other errors. */
function placeOfSyntaxError(error: Error): string | null {
  const place = error instanceof SyntaxError ? error.stack?.split('\n\n')[0] : undefined
  return place === undefined || place.startsWith('SyntaxError') ? null : place
}

function sayWithRemedy(message: string, remedy: string | null): void {
  say(`texproof: ${message}`)
  if (remedy !== null) say(`          ${remedy}`)
}

function* listCauses(error: Error): Generator<string> {
  yield error.message
  if (!(error.cause instanceof Error)) return
  // Some messages contain the message of their cause.
  const causes = [...listCauses(error.cause)]
  yield* causes.filter((cause) => !error.message.includes(cause))
}
