/** Entry `@texproof/platex/advice`: what a diagnostic means and what to do, in plain words. Pure, for any runtime. */

export { adviceCodes, adviseOn, codeOf } from './advice/advise-on.ts'
export { gatherKnowledge } from './advice/gather-knowledge.ts'
export type { Advice, Knowledge } from './advice/types.ts'
