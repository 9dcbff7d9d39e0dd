import type { CompileOptions, PlatexClientConfig } from '../base/types.ts'
import { invalidInput } from './invalid-input.ts'
import { isGroup } from './parse-settings.ts'

/**
 * Merges the options of a call with the defaults of a client. `undefined` means absent; headers and limits are merged
 * by name. Defaults cannot contain `files`, `main`, `signal` or `onProgress`, which belong to a single call.
 *
 * @throws CompileInputError if headers or limits to merge are not objects.
 */
export function mergeOptions(config: PlatexClientConfig, options: CompileOptions): CompileOptions {
  const { files: _files, main: _main, signal: _signal, onProgress: _onProgress, ...defaults }: CompileOptions = config
  return {
    ...givenOnly(defaults),
    ...givenOnly(options),
    ...mergeGroup('headers', defaults.headers, options.headers),
    ...mergeGroup('limits', defaults.limits, options.limits),
  }
}

function mergeGroup<K extends string, G extends object>(
  name: K,
  defaults: G | undefined,
  options: G | undefined,
): { readonly [name in K]?: G } {
  if (!defaults || !options) return {}
  if (!isGroup(defaults) || !isGroup(options)) throw invalidInput(name, 'must be an object')
  return { [name]: { ...givenOnly(defaults), ...givenOnly(options) } } as { readonly [name in K]?: G }
}

function givenOnly<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null)) as T
}
