import type { GitPerson } from '../types.ts'

/** A person as a commit names them: git ends a name at `<` and a line at a newline, so neither may come in with it. */
export function encodePerson({ name, email, at }: GitPerson): string {
  const clean = (text: string): string => text.replaceAll(/[<>\n\r\0]/g, '').trim()
  return `${clean(name) || 'unknown'} <${clean(email)}> ${Math.floor(at / 1_000)} +0000`
}
