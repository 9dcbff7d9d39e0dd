import { ROOT_FILE } from '../base/defaults.ts'
import { CompileInputError } from '../base/errors.ts'
import type { CompileRequest } from './compile-request.ts'
import { parseFileName } from './parse-file-name.ts'

/**
 * Checks the path of the root file, and gives it back in Unicode form C; null when absent.
 *
 * @throws CompileInputError unless it is a legal file name that ends with `.tex`.
 */
export function parseMain(input: unknown): string | null {
  if (input === undefined || input === null) return null
  if (typeof input !== 'string') throw invalidMain('must be a string: the path of the root file')
  const main = parseFileName(input, input)
  if (!/[^/]\.tex$/.test(main)) throw invalidMain('must end with .tex')
  return main
}

/**
 * Checks that there is one root file: the source, or a file under the name of `main`.
 *
 * @throws CompileInputError when there is none, or two.
 */
export function checkRootFile({ source, main, files }: Pick<CompileRequest, 'source' | 'main' | 'files'>): void {
  const isAmongFiles = files.has(main ?? ROOT_FILE)
  if (source === null && !isAmongFiles) throw invalidMain(`names ${main ?? ROOT_FILE}, which is not in files`)
  if (source !== null && isAmongFiles) throw invalidMain('names a file that is given twice: as source and in files')
}

function invalidMain(complaint: string): CompileInputError {
  return new CompileInputError(`main ${complaint}`, { code: 'INVALID_INPUT', path: 'main' })
}
