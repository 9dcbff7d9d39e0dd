/** The client entry: no Node, so browsers and edge runtimes can use it. It compiles remotely only. */
export { createPlatexClient } from '../client/create-platex-client.ts'
export { handleCompileRequest } from '../client/handle-compile-request.ts'
export { createRequestHandler } from '../service/create-request-handler.ts'
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
} from '../base/types.ts'
