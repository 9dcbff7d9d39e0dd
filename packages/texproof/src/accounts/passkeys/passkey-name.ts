import { oneLine } from '../../domain/text/one-line.ts'

const maxLength = 100

/** What somebody calls a passkey, in one line; null for nothing, and for too much. */
export function parsePasskeyName(typed: string): string | null {
  const name = oneLine(typed)
  return name === '' || name.length > maxLength ? null : name
}
