/**
 * What a diagnostic means and what to do, from the first rule that knows it. TeX's own words stay beside it wherever it
 * is shown: this is for who does not read them.
 */
import type { LatexError, LatexWarning, MissingPackage, WarningCode } from '../base/types.ts'
import { RULES } from './rules.ts'
import type { Explanation, Knowledge } from './types.ts'

/** Kinds of warnings that no rule is needed for: the parser has told them apart. */
const WARNING_CODES: ReadonlySet<string> = new Set<WarningCode>([
  'overfull-hbox',
  'underfull-hbox',
  'overfull-vbox',
  'underfull-vbox',
  'font-warning',
  'package-warning',
])

const NOTHING: Knowledge = {
  commands: new Set(),
  environments: new Set(),
  labels: new Set(),
  citations: new Set(),
  files: new Set(),
}

/** Says in plain words what a diagnostic means; null where TeX's own words are as good. */
export function explainDiagnostic(
  diagnostic: LatexError | LatexWarning,
  knowledge: Knowledge = NOTHING,
): Explanation | null {
  const context = diagnostic.type === 'error' ? (diagnostic.context ?? '') : ''
  const found = findRule(diagnostic)
  const { line } = diagnostic
  const explanation = found?.rule[2]({ match: found.match, message: found.message, context, line, knowledge }) ?? null
  // The compiling machine knows what it lacks; a rule can only guess.
  const { remedy, package: missing } = diagnostic
  if (remedy === undefined) return explanation
  return { summary: explanation?.summary ?? summarize(missing, found?.message ?? diagnostic.message), remedy }
}

function summarize(missing: MissingPackage | undefined, message: string): string {
  return missing === undefined ? message : `${missing.provides} is not installed.`
}

/** Of what kind a diagnostic is, one of `diagnosticCodes`; null for what nobody has a name for. */
export function codeOf(diagnostic: LatexError | LatexWarning): string | null {
  const found = findRule(diagnostic)
  if (found !== null) return found.rule[0]
  return diagnostic.type === 'warning' && WARNING_CODES.has(diagnostic.code) ? diagnostic.code : null
}

/** Every kind of diagnostic that has a name. */
export const diagnosticCodes: readonly string[] = [...new Set([...RULES.map(([code]) => code), ...WARNING_CODES])]

function findRule(
  diagnostic: LatexError | LatexWarning,
): { readonly rule: (typeof RULES)[number]; readonly match: RegExpExecArray; readonly message: string } | null {
  // One line: TeX breaks messages where they get long.
  const message = diagnostic.message.replaceAll(/\s+/g, ' ')
  for (const rule of RULES) {
    const match = rule[1].exec(message)
    if (match !== null && (rule[3]?.(diagnostic) ?? true)) return { rule, match, message }
  }
  return null
}
