/** The file to edit for bytes that are not UTF-8: TeX reports where it prints them, and XeTeX replaces them by U+FFFD. */
import { isUtf8 } from 'node:buffer'
import type { LatexError, LatexWarning } from '../base/types.ts'
import type { Diagnostics } from './types.ts'

/** Names of the sources that are not UTF-8 → their lines that are not, at least one. */
export type InvalidFiles = ReadonlyMap<string, readonly number[]>

/** Places the diagnostics of one engine or tool. */
export function placeInvalidBytes({ errors, warnings }: Diagnostics, files: InvalidFiles): Diagnostics {
  const replaced = warnings.filter(isReplacement)
  return {
    errors: errors.map((error) => placeError(error, files)),
    // One warning for each file is enough, and the character that replaces the bytes is in no font.
    warnings: warnings.filter((warning) => {
      if (isReplacement(warning)) return replaced.find(({ file }) => file === warning.file) === warning
      return files.size === 0 || !/^Missing character: .*\(U\+FFFD\)/.test(warning.message)
    }),
  }
}

function isReplacement({ message }: LatexWarning): boolean {
  return message.startsWith('Invalid UTF-8 byte or sequence at line ')
}

function placeError(error: LatexError, files: InvalidFiles): LatexError {
  if (error.message.startsWith("Data file '") && error.file !== null)
    return { ...error, line: files.get(error.file)?.[0] ?? null }
  if (CUT_CHARACTER.test(error.message)) return placeCutCharacter(error, files)
  if (!/Invalid UTF-8 byte|invalid utf-8 sequence/.test(error.message)) return error
  const lines = files.get(error.file ?? '')
  if (lines !== undefined) return placeInFile(error, lines)
  // The text of a bibliography comes from a file that BibTeX wrote.
  const [file, [line] = []] =
    [...files].find(([name]) => name.endsWith('.bib')) ?? (files.size === 1 ? [...files][0] : null) ?? []
  if (file !== undefined && line !== undefined) return { ...error, file, line }
  if (files.size > 0 || error.message.includes('\\lst@')) return error
  const note = 'The sources are valid UTF-8: a command split this character into its bytes.'
  return { ...error, context: `${note}\n${error.context ?? ''}` }
}

/** LaTeX looks for the other bytes of a character behind the end of its paragraph, or prints a text later. */
function placeInFile(error: LatexError, lines: readonly number[]): LatexError {
  const { line } = error
  return line === null ? error : { ...error, line: lines.findLast((invalid) => invalid <= line) ?? line }
}

/** LaTeX looks for the other bytes of a character behind the end of the file. */
const CUT_CHARACTER = /^File ended while scanning use of \\UTFviii@/

/** TeX reports the command that reads the file, or nothing for the root file. */
function placeCutCharacter(error: LatexError, files: InvalidFiles): LatexError {
  const ended = [...files].filter(([name]) => error.line === null || name !== error.file)
  const command = /^l\.\d+ (.*)$/m.exec(error.context ?? '')?.[1] ?? ''
  const named = ended.find(
    ([name]) => command.includes(`{${name}}`) || command.includes(`{${name.replace(/\.tex$/, '')}}`),
  )
  const [file, lines = []] = named ?? (ended.length === 1 ? ended[0] : null) ?? []
  const line = lines.at(-1)
  return file === undefined || line === undefined ? error : { ...error, file, line }
}

const MAX_LINES = 10_000

/** The first lines that are not UTF-8, counted from 1; none if the text is valid. */
export function findInvalidLines(bytes: Uint8Array): readonly number[] {
  if (isUtf8(bytes)) return []
  const lines: number[] = []
  for (let line = 1, start = 0; start < bytes.length && lines.length < MAX_LINES; line += 1) {
    const end = bytes.indexOf(0x0a, start)
    const stop = end === -1 ? bytes.length : end
    if (!isUtf8(bytes.subarray(start, stop))) lines.push(line)
    start = stop + 1
  }
  return lines
}
