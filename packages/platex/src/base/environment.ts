/** The variables that this package reads; empty counts as unset. */
export type EnvironmentVariable =
  | 'COMPILE_SERVICE_URL'
  | 'COMPILE_API_KEY'
  | 'COMPILE_MAX_CONCURRENT'
  | 'COMPILE_TECTONIC_BUNDLE'
  | 'PATH'

/**
 * Reads one environment variable, or null: also where there is no environment (browsers) or no right to see it (Deno).
 *
 * The only reader of the environment in this package, and free of `node:` imports so that the client entry can use it.
 */
export function readEnvironment(name: EnvironmentVariable): string | null {
  try {
    if (typeof process === 'undefined') return null
    return process.env?.[name] || null
  } catch {
    return null // Deno refuses by throwing: as good as unset.
  }
}
