import { oneLine } from '../../domain/text/one-line.ts'

const maxLength = 100

/** Parses the name of a passkey to one line; null if it is empty or too long. */
export function parsePasskeyName(typed: string): string | null {
  const name = oneLine(typed)
  return name === '' || name.length > maxLength ? null : name
}
