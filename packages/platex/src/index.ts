/** The Node entry: compiles remotely when a service URL resolves, locally otherwise. */
export { compile } from './local/compile.ts'
export { createPlatexClient } from './local/create-platex-client.ts'
export { handleCompileRequest } from './local/handle-compile-request.ts'
export { createRequestHandler } from './handler/create-request-handler.ts'
export type {
  BibEngine,
  CompileLimits,
  CompileOptions,
  CompileOutputs,
  CompileProgress,
  CompileResult,
  Engine,
  LatexError,
  LatexWarning,
  MissingPackage,
  OutputName,
  PassCount,
  PlatexClient,
  PlatexClientConfig,
  RawPassLog,
  WarningCode,
} from './types.ts'
