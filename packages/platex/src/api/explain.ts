/** Entry point `@texproof/platex/explain`: explains diagnostics in plain words. Pure, for any runtime. */

export { diagnosticCodes, explainDiagnostic, codeOf } from '../explain/explain-diagnostic.ts'
export { gatherKnowledge } from '../explain/gather-knowledge.ts'
export { isLfsPointer } from '../explain/lfs-pointers.ts'
export type { Explanation, Knowledge } from '../explain/types.ts'
