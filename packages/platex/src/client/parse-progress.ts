import type { CompileProgress } from '../base/types.ts'

/** Reads one progress event; null for a kind that we do not know, from a newer service. */
export function parseProgress(text: string): CompileProgress | null {
  const fields = parseFields(text)
  const { kind, passNumber, program, reason, page, durationMs } = fields
  if (kind === 'skipped' && isText(program) && isText(reason)) return { kind, program, reason }
  if (typeof passNumber !== 'number') return null
  if (kind === 'page' && typeof page === 'number') return { kind, passNumber, page }
  if (!isText(program)) return null
  if (kind === 'pass-started' && isText(reason)) return { kind, passNumber, program, reason }
  if (kind === 'pass-ended' && typeof durationMs === 'number') return { kind, passNumber, program, durationMs }
  return null
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // Progress is no result: what cannot be read is left out.
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
