import { nameKey } from '../../domain/names.ts'

/** What two addresses of repositories have in common that must not both exist: `owner/name` in lower case. */
export function fullNameKey(owner: string, name: string): string {
  return `${nameKey(owner)}/${nameKey(name)}`
}
