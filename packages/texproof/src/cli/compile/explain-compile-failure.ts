import { PlatexError, RemoteCompileError } from '@texproof/platex/errors'
import type { PlatexErrorCode } from '@texproof/platex/errors'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'

/** Turns errors of the compile library into messages with exit codes; others are returned unchanged. */
export function explainCompileFailure(error: unknown): unknown {
  if (!(error instanceof PlatexError)) return error
  if (isOverLimitThere(error)) {
    const remedy = 'Pass only the files that the document needs: -f refs.bib figures/*.pdf'
    return new CliError(error.message, { exitCode: exitCodes.tooLarge, remedy })
  }
  return new CliError(error.message, { exitCode: exitCodeOf[error.code] })
}

/** A service has one code for every invalid request; only the message names the limit. */
function isOverLimitThere(error: PlatexError): boolean {
  if (!(error instanceof RemoteCompileError) || error.code !== 'REJECTED') return false
  return error.status === 413 || /exceeds max(?:SourceBytes|FilesCount|TotalFilesBytes)/.test(error.message)
}

const exitCodeOf: Readonly<Record<PlatexErrorCode, ExitCode>> = {
  INVALID_INPUT: exitCodes.usage,
  BAD_FILENAME: exitCodes.usage,
  LIMIT: exitCodes.tooLarge,
  NO_ENGINE: exitCodes.noEngine,
  NO_SERVICE: exitCodes.usage,
  SANDBOX_UNAVAILABLE: exitCodes.failed,
  WORKER_MISSING: exitCodes.failed,
  NETWORK: exitCodes.unreachable,
  TIMEOUT: exitCodes.unreachable,
  BUSY: exitCodes.unreachable,
  UNAUTHORIZED: exitCodes.usage,
  REJECTED: exitCodes.usage,
  SERVICE_ERROR: exitCodes.unreachable,
  BAD_RESPONSE: exitCodes.unreachable,
}
