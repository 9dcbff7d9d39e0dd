import { CompileInputError } from '../base/errors.ts'

/** The error for an option or field with a wrong type or value: its path, then what is wrong with it. */
export function invalidInput(path: string, complaint: string): CompileInputError {
  return new CompileInputError(`${path} ${complaint}`, { code: 'INVALID_INPUT', path })
}
