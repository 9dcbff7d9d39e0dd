/**
 * Validates the names of files sent with a document.
 *
 * A name becomes a path in the workspace and an argument of TeX, so it must be safe as both. It must also be
 * unambiguous to readers: invisible characters and look-alikes of dot and slash are rejected. Common names are allowed:
 * spaces, brackets, accents, all scripts, a custom `article.cls`.
 */
import { ROOT_FILE } from '../base/defaults.ts'
import { CompileInputError } from '../base/errors.ts'

const MAX_PATH_BYTES = 1024
const MAX_SEGMENT_BYTES = 255
const MAX_SEGMENTS = 16

/**
 * Extensions of files that the compile writes beside the root file: a folder of that name would block them. Files are
 * ignored later.
 */
const RESERVED_FOLDER = /^(?:pdf|log|fls|blg|xdv|dvi|aux|synctex[^/]*)\//

/** Configuration files that TeX and its tools read from any folder. */
const RESERVED_NAMES = new Set(['texmf.cnf', 'biber.conf', 'mktex.cnf', 'dvipdfmx.cfg', 'fonts.conf'])

const LOOK_ALIKES =
  /[\u2024\u2025\u2026\ufe52\uff0e\u2044\u2215\u29f8\uff0f\u2216\u29f5\ufe68\uff3c\ufe19\u2571\u2572]/u

/**
 * More than any language has (the limit of stream-safe text in Unicode Standard Annex 15). Normalization sorts such a row
 * in the square of its length: minutes for one name of a megabyte.
 */
const MARKS_IN_A_ROW = /\p{M}{31}/u

const encoder = new TextEncoder()

/**
 * Validates one key of `files` and returns it in Unicode normalization form C.
 *
 * Separator `/`; at most 16 parts of 255 bytes, 1024 bytes in total. `main` is the root file if the caller sets it; `path` is
 * the field that contains the name, if it is not a key of `files`.
 *
 * @throws CompileInputError `BAD_FILENAME` with the reason.
 */
export function parseFileName(input: string, main: string | null = null, path?: string): string {
  if (MARKS_IN_A_ROW.test(input)) throw badFileName(input, 'has more than 30 combining marks in a row', path)
  const name = input.isWellFormed() ? input.normalize('NFC') : input
  const complaint = findComplaint(name, main)
  if (complaint !== null) throw badFileName(input, complaint, path)
  return name
}

/** The error for a file name, shortened and made visible. Without a `path`, it is a key of `files`. */
export function badFileName(name: string, complaint: string, path?: string): CompileInputError {
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}...` : name.toWellFormed()).replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
  return new CompileInputError(`file name ${shown} ${complaint}`, {
    code: 'BAD_FILENAME',
    path: path ?? `files[${shown}]`,
  })
}

function findComplaint(name: string, main: string | null): string | null {
  if (!name.isWellFormed()) return 'is not valid Unicode'
  if (name === '') return 'is empty'
  if (encoder.encode(name).byteLength > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'contains an invisible or control character'
  if (name.includes('\\')) return 'contains a backslash: separate folders with /'
  if (name.startsWith('/')) return 'is absolute: use a name relative to the project'
  if (/^[A-Za-z]:/.test(name)) return 'starts with a drive letter: use a name relative to the project'
  const forbidden = /["*:<>?`|]/.exec(name)
  if (forbidden !== null) return `contains ${forbidden[0]}, which is special in TeX or in file systems`
  if (LOOK_ALIKES.test(name)) return 'contains a character that looks like a dot or a slash'
  const segments = name.split('/')
  if (segments.length > MAX_SEGMENTS) return `is nested deeper than ${MAX_SEGMENTS} levels`
  return findSegmentComplaint(segments) ?? findReservedComplaint(name, main)
}

function findSegmentComplaint(segments: readonly string[]): string | null {
  for (const segment of segments) {
    if (segment === '') return 'has an empty part: remove the // or the / at the end'
    if (segment === '.' || segment === '..') return `has the part ${segment}: files must be inside the project`
    if (segment.startsWith('.')) return 'has a part that starts with a dot: TeX does not open hidden files'
    if (/^[-~]/.test(segment)) return `has a part that starts with ${segment[0]}, which is special in programs`
    if (segment.trim() === '') return 'has a part that consists of spaces'
    if (encoder.encode(segment).byteLength > MAX_SEGMENT_BYTES) {
      return `has a part longer than ${MAX_SEGMENT_BYTES} bytes`
    }
  }
  return null
}

function findReservedComplaint(name: string, main: string | null): string | null {
  const path = name.toLowerCase()
  if (main === null && (path === ROOT_FILE || path.startsWith(`${ROOT_FILE}/`))) {
    return 'is reserved for the field source'
  }
  const stem = (main ?? ROOT_FILE).toLowerCase().replace(/tex$/, '')
  if (path.startsWith(stem) && RESERVED_FOLDER.test(path.slice(stem.length))) {
    return 'is reserved: the compile writes a file with this name'
  }
  if (RESERVED_NAMES.has(path.slice(path.lastIndexOf('/') + 1))) return 'is a configuration file of the TeX system'
  return null
}
