import type { Scope } from './types.ts'

/** Every scope, in display order. */
export const allScopes: readonly Scope[] = ['repo:write']

/**
 * Parses a space- or comma-separated list of scopes. Unknown words are removed, so that an old token never gains a new
 * scope.
 */
export function parseScopes(text: string): readonly Scope[] {
  const words = text.split(/[\s,]+/)
  return allScopes.filter((scope) => words.includes(scope))
}
