import type { CompileResult } from '@texproof/platex'

import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'

/** The exit code of a finished compile. */
export function compileExitCode(
  result: CompileResult,
  options: { readonly allowErrors: boolean; readonly maxWarnings: number | null },
): ExitCode {
  if (result.logs.some((log) => log.timedOut)) return exitCodes.timedOut
  if (result.pdf === null) return exitCodes.failed
  if (result.errors.length > 0 && !options.allowErrors) return exitCodes.pdfWithErrors
  const { maxWarnings } = options
  return maxWarnings !== null && result.warnings.length > maxWarnings ? exitCodes.tooManyWarnings : exitCodes.good
}
