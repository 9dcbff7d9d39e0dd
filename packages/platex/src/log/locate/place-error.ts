/**
 * The file and line that the author must edit to fix an error.
 *
 * TeX reports the line that it was reading. That is too late for an unclosed brace, off by one for a missing package,
 * inside a package for a wrong option, and absent at the end of the run. The reported place is checked against the source;
 * then finders, one for each kind of error, look for a better one.
 */
import type { FileNames } from '../engine/file-names.ts'
import type { FilePosition } from '../engine/file-stack.ts'
import type { ErrorInLog } from '../engine/read-error.ts'
import type { SourceTexts } from '../source-texts.ts'
import { squeeze } from '../squeeze.ts'
import { findAbsentArgument } from './find-absent-argument.ts'
import { findBareSymbol } from './find-bare-symbol.ts'
import { findBlankInDisplay } from './find-blank-in-display.ts'
import { findUnendedEnvironment } from './find-environment.ts'
import { findExtraCell } from './find-extra-cell.ts'
import { findInBibliography } from './find-in-bibliography.ts'
import { findFormulaMistake } from './find-formula-mistake.ts'
import { findHeading } from './find-heading.ts'
import { findInIndex } from './packages/find-in-index.ts'
import { findInLua } from './packages/find-in-lua.ts'
import { findInPicture, findLoopWithoutIn, findMatrix } from './packages/find-in-picture.ts'
import { findInFrame } from './packages/find-in-frame.ts'
import { findInBody } from './find-in-body.ts'
import { findListText } from './find-list-text.ts'
import {
  findInvalidNumber,
  findLateComplaint,
  findLookahead,
  findMissingArgument,
  findSemicolon,
  findSwallowedBeginning,
} from './find-lookahead.ts'
import { findLoadingLine, findMissingFile } from './find-missing-file.ts'
import { findUnbalanced } from './find-unbalanced.ts'
import {
  findEmptyFile,
  findFormulaInEnvironment,
  findHiddenBrace,
  findListingInArgument,
  findOpenBrace,
  findUnclosedArgument,
  findUnclosedFormula,
} from './find-unclosed.ts'
import { findBadName, findDoubledBackslash } from './find-doubled-backslash.ts'
import { findWritten } from './find-written.ts'
import { filesToSearch, type Fault, type Place } from './places.ts'

export interface PlacedError extends Place {
  /** Says where TeX reported the error when that is another place; null when it is this one. */
  readonly note: string | null
}

const finders: readonly ((fault: Fault) => (Place & { readonly note?: string }) | null)[] = [
  findSwallowedBeginning,
  findBadName,
  findInFrame,
  findInPicture,
  findLoopWithoutIn,
  findMatrix,
  findInLua,
  findInIndex,
  findMissingFile,
  findInBibliography,
  findHeading,
  findListText,
  findExtraCell,
  findBlankInDisplay,
  findFormulaMistake,
  findAbsentArgument,
  findMissingArgument,
  findHiddenBrace,
  findOpenBrace,
  findUnclosedArgument,
  findUnbalanced,
  findDoubledBackslash,
  findUnendedEnvironment,
  findNestedFormula,
  findUnclosedFormula,
  findFormulaInEnvironment,
  findEmptyFile,
  findListingInArgument,
  findIncomplete,
  findWritten,
  findNamed,
  findInvalidNumber,
  findInBody,
  findBareSymbol,
  findSemicolon,
  findLateComplaint,
  findLookahead,
  findBeforeBlank,
]

interface World {
  readonly names: FileNames
  readonly sources: SourceTexts
}

/** Gives an error its file and line. */
export function placeError(error: ErrorInLog, position: FilePosition, { names, sources }: World): PlacedError {
  const reported = reportedPlace(error, position, { names, sources })
  const system = placeInSystem(error, position, names)
  const fault = { error, reported, position, sources }
  for (const find of finders) {
    const place = find(fault)
    if (place !== null) return { ...place, note: place.note ?? system ?? noteOn(place, error, reported) }
  }
  return { ...reported, note: system }
}

function reportedPlace(error: ErrorInLog, position: FilePosition, { names, sources }: World): Place {
  const { stated } = error
  const statedFile = stated === null ? null : names.userFile(stated.file)
  if (stated !== null && statedFile !== null) return { file: statedFile, line: stated.line }
  if (stated === null && error.contextLine === null && !isMissingFile(error)) {
    return { file: position.userFile, line: null } // the run is over, or TeX reported no position
  }
  if (stated !== null || position.loaded !== null) {
    const name = position.loaded?.name ?? stated?.file ?? ''
    return { file: position.userFile, line: findLoadingLine(sources, position.userFile, name) }
  }
  return checkedPlace(error, position, sources)
}

/** Names the package in which TeX reported the error: the user cannot edit it, but it shows the cause. */
function placeInSystem({ stated, contextLine }: ErrorInLog, position: FilePosition, names: FileNames): string | null {
  const file = stated?.file ?? (position.loaded === null ? null : (position.top?.name ?? null))
  const line = stated?.line ?? contextLine
  if (file === null || line === null || names.userFile(file) !== null) return null
  return `TeX reported it at ${file.slice(file.lastIndexOf('/') + 1)}:${line}.`
}

function isMissingFile({ message }: ErrorInLog): boolean {
  return / not found|can't find/.test(message)
}

/** The line that TeX shows must be in the file that seems open; otherwise it is looked up in the other open files. */
function checkedPlace(error: ErrorInLog, position: FilePosition, sources: SourceTexts): Place {
  const reported = { file: position.userFile, line: error.contextLine }
  const { contextLine: line, lineBefore } = error
  if (line === null || !sources.has(reported.file) || shows(sources, reported.file, { line, lineBefore }))
    return reported
  const near = position.lastClosed === null ? [] : [position.lastClosed]
  const others = [...near, ...filesToSearch({ reported, position, sources })]
  const file =
    squeeze(lineBefore).length < 4 ? undefined : others.find((name) => shows(sources, name, { line, lineBefore }))
  return file === undefined ? reported : { file, line }
}

function shows(
  sources: SourceTexts,
  file: string,
  { line, lineBefore }: { line: number; lineBefore: string },
): boolean {
  const text = squeeze(sources.lines(file)[line - 1] ?? '')
  const shown = squeeze(lineBefore)
  return shown.startsWith('...') ? text.includes(shown.slice(3)) : text.startsWith(shown)
}

function noteOn(place: Place, error: ErrorInLog, reported: Place): string | null {
  if (place.file === reported.file && place.line === reported.line) return null
  if (reported.line === null || error.contextLine === null)
    return 'TeX reported no line; this one was found in the source.'
  return `TeX reported it at ${reported.file}:${reported.line}; it begins at ${place.file}:${place.line ?? '?'}.`
}

/**
 * The last line with text before an empty one. TeX continues past the line of the error while a command may have an option
 * or a formula may close, and reports the empty line that ends the paragraph.
 */
function findBeforeBlank({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !sources.has(file) || squeeze(error.lineBefore) !== '') return null
  const lines = sources.lines(file)
  if (line > lines.length || squeeze(lines[line - 1] ?? '') !== '') return null
  const found = lines.slice(0, line).findLastIndex((text) => squeeze(text) !== '')
  return found < 0 ? null : { file, line: found + 1 }
}

/** The conditional without its `\fi`: the message contains its line, but not its file. */
function findIncomplete(fault: Fault): Place | null {
  const match = /^Incomplete (\\\S+); all text was ignored after line (\d+)\.$/.exec(fault.error.message)
  if (match === null) return null
  const line = Number(match[2])
  const files = filesToSearch(fault)
  const file = files.find((name) => /\\if|\\else|\\or/.test(fault.sources.code(name)[line - 1] ?? ''))
  return { file: file ?? fault.reported.file, line }
}

const MAX_LINES_BACK = 400

/**
 * The line with the environment or key that a message names, where TeX read the text around it as a whole and reports
 * the line of its end: a beamer frame, an axis of pgfplots.
 */
export function findNamed({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  const text = textOf(error.message)
  if (text === null || line === null) return null
  // Verbatim text is not code, but can contain the character.
  const lines = text.length <= 2 ? sources.lines(file) : sources.code(file)
  if ((lines[line - 1] ?? '').includes(text)) return null
  const found = lines.slice(0, line).findLastIndex((candidate) => candidate.includes(text))
  return found === -1 || line - found > MAX_LINES_BACK ? null : { file, line: found + 1 }
}

/** The reported name or command as it is written in the source. */
function textOf(message: string): string | null {
  const environment = /^LaTeX Error: Environment (\S+) undefined/.exec(message)?.[1]
  if (environment !== undefined) return `\\begin{${environment}}`
  const character = /^LaTeX Error: Unicode character (\P{ASCII}) \(U\+/u.exec(message)?.[1]
  if (character !== undefined) return character
  if (message.startsWith('Package tabularray Error: Unknown column type')) return '\\begin{tblr}'
  const color = /^Package xcolor Error: Undefined color [`']([^`'#]+)'/.exec(message)?.[1]
  if (color !== undefined) return `{${color}}`
  // After the comma of a table format, siunitx reads another option.
  const digits = /The key 'siunitx\/(\d+)' is unknown/.exec(message)?.[1]
  if (digits !== undefined) return `,${digits}`
  return /I do not know the key '(?:\/[^']*\/)?([^'/]+)'/.exec(message)?.[1] ?? null
}

/** The beginning of an amsmath environment inside another formula: amsmath collects it and complains at its end. */
function findNestedFormula({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.includes('Erroneous nesting of equation structures')) return null
  const code = sources.code(file)
  const name = /\\end\{([^{}]+)\}/.exec(code[line - 1] ?? '')?.[1]
  if (name === undefined) return null
  const found = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  return found === -1 ? null : { file, line: found + 1 }
}
