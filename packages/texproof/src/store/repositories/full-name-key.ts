import { nameKey } from '../../domain/names.ts'

/** The unique key of a repository's full name: `owner/name` in lower case. */
export function fullNameKey(owner: string, name: string): string {
  return `${nameKey(owner)}/${nameKey(name)}`
}
