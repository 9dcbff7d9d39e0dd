import { expressibleTime } from '../../domain/text/expressible-time.ts'

/** Times of the API: UTC, whole seconds, `2026-01-31T12:00:00Z`. */
export function timestamp(epochMs: number): string {
  return new Date(expressibleTime(epochMs)).toISOString().replace(/\.\d+Z$/, 'Z')
}
