/** The client entry: no Node, so browsers and edge runtimes can use it. It compiles remotely only. */
export { createPlatexClient } from './remote/create-platex-client.ts'
export { handleCompileRequest } from './remote/handle-compile-request.ts'
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
