import { badFileName, parseFileName } from './parse-file-name.ts'
import { invalidInput } from './invalid-input.ts'

/**
 * Converts an object of files to a map with validated names.
 *
 * Own keys are copied one by one, so `__proto__` is an ordinary name. Names that differ only in case are two files, as
 * on Linux. `main` is the root file if the caller sets it.
 *
 * @throws CompileInputError if it is not a plain object, a name is invalid, two names are equal after normalization, or
 * a name is both a file and a folder.
 */
export function parseFiles<T>(
  input: unknown,
  parseContent: (content: unknown, path: string) => T,
  { main }: { readonly main: string | null } = { main: null },
): Map<string, T> {
  const files = new Map<string, T>()
  if (input === undefined || input === null) return files
  if (!isPlainObject(input)) throw invalidInput('files', 'must be an object: file name → content')
  for (const [key, content] of Object.entries(input)) {
    const name = parseFileName(key, main)
    if (files.has(name)) throw badFileName(key, 'is listed twice, in two Unicode forms')
    files.set(name, parseContent(content, `files[${JSON.stringify(name)}]`))
  }
  refuseFileAsFolder(files)
  return files
}

function refuseFileAsFolder(files: ReadonlyMap<string, unknown>): void {
  for (const name of files.keys()) {
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
      const folder = name.slice(0, slash)
      if (files.has(folder)) throw badFileName(name, `needs the folder ${folder}, which is also a file`)
    }
  }
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Plain objects of other realms have another Object.prototype, which also ends the prototype chain.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
