/** The environment variables that this package reads; an empty one counts as unset. */
export type EnvironmentVariable =
  | 'COMPILE_SERVICE_URL'
  | 'COMPILE_API_KEY'
  | 'COMPILE_MAX_CONCURRENT'
  | 'COMPILE_TECTONIC_BUNDLE'
  | 'PATH'

/**
 * Reads one environment variable; null if it is unset, if there is no environment (browsers) or no permission (Deno).
 *
 * The only place in this package that reads the environment. It has no `node:` imports, because the client entry point
 * uses it.
 */
export function readEnvironment(name: EnvironmentVariable): string | null {
  return readRaw(name) || null
}

/** True if the variable is set, even to the empty string. */
export function isSetInEnvironment(name: EnvironmentVariable): boolean {
  return readRaw(name) !== undefined
}

function readRaw(name: EnvironmentVariable): string | undefined {
  try {
    return typeof process === 'undefined' ? undefined : process.env?.[name]
  } catch {
    return undefined // Deno throws without permission: treated as unset.
  }
}
