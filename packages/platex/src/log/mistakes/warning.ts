import type { LatexWarning } from '../../base/types.ts'

/** A warning of a mistake in a source; `line` counts from 1. */
export function warning(file: string, line: number, message: string): LatexWarning {
  return { type: 'warning', code: 'other', file, line, message }
}
