/** Classes and packages that are missing, loaded too late or twice, and what they leave undefined. */
import type { LatexError } from '../../base/types.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { packageOfCommand } from '../known-commands.ts'
import type { Link } from './types.ts'

export const PACKAGE_LINKS: readonly Link[] = [
  isRepeatedPreamble,
  isRestOfPreamble,
  isAfterOtherFormat,
  isOfLatePackage,
  isOfClashedColors,
  isWithoutShell,
]

/** Without \begin{document} or a class every paragraph is an error, and the end of the document as well. */
function isRepeatedPreamble({ message }: LatexError, cause: LatexError): boolean {
  const isWithoutClass = /^Undefined control sequence: \\documentc|size command \\normalsize is not/.test(cause.message)
  if (isWithoutClass && message.includes('size command \\normalsize is not')) return true
  if (!cause.message.includes('Missing \\begin{document}')) return false
  return /Missing \\begin\{document\}|^I can't find file `.*\.aux'|^LaTeX Error: Environment +undefined/.test(message)
}

/** A chapter with a preamble of its own: all its commands are errors, the first one is the cause. */
function isRestOfPreamble(error: LatexError, cause: LatexError): boolean {
  const isPreamble = codeOf(error) === 'preamble-only' && codeOf(cause) === 'preamble-only'
  return isPreamble && error.file === cause.file && /^l\.\d+ .*\\documentclass/m.test(cause.context ?? '')
}

/** LaTeX stops reading a class that is for another format, so the document has no class. */
function isAfterOtherFormat(_: LatexError, cause: LatexError): boolean {
  return cause.message.includes('This file needs format')
}

/** A package that is loaded too late, and one of its commands. */
function isOfLatePackage(error: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('Can be used only in preamble')) return false
  const command = /^Undefined control sequence: (\\[A-Za-z]+)$/.exec(error.message)?.[1]
  const names = /^l\.\d+ .*\\usepackage\s*\n?\s*(?:\[[^\]\n]*\]\s*)?\{([^{}\n]+)\}/m.exec(cause.context ?? '')?.[1]
  const owner = command === undefined ? undefined : packageOfCommand.get(command)
  return owner !== undefined && names !== undefined && names.split(',').some((name) => name.trim() === owner)
}

/** xcolor without its option table, because it was loaded without it before. */
function isOfClashedColors({ message }: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('Option clash for package xcolor')) return false
  return /^Undefined control sequence: \\(?:row|cell|column)colors?$|Undefined color/.test(message)
}

/** A package that cannot run its program has no output to include. */
function isWithoutShell({ message }: LatexError, cause: LatexError): boolean {
  const isCause = /^Package minted Error: (?:You must invoke LaTeX with|Missing style definition)/.test(cause.message)
  return isCause && /^Package minted Error|`[^']*(?:_minted-|\.pyg)/.test(message)
}
