import { CompileInputError } from '../base/errors.ts'
import { OUTPUT_NAMES } from '../base/output-names.ts'
import type { OutputName } from '../base/types.ts'

/**
 * Checks which files beside the PDF are asked for; each is kept once.
 *
 * @throws CompileInputError unless absent or an array of known names.
 */
export function parseOutputs(input: unknown): readonly OutputName[] {
  if (input === undefined || input === null) return []
  const items: readonly unknown[] = Array.isArray(input) ? input : [null]
  const names = OUTPUT_NAMES.filter((name) => items.includes(name))
  if (items.every((item) => names.some((name) => name === item))) return names
  throw new CompileInputError(`outputs must be an array of: ${OUTPUT_NAMES.join(', ')}`, {
    code: 'INVALID_INPUT',
    path: 'outputs',
  })
}
