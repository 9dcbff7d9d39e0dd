import type { CompileOptions, CompileResult } from '../base/types.ts'
import { createPlatexClient } from './create-platex-client.ts'

const client = createPlatexClient()

/**
 * Compiles LaTeX to PDF: remotely when a service URL resolves, locally otherwise.
 *
 * `source` may be null when `options.files` holds the root file that `options.main` names.
 *
 * LaTeX that fails is no throw: check `result.pdf` and read `result.errors`.
 *
 * @throws CompileInputError for a broken request; RemoteCompileError when a service brings no result; PlatexError when
 * there is nothing to compile with; the signal's reason when cancelled.
 */
export function compile(source: string | null, options: CompileOptions = {}): Promise<CompileResult> {
  return client.compile(source, options)
}
