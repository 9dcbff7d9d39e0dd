import type { Scope } from './types.ts'

/** Every scope there is, in the order shown to people. */
export const allScopes: readonly Scope[] = ['repo:write']

/** Scopes of a space- or comma-separated list; unknown words are dropped, so that an old token never gains by a new name. */
export function parseScopes(text: string): readonly Scope[] {
  const words = text.split(/[\s,]+/)
  return allScopes.filter((scope) => words.includes(scope))
}
