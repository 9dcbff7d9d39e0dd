/**
 * What a diagnostic means and what to do, from the first rule that knows it. TeX's own words stay beside it wherever it
 * is shown: this is for who does not read them.
 */
import type { LatexError, LatexWarning } from '../types.ts'
import { RULES } from './rules.ts'
import type { Advice, Knowledge } from './types.ts'

const NOTHING: Knowledge = {
  commands: new Set(),
  environments: new Set(),
  labels: new Set(),
  citations: new Set(),
  files: new Set(),
}

/** Says in plain words what a diagnostic means; null where TeX's own words are as good. */
export function adviseOn(diagnostic: LatexError | LatexWarning, knowledge: Knowledge = NOTHING): Advice | null {
  const context = diagnostic.type === 'error' ? (diagnostic.context ?? '') : ''
  // One line: TeX breaks messages where they get long.
  const message = diagnostic.message.replaceAll(/\s+/g, ' ')
  for (const [pattern, advise] of RULES) {
    const match = pattern.exec(message)
    if (match !== null) return advise({ match, message, context, knowledge })
  }
  return null
}
