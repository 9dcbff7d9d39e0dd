/** Entry `@texproof/platex/advice`: what a diagnostic means and what to do, in plain words. Pure, for any runtime. */

export { adviceCodes, adviseOn, codeOf } from '../explain/advise-on.ts'
export { gatherKnowledge } from '../explain/gather-knowledge.ts'
export type { Advice, Knowledge } from '../explain/types.ts'
