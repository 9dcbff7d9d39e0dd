/** The Node entry: compiles remotely when a service URL resolves, locally otherwise. */
export { compile } from './compile.ts'
export { createPlatexClient } from './create-platex-client.ts'
export { handleCompileRequest } from './handle-compile-request.ts'
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
