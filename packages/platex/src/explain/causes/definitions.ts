/** Definitions and code of expl3 that TeX reads as text. */
import type { LatexError } from '../../base/types.ts'
import { BAD_NAME_NOTE } from '../mistake-notes.ts'
import { hasNote } from '../rules/shared.ts'

/** Whether a definition has a name without a backslash, which \newcommand reads as text. */
export function isNamelessDefinition({ message }: LatexError): boolean {
  return message.startsWith('Missing control sequence inserted')
}

/** Whether this is an error in the arguments of such a definition, which TeX reads as text. */
export function isOfDefinition({ message }: LatexError): boolean {
  return /Missing \\begin\{document\}|^Missing number|^You already have nine/.test(message)
}

/** The "#" of an argument that a definition does not have, where the command is used. */
export function isOfDefinedHash({ message, context }: LatexError, cause: LatexError): boolean {
  const name = /^Illegal parameter number in definition of (\\[A-Za-z]+)/.exec(cause.message)?.[1]
  if (name === undefined || !message.startsWith("You can't use `macro parameter character #'")) return false
  return (context ?? '').split('\n').some((line) => line.startsWith(`${name} `) && line.includes('->'))
}

/** Outside of expl3, "_" begins an index. */
export function isAfterExpl3({ file, message }: LatexError, cause: LatexError): boolean {
  const isCause = /^l\.\d+ .*\n\s*_[A-Za-z]/m.test(cause.context ?? '') && cause.message.startsWith('Undefined control')
  return isCause && file === cause.file && /^Missing \$|invalid in math mode/.test(message)
}

/** The beginning of a name with a digit or an underscore, and the formula that the underscore begins. */
export function isOfBadName({ message }: LatexError, cause: LatexError): boolean {
  if (!hasNote(cause, BAD_NAME_NOTE)) return false
  const name = /"(.+?)"/.exec(cause.context ?? '')?.[1] ?? ''
  const begun = /^Undefined control sequence: (\\[A-Za-z@]+)$/.exec(message)?.[1]
  if (begun !== undefined) return name.startsWith(begun)
  return name.includes('_') && /^Missing \$|invalid in math mode/.test(message)
}
