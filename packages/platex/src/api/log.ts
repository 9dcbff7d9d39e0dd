/** Entry point `@texproof/platex/log`: the log parser alone, for logs of other compilers. */

export { parseLog, type ParseLogOptions } from '../log/parse-log.ts'
export { parseEngineLog } from '../log/parse-engine-log.ts'
export { parseBibliographyLog } from '../log/bibliography/parse-bibliography-log.ts'
export { mergeDiagnostics } from '../log/merge-diagnostics.ts'
export type { BibliographyLog, Diagnostics, EngineLog } from '../log/types.ts'
export type { Engine, LatexError, LatexWarning, WarningCode } from '../base/types.ts'
