/** Finds the source line of a message of a DVI driver, which does not report lines. */
import type { SourceTexts } from '../source-texts.ts'
import { listDocuments } from './places.ts'

interface DriverPlace {
  readonly file: string | null
  readonly line: number | null
}

const NOWHERE: DriverPlace = { file: null, line: null }
const MISSING_FIGURE = /Could not find (?:figure )?file:? (\S+?)(?:; continuing\.?)?$/
const POSTSCRIPT_NAME = /^Ghostscript could not make the PDF: \/\w+ in (?:--)?([A-Za-z]\w*)/
/** Commands that contain PostScript. */
const POSTSCRIPT = /\\(?:special|ps[a-z]|pst|parametricplot|rput|uput|SpecialCoor|AddToShipout)|\\begin\{pspicture/

/** The only line that contains the missing figure, or the PostScript operator that failed. */
export function findDriverPlace(message: string, sources: SourceTexts): DriverPlace {
  const figure = MISSING_FIGURE.exec(message)?.[1]
  if (figure !== undefined) return findOnly(sources, (text) => text.includes(figure))
  const name = POSTSCRIPT_NAME.exec(message)?.[1]
  if (name === undefined) return NOWHERE
  const word = new RegExp(`(?<![\\w\\\\])${name}(?!\\w)`)
  return findOnly(sources, (text) => POSTSCRIPT.test(text) && word.test(text))
}

function findOnly(sources: SourceTexts, matches: (text: string) => boolean): DriverPlace {
  const found = listDocuments(sources).flatMap((file) =>
    sources.code(file).flatMap((text, index) => (matches(text) ? [{ file, line: index + 1 }] : [])),
  )
  return found.length === 1 ? (found[0] ?? NOWHERE) : NOWHERE
}
