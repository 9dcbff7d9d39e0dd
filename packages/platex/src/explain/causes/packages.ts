/** Classes and packages that are missing, loaded too late or twice, and what they leave undefined. */
import type { LatexError } from '../../base/types.ts'
import { isAlgorithmCommand } from '../algorithm-commands.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { packageOfCommand } from '../known-packages.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { isQuantity } from '../rules/shared.ts'
import { isOnSameLine, readReportedLine } from './places.ts'
import { RECOVERY } from './recovery.ts'
import type { Link } from './types.ts'

export const PACKAGE_LINKS: readonly Link[] = [
  isRepeatedPreamble,
  isRestOfPreamble,
  isAfterOtherFormat,
  isOfLatePackage,
  isOfSameMissingPackage,
  isOfSameQuantity,
  isOfClashedColors,
  isWithoutShell,
  isOfSameClash,
  isInClashedEnvironment,
  isAfterSwallowedBeginning,
  isAfterLuaPackage,
  isOfUndefinedAuthor,
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

/** Commands of one package that is not loaded. Commands of algorithms and citations may have to be replaced one by one. */
function isOfSameMissingPackage(error: LatexError, cause: LatexError): boolean {
  const owner = ownerOfUndefined(error)
  return owner !== undefined && owner === ownerOfUndefined(cause)
}

/** Each quantity, if another package has defined the command. */
function isOfSameQuantity(error: LatexError, cause: LatexError): boolean {
  return [error, cause].every(({ message, context }) => message.endsWith(': \\ERROR') && isQuantity(context ?? ''))
}

function ownerOfUndefined({ message }: LatexError): string | undefined {
  const command = /^Undefined control sequence: (\\[A-Za-z]+)$/.exec(message)?.[1]
  const owner = command === undefined || isAlgorithmCommand(command) ? undefined : packageOfCommand.get(command)
  return owner === 'natbib' || owner === 'biblatex' ? undefined : owner
}

/** xcolor without its option table, because it was loaded without it before. */
function isOfClashedColors({ message }: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('Option clash for package xcolor')) return false
  return /^Undefined control sequence: \\(?:row|cell|column)colors?$|Undefined color/.test(message)
}

/** Each command that two packages define is an error; an acronym that is defined twice has several. */
function isOfSameClash(error: LatexError, cause: LatexError): boolean {
  if (codeOf(error) !== 'command-already-defined' || codeOf(cause) !== 'command-already-defined') return false
  if (/\\g__acro_/.test(error.message) && /acro@/.test(cause.message)) return true
  return isOnSameLine(error, cause) && isInOtherFile(error) && isInOtherFile(cause)
}

/** An environment that two packages define begins as defined by one and ends as defined by the other. */
function isInClashedEnvironment({ file, context }: LatexError, cause: LatexError): boolean {
  const name = /Command \\(\w+)\*? already defined/.exec(cause.message)?.[1]
  if (name === undefined || file !== cause.file || !isInOtherFile(cause)) return false
  return [`\\begin{${name}}`, `\\end{${name}}`].includes(readUpperLine(context ?? '')?.trim() ?? '')
}

/** TeX read a line of a package; the place is the line that loads it. */
function isInOtherFile(error: LatexError): boolean {
  return readReportedLine(error) !== error.line
}

/** A command that took `\begin{document}` for its argument: packages are not ready, and the text is a part of the preamble. */
function isAfterSwallowedBeginning({ file, message }: LatexError, cause: LatexError): boolean {
  const isCause =
    cause.message.includes('Missing \\begin{document}') && /^l\.\d+ \\begin\{d\s*$/m.test(cause.context ?? '')
  if (!isCause || file !== cause.file) return false
  return RECOVERY.test(message) || /^(?:Package titlesec Error|LaTeX Error: Environment |TeX capacity)/.test(message)
}

/** A package for LuaTeX in another engine: TeX reads its Lua code as text, and does not get out of it. */
function isAfterLuaPackage(error: LatexError, cause: LatexError): boolean {
  if (cause.message !== 'Undefined control sequence: \\directlua' || error.file !== cause.file) return false
  return cause.line !== readReportedLine(cause) && (error.line === cause.line || error.line === null)
}

/** A package that cannot run its program has no output to include. */
function isWithoutShell({ message }: LatexError, cause: LatexError): boolean {
  const isCause = /^Package minted Error: (?:You must invoke LaTeX with|Missing style definition)/.test(cause.message)
  return isCause && /^Package minted Error|`[^']*(?:_minted-|\.pyg)/.test(message)
}

/** Each change by an author that changes does not know, and the color and the counters that the author does not have. */
function isOfUndefinedAuthor({ message }: LatexError, cause: LatexError): boolean {
  const author = /^Package changes Error: Undefined changes author: (.+?)\.$/.exec(cause.message)?.[1]
  if (author === undefined) return false
  const counter = /^LaTeX Error: No counter 'Changes@[a-z]+Count(.+)' defined/.exec(message)?.[1]
  const isOfColor = /^Package xcolor Error: Undefined color `(?:authorcolor)?'/.test(message)
  return isOfColor || counter === author || message === cause.message
}
