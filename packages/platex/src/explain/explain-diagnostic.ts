/**
 * What a diagnostic means and how to fix it, from the first rule that matches. Every surface shows TeX's own message, too:
 * explanations are for readers who do not know TeX.
 */
import type { LatexError, LatexWarning, MissingPackage, WarningCode } from '../base/types.ts'
import { explainOwnPackage } from './own-packages.ts'
import { RULES } from './rules.ts'
import type { Explanation, Knowledge, Rule } from './types.ts'

/** Warnings that need no rule: the parser has set their code. */
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
  internals: new Set(),
  environments: new Set(),
  labels: new Set(),
  nodes: new Set(),
  entries: new Set(),
  citations: new Set(),
  packages: new Set(),
  classes: new Set(),
  files: new Set(),
  lfsPointers: new Set(),
  submodules: new Set(),
}

/** Explains a diagnostic in plain words; null if TeX's own message is as clear. */
export function explainDiagnostic(
  diagnostic: LatexError | LatexWarning,
  knowledge: Knowledge = NOTHING,
): Explanation | null {
  const context = diagnostic.type === 'error' ? (diagnostic.context ?? '') : ''
  const found = findRule(diagnostic)
  const { line } = diagnostic
  const explanation = found?.rule[2]({ match: found.match, message: found.message, context, line, knowledge }) ?? null
  // The machine that compiled reports what is missing; a rule can only guess.
  const { remedy, package: missing } = diagnostic
  if (remedy === undefined || isOfProject(missing, knowledge)) return explanation
  return { summary: explanation?.summary ?? summarize(missing, found?.message ?? diagnostic.message), remedy }
}

/** Authors who bring a class along want their own. */
function isOfProject(missing: MissingPackage | undefined, { files }: Knowledge): boolean {
  return missing !== undefined && explainOwnPackage(missing.provides, files) !== null
}

function summarize(missing: MissingPackage | undefined, message: string): string {
  return missing === undefined ? message : `${missing.provides} is not installed.`
}

/** The code of a diagnostic, one of `diagnosticCodes`; null if it has none. */
export function codeOf(diagnostic: LatexError | LatexWarning): string | null {
  const found = findRule(diagnostic)
  if (found !== null) return found.rule[0]
  return diagnostic.type === 'warning' && WARNING_CODES.has(diagnostic.code) ? diagnostic.code : null
}

/** All codes of diagnostics. */
export const diagnosticCodes: readonly string[] = [...new Set([...RULES.map(([code]) => code), ...WARNING_CODES])]

interface FoundRule {
  readonly rule: Rule
  readonly match: RegExpExecArray
  readonly message: string
}

/** Finding causes asks for the code of an error once for every other error. */
const foundRules = new WeakMap<LatexError | LatexWarning, FoundRule | null>()

function findRule(diagnostic: LatexError | LatexWarning): FoundRule | null {
  const known = foundRules.get(diagnostic)
  if (known !== undefined) return known
  const found = matchRules(diagnostic)
  foundRules.set(diagnostic, found)
  return found
}

function matchRules(diagnostic: LatexError | LatexWarning): FoundRule | null {
  // On one line: TeX breaks long messages.
  const message = diagnostic.message.replaceAll(/\s+/g, ' ')
  for (const rule of RULES) {
    const match = rule[1].exec(message)
    if (match !== null && (rule[3]?.(diagnostic) ?? true)) return { rule, match, message }
  }
  return null
}
