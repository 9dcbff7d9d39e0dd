import type { CompileRequest } from '../options/compile-request.ts'
import type { CompileProgress, CompileResult, SandboxMode } from '../base/types.ts'

export interface LocalCompileOptions {
  readonly sandbox: SandboxMode
  /** Where formats and font caches are kept. @default a folder of this user below the system's temporary folder */
  readonly cacheDir?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}

/** Compiles on this machine. The client entry has none, which is what keeps it free of Node. */
export type LocalCompiler = (request: CompileRequest, options: LocalCompileOptions) => Promise<CompileResult>
