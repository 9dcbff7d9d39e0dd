import { ROOT_FILE } from '../base/defaults.ts'
import type { CompileRequest } from './compile-request.ts'
import { parseFileName } from './parse-file-name.ts'
import { invalidInput } from './invalid-input.ts'

/**
 * Validates the path of the root file and returns it in Unicode normalization form C; null if absent.
 *
 * @throws CompileInputError unless it is a valid file name that ends with `.tex`, and TeX can read it.
 */
export function parseMain(input: unknown): string | null {
  if (input === undefined || input === null) return null
  if (typeof input !== 'string') throw invalidInput('main', 'must be a string: the path of the root file')
  const main = parseFileName(input, input, 'main')
  if (!/[^/]\.tex$/.test(main)) throw invalidInput('main', 'must end with .tex')
  const special = SPECIAL.exec(main.slice(main.lastIndexOf('/') + 1))?.[0]
  if (special === undefined) return main
  const shown = special === '  ' ? 'two spaces in a row' : `"${special}"`
  throw invalidInput('main', `has ${shown} in its file name, which TeX cannot read: rename the file`)
}

/** Characters that TeX changes on its command line, where the root file is named. */
const SPECIAL = /%|~|\^\^| {2}/

/**
 * Checks that there is exactly one root file: the source, or the file named by `main`.
 *
 * @throws CompileInputError if there is none, or two.
 */
export function checkRootFile({ source, main, files }: Pick<CompileRequest, 'source' | 'main' | 'files'>): void {
  const rootFile = main ?? ROOT_FILE
  const isAmongFiles = files.has(rootFile)
  if (source === null && !isAmongFiles)
    // An upload without `main` gets the default before this check.
    throw invalidInput(
      'main',
      rootFile === ROOT_FILE
        ? `must name the root file, because files has no ${ROOT_FILE}`
        : `names ${rootFile}, which is not in files`,
    )
  if (source !== null && isAmongFiles)
    throw invalidInput('main', 'names a file that is in files, but source is set too: omit one of them')
}
