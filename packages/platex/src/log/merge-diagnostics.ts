import type { Diagnostics } from './types.ts'
import type { LatexError, LatexWarning } from '../base/types.ts'

/**
 * Joins the diagnostics of several logs in order, without repetitions: equal ones, LaTeX's summaries of warnings that are
 * listed, and missing entries of a bibliography tool that LaTeX reports with their line are dropped.
 */
export function mergeDiagnostics(parts: readonly Diagnostics[]): Diagnostics {
  const errors = unique(parts.flatMap((part) => part.errors))
  const warnings = unique(parts.flatMap((part) => part.warnings))
  return { errors, warnings: withoutEchoes(warnings).filter((warning) => !isAlsoError(warning, errors)) }
}

/** LaTeX warns of a missing picture, and the driver reports an error. */
function isAlsoError({ message }: LatexWarning, errors: readonly LatexError[]): boolean {
  const name = /^LaTeX Warning: File [`'](.+?)' not found(?: on input line \d+)?/.exec(message)?.[1]
  if (name === undefined) return false
  const isWindows = message.includes('\\on@line')
  return errors.some((error) => {
    const isPicture = error.message.includes('not found: using draft setting')
    // The line of the error can be another one: beamer reads a frame as a whole, and the error was found in the source.
    return (isPicture && isWindows) || (error.message.includes(`\`${name}'`) && error.message.includes(' not found'))
  })
}

function unique<
  Diagnostic extends { readonly file: string | null; readonly line: number | null; readonly message: string },
>(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics.filter((diagnostic) => {
    const code = 'code' in diagnostic ? diagnostic.code : null
    const key = `${code}\n${diagnostic.file}\n${diagnostic.line}\n${diagnostic.message}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function withoutEchoes(warnings: readonly LatexWarning[]): readonly LatexWarning[] {
  const named = new Set(warnings.filter((warning) => !isSummary(warning)).map(({ code }) => code))
  const citations = new Set(warnings.filter(isCitationOfLatex).map(keyOf))
  return warnings.filter((warning) => {
    if (isSummary(warning))
      return !named.has(warning.code) && !(isOfReferences(warning) && named.has('undefined-citation'))
    return warning.code !== 'undefined-citation' || isCitationOfLatex(warning) || !citations.has(keyOf(warning))
  })
}

function isSummary({ message }: LatexWarning): boolean {
  return /There were (?:undefined|multiply)/.test(message)
}

/** LaTeX counts citations among the references. */
function isOfReferences({ message }: LatexWarning): boolean {
  return message.includes('There were undefined references')
}

function isCitationOfLatex({ code, message }: LatexWarning): boolean {
  return code === 'undefined-citation' && /[Cc]itation [`'"]/.test(message)
}

function keyOf({ message }: LatexWarning): string {
  const quoted = /(?:[Cc]itation|entry for) [`'"]([^`'"]+)['"]/.exec(message)?.[1]
  return quoted ?? /in the database: (\S+)/.exec(message)?.[1] ?? message
}
