/** Files of the project, such as the bibliography, that a program cannot find or read. */
import type { LatexError } from '../../base/types.ts'
import { isOnSameLine } from './places.ts'
import { RECOVERY } from './recovery.ts'
import type { Link } from './types.ts'

export const FILE_LINKS: readonly Link[] = [
  isInWideFile,
  isAfterPathOfWindows,
  isAfterPicture,
  isInSameBibliography,
  isWithoutStyle,
]

/** A file in UTF-16 is misread from its beginning. Messages may have the place of its \input. */
export function isInWideFile(error: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('is encoded in UTF-16')) return false
  return error.file === cause.file || /Invalid UTF-8 byte|contains an invalid character/.test(error.message)
}

/** `\input{chapters\intro}` reads the file "chapters". */
function isAfterPathOfWindows(error: LatexError, cause: LatexError): boolean {
  const isPath = /^l\.\d+ .*\\(?:input|include|includegraphics|subfile)\b[^\n]*\{[^{}\n]*\\[A-Za-z]+/m.test(
    cause.context ?? '',
  )
  if (!isPath || !cause.message.startsWith('Undefined control sequence')) return false
  return isOnSameLine(error, cause) && / not found/.test(error.message)
}

/** The driver of XeTeX fails for a picture that XeTeX could not read. */
function isAfterPicture({ message }: LatexError, cause: LatexError): boolean {
  const isFailure = /^xdvipdfmx:fatal: pdf_link_obj|could not be converted to PDF: Ghostscript/.test(message)
  return isFailure && /Unable to load picture|Cannot determine size of graphic/.test(cause.message)
}

/** TeX reads the bibliography as a whole, so it reports errors after the first one at the command that prints it. */
function isInSameBibliography({ message }: LatexError, cause: LatexError): boolean {
  return cause.file?.endsWith('.bib') === true && (RECOVERY.test(message) || message.includes('invalid in math mode'))
}

/** Without its style, biblatex defines no commands for citations. */
function isWithoutStyle({ message }: LatexError, cause: LatexError): boolean {
  if (!cause.message.startsWith("Package biblatex Error: Style '")) return false
  return /^Package biblatex Error: Command '.*' undefined/.test(message)
}

/** BibTeX has nothing to read because a file is missing. */
export function isWithoutDatabase({ message }: LatexError, cause: LatexError): boolean {
  if (/^I found no (?:cite keys|\\citation commands)/.test(message))
    return cause.message.startsWith('White space in argument')
  return /^I found no (?:database files|style file)/.test(message) && cause.message.startsWith("I couldn't open")
}
