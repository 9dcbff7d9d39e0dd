import { badFileName, parseFileName } from './parse-file-name.ts'
import { invalidInput } from './invalid-input.ts'

/**
 * Turns an object of files into a map under checked names.
 *
 * The object's own keys are read one by one into the map, so `__proto__` is a name like any other.
 * Names that differ in case only are two files, as on Linux. `main` is the root file when the caller names it.
 *
 * @throws CompileInputError when it is no plain object, a name is bad, two names fall together after normalisation,
 * or one name is both a file and a folder.
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
    if (files.has(name)) throw badFileName(key, 'is given twice, spelled in two ways')
    files.set(name, parseContent(content, `files[${JSON.stringify(name)}]`))
  }
  refuseFileAsFolder(files)
  return files
}

function refuseFileAsFolder(files: ReadonlyMap<string, unknown>): void {
  for (const name of files.keys()) {
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
      const folder = name.slice(0, slash)
      if (files.has(folder)) throw badFileName(name, `needs the folder ${folder}, which is given as a file`)
    }
  }
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object of another realm has another Object.prototype, but that too ends the chain.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
